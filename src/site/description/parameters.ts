import type { Operation } from '../../http/operation.ts'
import { idMax, numberParameters, parameterPatterns } from '../../http/router.ts'
import type { Parameter, Reference } from './document.ts'
import { withoutNull, type Components } from './json-schema.ts'

interface Words {
  readonly description: string
  readonly example: string | number
}

const rowId = '0b7f3c52-4c0e-4d0c-9a57-2f6a1d3e8b90'

/** What the parameters of paths mean; their patterns are the router's. */
const words: Readonly<Record<string, Words>> = {
  shareId: { description: 'Id of a share, as in its link', example: 'mB3xK9vQ2rT7wYz5nP8dLg' },
  reverseId: {
    description: 'Id of a reverse share, as in its link',
    example: 'hT6sW2kD9fJ4aXc8vR3uEq',
  },
  deliveryId: { description: 'Id of a delivery', example: rowId },
  fileId: { description: 'Id of a file', example: 42 },
  userId: { description: 'Id of an account', example: 7 },
  sessionId: { description: 'Id of a login', example: rowId },
  tokenId: { description: 'Id of an API token', example: rowId },
  contactId: { description: 'Id of a contact', example: rowId },
  mailId: { description: 'Id of a mail', example: rowId },
  asset: { description: 'Name of a file of the pages', example: 'icon.svg' },
  builtAsset: { description: 'Name of a script or style of the pages', example: 'app-0A1B2C3D.js' },
  view: { description: 'Part of a view of the web UI', example: 'settings' },
  section: { description: 'Group of settings', example: 'mail' },
  slug: { description: 'Id of a page: its file name without `.md`', example: 'architecture' },
  page: { description: 'Id of a page, with `.md` for the raw page', example: 'architecture.md' },
}

/** Everything of a request but its body. */
export function describeParameters(
  operation: Operation,
  components: Components,
): (Parameter | Reference)[] {
  return [
    ...[...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => pathParameter(name!)),
    ...queryParameters(operation, components),
    ...headerNamesOf(operation).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ]
}

function pathParameter(name: string): Parameter {
  const found = words[name]
  const pattern = parameterPatterns[name]
  if (!found || !pattern) {
    throw new Error(`describe the path parameter ${name} in site/description/parameters.ts`)
  }
  const { description, example } = found
  const schema = numberParameters.has(name)
    ? { type: 'integer', format: 'int64', minimum: 1, maximum: idMax, examples: [example] }
    : { type: 'string', pattern: pattern.source, examples: [example] }
  return { name, in: 'path', required: true, description, schema }
}

function queryParameters({ query }: Operation, components: Components): Parameter[] {
  if (!query) return []
  const { properties = {}, required } = components.ofInput(query)
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = withoutNull(schema)
    return {
      name,
      in: 'query',
      ...(description ? { description } : {}),
      ...(required?.includes(name) ? { required: true } : {}),
      schema: rest,
    }
  })
}

function headerNamesOf({ answers, body }: Operation): string[] {
  if (206 in answers) return ['Range', 'If-Range', 'If-None-Match', 'If-Match']
  if (304 in answers) return ['If-None-Match']
  return body?.kind === 'multipart' ? ['Content-Digest'] : []
}

const tag = '"1-5f0e8c"'

/** Request header fields that several operations read. */
export const headerParameters: Readonly<Record<string, Parameter>> = {
  Range: {
    name: 'Range',
    in: 'header',
    description: 'One range of bytes (RFC 9110 section 14); anything else is answered whole.',
    schema: { type: 'string', examples: ['bytes=1048576-'] },
  },
  'If-Range': {
    name: 'If-Range',
    in: 'header',
    description: 'The `ETag` that the range belongs to; after a change the whole is sent.',
    schema: { type: 'string', examples: [tag] },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` that is at hand already: 304 while it is still the one.',
    schema: { type: 'string', examples: [tag] },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description: 'The `ETag` that is wanted: 412 when it is another by now.',
    schema: { type: 'string', examples: [tag] },
  },
  'Content-Digest': {
    name: 'Content-Digest',
    in: 'header',
    description: 'SHA-256 of the whole body (RFC 9530): 400 `hash_mismatch` when it differs.',
    schema: {
      type: 'string',
      examples: ['sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:'],
    },
  },
}
