import type { Operation, BodySpec } from '../../http/operation.ts'
import { addErrorSchemas, type ErrorStyle } from './errors.ts'
import { headers } from './headers.ts'
import type {
  DescribedOperation,
  Document,
  Server,
  Security,
  Body,
  JsonSchema,
} from './document.ts'
import { Components, mapValues, withoutNull } from './json-schema.ts'
import { describeParameters, headerParameters } from './parameters.ts'
import { describeResponses, joinResponses, shareErrors, type Responses } from './responses.ts'

/** Operations of one server. */
export interface Group {
  readonly operations: readonly Operation[]
  /** Address of the server, a placeholder until the service starts. */
  readonly server: string
  readonly serverDescription: string
  readonly errors: ErrorStyle
}

interface Described extends DescribedOperation {
  readonly responses: Responses
}

/** Version of the description in the contract's part 9. */
const descriptionVersion = '1.0.0'

/**
 * The OpenAPI 3.1 description of all operations. The first group has most of the paths; a path on
 * two servers becomes one operation with two servers, named by the last.
 */
export function describeApi(groups: readonly Group[]): Document {
  const components = new Components()
  addErrorSchemas(components)
  const paths: Record<string, Record<string, Described>> = {}
  const [main] = groups
  for (const group of groups) {
    for (const operation of group.operations) {
      const item = (paths[operation.path] ??= {})
      const method = operation.method.toLowerCase()
      const known = item[method]
      const described = describeOperation(operation, group, components)
      const own = group === main ? described : { ...described, servers: serversOf(group) }
      item[method] = known ? join(known, own, serversOf(main!)) : own
    }
  }
  const used = new Set(groups.flatMap(({ operations }) => operations.map(({ tag }) => tag)))
  return {
    openapi: '3.1.0',
    info: {
      ...info,
      version: descriptionVersion,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: serversOf(main!),
    tags: [...used].map((name) => ({ name, description: tags[name] ?? '' })),
    paths: sharePaths(paths, components),
    components: {
      schemas: sorted(components.schemas),
      responses: sorted(components.responses),
      headers,
      parameters: headerParameters,
      securitySchemes,
    },
  }
}

function serversOf({ server, serverDescription }: Group): Server[] {
  return [{ url: server, description: serverDescription }]
}

function describeOperation(
  operation: Operation,
  { errors: style }: Group,
  components: Components,
): Described {
  const { id, tag, summary, description, deprecated, body } = operation
  const parameters = describeParameters(operation, components)
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description ? { description } : {}),
    ...(deprecated ? { deprecated } : {}),
    security: describeSecurity(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: describeBody(body, components) } : {}),
    responses: describeResponses(operation, style, components),
  }
}

/** Moves errors that operations share to the components. */
function sharePaths(
  paths: Record<string, Record<string, Described>>,
  components: Components,
): Document['paths'] {
  return mapValues(paths, (item) =>
    mapValues(item, (described) => ({
      ...described,
      responses: shareErrors(described.responses, components),
    })),
  )
}

function join(first: Described, second: Described, mainServers: readonly Server[]): Described {
  return {
    ...second,
    servers: [...(second.servers ?? []), ...(first.servers ?? mainServers)],
    responses: joinResponses(first.responses, second.responses),
  }
}

function sorted<T>(schemas: Record<string, T>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(schemas).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  )
}

const info = {
  title: 'Transfer service',
  description: `A self-hosted service for sending files: the product's API, and that of its
documentation site.

**Requests.** Bodies are JSON unless an operation says otherwise; no body means \`{}\`. Unknown
fields are ignored, and null in an optional field means absent. Lengths of strings are counted in
UTF-16 units. One trailing slash is the same resource.

**Responses.** Sizes are bytes. Timestamps are ISO 8601 in UTC. Text that was not given is \`""\`,
and 0 means no limit. New fields can be added at any time: ignore unknown fields.

**Errors.** The product answers \`{ "error", "code" }\`: show \`error\` to people, and use \`code\`
in programs. The documentation site answers RFC 9457 problems. After 429 and 503, wait for the
seconds in \`Retry-After\`.

**Request ids.** Every response of an operation has a header \`X-Request-Id\`. The log of the
service has the same id: quote it when you report a problem.

**Methods.** Every GET also answers HEAD. OPTIONS returns 204 with \`Allow\`; an unsupported method
returns 405 with \`Allow\`.

**Order of checks.** Rate limit, 401, 403, 404, state (409, 410), query and body (400), conflict
(409), limits (413, 507).`,
} as const

/** Descriptions of the API's tags. A new tag needs one here. */
const tags: Readonly<Record<string, string>> = {
  Authentication: 'Sign in and out, set up the first account, reset passwords.',
  Shares: 'Send files: start a share, upload chunks, finalize it.',
  'Public shares': 'What anyone with a link can do: view, unlock, download.',
  'Reverse shares': 'Links through which guests send files, for their owners.',
  Guests: 'Send files to a reverse share, without an account.',
  Account: "The caller's account and sessions.",
  'API tokens': 'Bearer tokens for programs.',
  Passkeys: 'Sign in with a passkey (WebAuthn), and manage those of the account.',
  'Sign-in providers': 'Sign in with OpenID Connect, and manage its providers.',
  'Second factor': 'Time-based codes in addition to the password.',
  Users: 'Accounts, for administrators.',
  Settings: 'What administrators can change while the service runs.',
  Administration: 'Status and tools for administrators.',
  Audit: 'The audit log, for administrators.',
  Pages: 'HTML for browsers.',
  Health: 'For monitoring.',
  Documentation: 'The documentation site, and this description.',
}

const securitySchemes: Readonly<Record<string, object>> = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The `token` of a session, or an API token. It takes precedence over cookies: a wrong ' +
      'token is 401 even with a valid cookie. API tokens need the named scope (`read`, ' +
      '`send`, `manage`, `administer` or `metrics`); with `session`, API tokens are refused.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-transfer_session',
    description:
      'The session of a browser: HttpOnly. The name ends with `_` and a tag of the instance. On ' +
      'plain http it begins with `transfer_session`; if BASE_URL has a path, with ' +
      '`__Secure-transfer_session`. Requests from other sites that would change something are ' +
      '403 `cross_site`.',
  },
  uploadToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The `uploadToken` of an upload: it can only send, list and finalize the chunks of ' +
      'that upload.',
  },
  unlockToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The `accessToken` of a link whose password was verified, valid for an hour.',
  },
}

/**
 * Alternative credentials of an operation; `{}` means none. `bearer` lists the scope of API tokens
 * (a role, in the words of OpenAPI 3.1).
 */
function describeSecurity({ auth, scope, linkToken }: Operation): Security {
  const account = [{ bearer: scope ? [scope] : [] }, { session: [] }]
  switch (auth) {
    case 'user':
    case 'admin':
      return account
    case 'uploader':
      return [...account, { uploadToken: [] }]
    case 'none':
      if (linkToken === 'upload') return [{ uploadToken: [] }]
      // A share's owner is identified by account.
      if (linkToken === 'unlock') {
        return [{}, { unlockToken: [] }, ...(scope ? account : [])]
      }
      return []
  }
}

function describeBody(body: BodySpec, components: Components): Body {
  switch (body.kind) {
    case 'json': {
      const schema = components.ofInput(body.schema)
      return content('application/json', schema, requires(schema, components))
    }
    case 'list': {
      const { properties, required = [] } = components.ofInput(body.rest)
      const items = { type: 'array', items: components.ofInput(body.item) }
      const list =
        body.word === undefined ? items : { anyOf: [items, { type: 'string', enum: [body.word] }] }
      const object = {
        type: 'object',
        required: [body.list, ...required],
        properties: { [body.list]: list, ...properties },
      }
      const description = 'Can be compressed: `Content-Encoding: gzip`'
      return { description, ...content('application/json', object) }
    }
    case 'binary': {
      const { contentType, description } = body
      const schema = { type: 'string', format: 'binary', contentMediaType: contentType }
      return { description, ...content(contentType, schema) }
    }
    case 'multipart': {
      const { properties = {}, required = [] } = components.ofInput(body.fields)
      const file = {
        type: 'string',
        format: 'binary',
        contentMediaType: 'application/octet-stream',
        description: 'The bytes; this part can come before or after the others',
      }
      return content('multipart/form-data', {
        type: 'object',
        required: [body.file, ...required],
        properties: { [body.file]: file, ...mapValues(properties, withoutNull) },
      })
    }
  }
}

/** A missing body counts as `{}`, so a body is required only if a field is. */
function requires(schema: JsonSchema, { schemas }: Components): boolean {
  const named = schemas[schema.$ref?.split('/').at(-1) ?? '']
  return (named ?? schema).required !== undefined
}

function content(type: string, schema: JsonSchema, required = true): Body {
  return { ...(required ? { required } : {}), content: { [type]: { schema } } }
}
