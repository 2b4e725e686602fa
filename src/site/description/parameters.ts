import type { Operation } from '../../http/operation.ts'
import { pathParameters, rowNumberMax } from '../../lib/path-parameters.ts'
import type { Parameter, Reference } from './document.ts'
import { withoutNull, type Components } from './json-schema.ts'

/** Describes a request without its body. */
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
  const { description, example, pattern, isNumber } = pathParameters[name]!
  const schema = isNumber
    ? { type: 'integer', format: 'int64', minimum: 1, maximum: rowNumberMax, examples: [example] }
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

const header = (name: string, description: string, example: string) => [
  name,
  { name, in: 'header', description, schema: { type: 'string', examples: [example] } } as const,
]
const tag = '"1-5f0e8c"'

/** Request headers that several operations read. */
export const headerParameters: Readonly<Record<string, Parameter>> = Object.fromEntries([
  header(
    'Range',
    'A single byte range (RFC 9110 section 14); otherwise the whole content is returned.',
    'bytes=1048576-',
  ),
  header('If-Range', 'The `ETag` of the range; after a change the whole content is returned.', tag),
  header('If-None-Match', 'The `ETag` of a cached copy: 304 if it is still current.', tag),
  header('If-Match', 'The expected `ETag`: 412 if it has changed.', tag),
  header(
    'Content-Digest',
    'SHA-256 of the whole body (RFC 9530): 400 `hash_mismatch` if it differs.',
    'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:',
  ),
])
