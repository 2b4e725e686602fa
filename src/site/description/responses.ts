import type { AnswerSpec, Operation } from '../../http/operation.ts'
import { describeErrors, type ErrorStyle } from './errors.ts'
import { describeHeaders, headers, headersOfBytes } from './headers.ts'
import type {
  Content,
  DescribedAnswer,
  DescribedOperation,
  Header,
  JsonSchema,
  Reference,
} from './document.ts'
import type { Components } from './json-schema.ts'
import type { ErrorCode } from '../../lib/errors.ts'

/** The answers of one operation, by status. */
export type Responses = Record<string, DescribedAnswer>

/** Every possible answer of an operation, including errors. */
export function describeResponses(
  operation: Operation,
  style: ErrorStyle,
  components: Components,
): Responses {
  const errors = describeErrors(possibleErrors(operation), style, components)
  const answers = describeAnswers(operation, components)
  const hasPage = operation.method === 'GET' && !operation.path.startsWith('/api/') && 404 in errors
  return joinResponses(hasPage ? joinResponses(answers, notFoundPage) : answers, errors)
}

/** For browsers, outside of the API (http/listener.ts). */
const notFoundPage: Responses = {
  404: {
    description: 'A page that says so',
    headers: describeHeaders(['ETag', 'Vary']),
    content: { 'text/html': { schema: schemaOfType('text/html') } },
  },
}

/** Moves answers with a single error to the components, under its name. */
export function shareErrors(
  responses: Responses,
  components: Components,
): DescribedOperation['responses'] {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const name = Number(status) < 400 ? null : nameOfOneError(response)
      return [status, name === null ? response : components.addResponse(name, response)]
    }),
  )
}

/** Null for an answer that may be one of several errors. */
function nameOfOneError({ content = {} }: DescribedAnswer): string | null {
  const [media, ...more] = Object.values(content)
  if (!media || more.length > 0) return null
  return media.schema.$ref?.split('/').at(-1) ?? null
}

function describeAnswers({ answers }: Operation, components: Components): Responses {
  const hasBytes = 206 in answers
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => {
      const always = hasBytes ? headersOfBytes[Number(status)] : undefined
      return [status, describeAnswer(answer, always ?? [], components)]
    }),
  )
}

function describeAnswer(
  { description, schema, contentType, alternative, headers: own = [] }: AnswerSpec,
  always: readonly string[],
  components: Components,
): DescribedAnswer {
  const names = [...always, ...own]
  const content: Record<string, Content[string]> = {}
  if (schema) content['application/json'] = { schema: components.ofOutput(schema) }
  for (const type of [contentType, alternative]) {
    if (type) content[type] = { schema: schemaOfType(type) }
  }
  return {
    description,
    ...(names.length > 0 ? { headers: describeHeaders(names) } : {}),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  }
}

function schemaOfType(contentType: string): JsonSchema {
  // Formats of others, described elsewhere.
  if (contentType.endsWith('+json')) return { type: 'object', additionalProperties: true }
  const isText = /^text\/|xml$/.test(contentType)
  return { type: 'string', ...(isText ? {} : { format: 'binary' }) }
}

/** Merges a status from two sources: both content types, both descriptions. */
export function joinResponses(left: Responses, right: Responses): Responses {
  const joined = { ...left }
  for (const [status, response] of Object.entries(right)) {
    const known = joined[status]
    joined[status] = known ? joinResponse(known, response) : response
  }
  return joined
}

function joinResponse(left: DescribedAnswer, right: DescribedAnswer): DescribedAnswer {
  const content: Record<string, Content[string]> = { ...left.content }
  for (const [type, media] of Object.entries(right.content ?? {})) {
    const known = content[type]
    const isSame = JSON.stringify(known) === JSON.stringify(media)
    content[type] = known && !isSame ? { schema: { anyOf: [known.schema, media.schema] } } : media
  }
  const isSame = left.description === right.description
  return {
    description: isSame ? left.description : `${left.description}\n\n${right.description}`,
    ...(left.headers || right.headers ? { headers: joinHeaders(left, right) } : {}),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  }
}

/** A header that only one source always sends becomes optional. */
function joinHeaders(
  left: DescribedAnswer,
  right: DescribedAnswer,
): Record<string, Header | Reference> {
  const joined: Record<string, Header | Reference> = { ...left.headers, ...right.headers }
  for (const name of Object.keys(joined)) {
    if (left.headers?.[name] && right.headers?.[name]) continue
    joined[name] = { ...headers[name]!, required: false }
  }
  return joined
}

/** Errors that any request may get, independent of its operation. */
const always: readonly ErrorCode[] = [
  'bad_request',
  'method_not_allowed',
  'request_timeout',
  'expectation_failed',
  'headers_too_large',
  'internal',
  'unavailable',
  // Any write may find the disk of the database full, and reads write too.
  'disk_full',
]
const bodyErrors: readonly ErrorCode[] = [
  'invalid_input',
  'invalid_content_type',
  'incomplete_body',
  'payload_too_large',
]

/**
 * Every possible error of an operation: those that it declares, and those of http/run.ts, the
 * credentials and the body readers. In the order of the error table.
 */
function possibleErrors(operation: Operation): ReadonlySet<ErrorCode> {
  return new Set<ErrorCode>([
    ...always,
    ...(operation.errors ?? []),
    ...whoErrors(operation),
    ...(operation.path.includes('{') ? (['not_found'] as const) : []),
    ...(operation.query ? (['invalid_input'] as const) : []),
    ...(operation.body ? bodyErrors : []),
    ...(operation.body?.kind === 'multipart' ? (['invalid_multipart'] as const) : []),
    ...(['json', 'list'].includes(operation.body?.kind ?? '') ? (['invalid_json'] as const) : []),
    ...(operation.limit ? (['rate_limited'] as const) : []),
  ])
}

function whoErrors(operation: Operation): ErrorCode[] {
  const { auth, method, scope, beforeEnrolment } = operation
  const crossSite: ErrorCode[] = method === 'GET' ? [] : ['cross_site']
  if (auth === 'none') return crossSite
  return [
    'unauthorized',
    ...crossSite,
    ...(auth === 'admin' ? (['forbidden'] as const) : []),
    scope === 'session' ? 'api_token_not_allowed' : 'insufficient_scope',
    ...(beforeEnrolment ? [] : (['second_factor_required'] as const)),
  ]
}
