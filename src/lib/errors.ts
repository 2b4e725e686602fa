/**
 * Every error that a client can receive: one code, one status, one sentence. Rules throw `new
 * CodedError(code)`; http/listener.ts answers it, in one place.
 */
export const errorTable = {
  // 400: the request itself
  bad_request: [400, 'The request could not be read.'],
  invalid_input: [400, 'A field of the request is invalid.'],
  invalid_json: [400, 'The body is not valid JSON.'],
  invalid_content_type: [400, 'This content type is not supported here.'],
  invalid_multipart: [400, 'The multipart body is not valid.'],
  invalid_tar: [400, 'The tar archive is not valid.'],
  incomplete_body: [400, 'The body is incomplete.'],
  hash_mismatch: [400, 'The received bytes do not match their digest.'],
  incomplete_upload: [400, 'Some chunks are missing.'],
  size_mismatch: [400, 'The received bytes do not add up to the given size.'],
  blocked_extension: [400, 'This file type is not allowed.'],
  extension_not_allowed: [400, 'Only certain file types are allowed.'],
  wrong_logout_token: [400, 'The logout token is not valid.'],
  wrong_current_password: [400, 'The current password is wrong.'],
  wrong_second_factor: [400, 'The code is wrong or was already used.'],
  unlisted: [400, 'Some received chunks belong to files that are not in the list.'],
  // 401, 403: credentials and rights
  unauthorized: [401, 'Sign in first.'],
  wrong_credentials: [401, 'The email address or the password is wrong.'],
  wrong_code: [401, 'The password or the code is wrong, or the code was already used.'],
  wrong_passkey: [401, 'The passkey was not accepted. Try again, or use your password.'],
  password_sign_in_off: [401, 'This service does not accept passwords. Use its sign-in provider.'],
  wrong_password: [401, 'The password is wrong.'],
  proof_required: [401, 'This link is for one person. Show first that it is for you.'],
  password_required: [401, 'This share is protected. Verify its password first.'],
  forbidden: [403, 'Only administrators can do this.'],
  cross_site: [403, 'Requests from other sites cannot use this session.'],
  not_a_script: [403, 'This file can be downloaded, but not run as part of this site.'],
  api_token_not_allowed: [403, 'API tokens cannot do this. Sign in instead.'],
  wrong_proxy_user: [403, 'The proxy does not name one user who can sign in here.'],
  confirmation_required: [403, 'Confirm that it is you first: POST /api/auth/confirm.'],
  insufficient_scope: [403, 'This API token lacks the required scope. Create one that has it.'],
  sharing_not_allowed: [403, 'The sender was told that these files go only to you.'],
  second_factor_required: [
    403,
    'This service requires a second factor. Set one up first: POST /api/auth/2fa/setup.',
  ],
  sign_in_expired: [403, 'This sign-in has expired or was used in another browser. Start again.'],
  provider_refused: [403, 'The sign-in provider has not confirmed who you are. Try again.'],
  email_not_verified: [403, 'The sign-in provider knows no verified email address of yours.'],
  no_account: [403, 'You have no account here. Ask the administrator for one.'],
  account_exists: [
    403,
    'Your account is not linked to this provider. Sign in another way, and link it there.',
  ],
  account_disabled: [403, 'This account is disabled. Ask the administrator.'],
  account_waiting: [403, 'An administrator has to approve your account first.'],
  sign_up_off: [403, 'This service accepts no sign-ups. Ask the administrator for an account.'],
  wrong_sign_up_link: [403, 'This link is no longer valid. Sign up again.'],
  wrong_setup_token: [403, 'The setup token is wrong.'],
  wrong_reset_token: [403, 'This link is no longer valid. Request a new one.'],
  wrong_invitation: [403, 'This invitation is no longer valid. Ask for a new one.'],
  // 404 to 416: the requested resource
  not_found: [404, 'There is nothing here.'],
  method_not_allowed: [405, 'This method is not allowed here.'],
  request_timeout: [408, 'The request took too long to arrive.'],
  already_complete: [409, 'The share is already complete.'],
  already_set_up: [409, 'The service already has an administrator.'],
  mail_not_configured: [409, 'Email is not set up. Set smtpHost and smtpFrom.'],
  slug_taken: [409, 'This custom link is already taken. Choose another one.'],
  conflict: [409, 'This conflicts with something that already exists.'],
  second_factor_enabled: [409, 'The account already has a second factor.'],
  sign_up_used: [409, 'An account with this address already exists. Sign in.'],
  too_many_sign_ups: [409, 'Too many people wait for approval. Try again in a few days.'],
  no_second_factor: [409, 'The account has no second factor.'],
  own_second_factor: [409, 'Turn off your own second factor with your password and a code.'],
  last_sign_in: [409, 'You could not sign in any more. Set a password or add a passkey first.'],
  no_other_sign_in: [409, 'No sign-in would be left. Add a provider and test it first.'],
  identity_taken: [409, 'This identity belongs to another account.'],
  provider_unreachable: [
    409,
    'The sign-in provider does not answer. Try again, or sign in another way.',
  ],
  last_factor: [409, 'This service requires a second factor. Add another one first.'],
  https_required: [409, 'Passkeys need https and a host name. Change BASE_URL.'],
  too_many_passkeys: [409, 'The account has reached its limit of passkeys. Remove one first.'],
  too_many_tokens: [409, 'The account has reached its limit of API tokens. Revoke one first.'],
  too_many_contacts: [409, 'The account has reached its limit of contacts. Remove one first.'],
  too_many_thumbnails: [409, 'This upload has reached its limit of thumbnails.'],
  last_administrator: [409, 'The service needs at least one administrator.'],
  expired: [410, 'The link has expired.'],
  file_damaged: [410, 'The file is damaged on the server and cannot be downloaded.'],
  closed: [410, 'This link took a single delivery and is now closed.'],
  download_limit: [410, 'The download limit of this link has been reached.'],
  precondition_failed: [412, 'This has changed since you read it. Reload it first.'],
  payload_too_large: [413, 'The body is too large.'],
  share_too_large: [413, 'The share would exceed its size limit.'],
  file_too_large: [413, 'The file exceeds the size limit.'],
  quota_exceeded: [413, 'The quota of the account is used up.'],
  too_many_rewrites: [413, 'Too many chunks of this share were sent again. Start a new share.'],
  not_a_jpeg: [
    415,
    'A thumbnail must be one JPEG of at most 640 by 640 pixels and 12 scans, sent as image/jpeg.',
  ],
  range_not_satisfiable: [416, 'The range is outside the file.'],
  expectation_failed: [417, 'This expectation is not supported.'],
  rate_limited: [429, 'Too many requests. Try again later.'],
  headers_too_large: [431, 'The header fields are too large.'],
  // 5xx: our side
  internal: [500, 'Something went wrong on the server.'],
  unavailable: [503, 'The service cannot do this right now. Try again in a moment.'],
  disk_full: [507, 'The disk of the service is full.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type ErrorCode = keyof typeof errorTable

export const errorCodes = Object.keys(errorTable) as ErrorCode[]

export interface ErrorOptions {
  /** Replaces the table's sentence. Sent to the client: no paths, SQL or secrets. */
  message?: string
  /** Extra fields of the answer, next to `error` and `code`. */
  details?: Record<string, unknown>
  headers?: Record<string, string>
  /** The real cause, only for the log. */
  cause?: unknown
}

export class CodedError extends Error {
  readonly code: ErrorCode
  readonly details: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, options: ErrorOptions = {}) {
    const cause = 'cause' in options ? { cause: options.cause } : undefined
    super(options.message ?? errorTable[code][1], cause)
    this.name = 'CodedError'
    this.code = code
    this.details = options.details ?? {}
    this.headers = options.headers ?? {}
  }

  get status(): number {
    return errorTable[this.code][0]
  }
}

/** 400 that names the field and its problem. */
export function invalidInput(field: string, problem: string): CodedError {
  return new CodedError('invalid_input', { message: `${field}: ${problem}`, details: { field } })
}

/** 503 for a client that may try again after this time; the cause is for the log. */
export function unavailable(retryAfterSeconds: number, cause?: unknown): CodedError {
  const headers = { 'Retry-After': String(retryAfterSeconds) }
  return new CodedError('unavailable', cause === undefined ? { headers } : { headers, cause })
}

/** @throws CodedError with this code */
export function requireFound<Found extends object>(
  found: Found | null,
  code: ErrorCode = 'not_found',
): Found {
  if (!found) throw new CodedError(code)
  return found
}

/** True for a system error with one of these codes, as in `isSystemError(error, 'ENOENT')`. */
export function isSystemError(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** What a call returns; undefined when it fails with a system error that has one of these codes. */
export function unlessError<T>(codes: readonly string[], call: () => T): T | undefined {
  try {
    return call()
  } catch (error) {
    if (isSystemError(error, ...codes)) return undefined
    throw error
  }
}

/** What went wrong, without the name of an error's class: a coded error tells only its cause. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof CodedError && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}

/** 503 when the process or the machine has run out of file descriptors; otherwise null. */
export function descriptorShortage(error: unknown): CodedError | null {
  if (!isSystemError(error, 'EMFILE', 'ENFILE')) return null
  return unavailable(5, error)
}
