import type { Operation } from '../../http/operation.ts'
import type { ErrorCode } from '../../lib/errors.ts'

/** What any request can meet before, or whatever, its operation does. */
const always: readonly ErrorCode[] = [
  'bad_request',
  'method_not_allowed',
  'request_timeout',
  'expectation_failed',
  'headers_too_large',
  'internal',
  'unavailable',
  // The database may find its disk full at whatever it writes, and it writes at reads too.
  'disk_full',
]
const bodyErrors: readonly ErrorCode[] = [
  'invalid_input',
  'invalid_content_type',
  'incomplete_body',
  'payload_too_large',
]

/**
 * Every error an operation can be answered with: those it declares, and those that http/run.ts, the
 * credentials and the readers of bodies find by themselves. In the order of their statuses' table.
 */
export function possibleErrors(operation: Operation): ReadonlySet<ErrorCode> {
  return new Set<ErrorCode>([
    ...always,
    ...operation.errors,
    ...whoErrors(operation),
    ...(operation.path.includes('{') ? (['not_found'] as const) : []),
    ...(operation.query ? (['invalid_input'] as const) : []),
    ...(operation.body ? bodyErrors : []),
    ...(operation.body?.kind === 'multipart' ? (['invalid_multipart'] as const) : []),
    ...(operation.body && operation.body.kind !== 'multipart' ? (['invalid_json'] as const) : []),
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
    scope === 'login' ? 'api_token_not_allowed' : 'insufficient_scope',
    ...(beforeEnrolment ? [] : (['second_factor_required'] as const)),
  ]
}
