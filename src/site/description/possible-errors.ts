import type { Operation } from '../../http/operation.ts'
import type { ErrorCode } from '../../lib/errors.ts'

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
export function possibleErrors(operation: Operation): ReadonlySet<ErrorCode> {
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
