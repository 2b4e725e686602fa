/**
 * Every error a client can be answered with: one code, one status, one sentence.
 * Rules throw `new CodedError(code)`; http/listener.ts answers it, in one place.
 */
export const errorTable = {
  // 400: the request itself
  bad_request: [400, 'The request could not be read.'],
  invalid_input: [400, 'A field of the request is not valid.'],
  invalid_json: [400, 'The body is not valid JSON.'],
  invalid_content_type: [400, 'This content type is not accepted here.'],
  invalid_multipart: [400, 'The multipart body is not valid.'],
  incomplete_body: [400, 'The body ended before it was complete.'],
  hash_mismatch: [400, 'The bytes received do not match the digest sent with them.'],
  incomplete_upload: [400, 'Some chunks have not arrived.'],
  size_mismatch: [400, 'The bytes received do not add up to the size given.'],
  blocked_extension: [400, 'Files of this kind are not accepted here.'],
  extension_not_allowed: [400, 'Only files of certain kinds are accepted here.'],
  wrong_current_password: [400, 'The current password is wrong.'],
  wrong_second_factor: [400, 'The code is wrong or was used already.'],
  unlisted: [400, 'Chunks have arrived for files that the list does not name.'],
  // 401, 403: who is asking
  unauthorized: [401, 'Log in first.'],
  wrong_credentials: [401, 'The e-mail address or the password is wrong.'],
  wrong_code: [401, 'The password or the code is wrong, or the code was used already.'],
  wrong_password: [401, 'The password is wrong.'],
  password_required: [401, 'This share is protected: verify its password first.'],
  forbidden: [403, 'Only an administrator may do this.'],
  cross_site: [403, 'A request from another site cannot use this login.'],
  not_a_script: [403, 'This file may be downloaded, but not run: it is not part of this site.'],
  api_token_not_allowed: [403, 'An API token cannot do this: log in.'],
  confirmation_required: [403, 'Give your password again first: POST /api/auth/confirm.'],
  insufficient_scope: [403, 'This API token lacks the scope for this: make one that has it.'],
  second_factor_required: [403, 'Set up a second factor first: this service requires one.'],
  wrong_setup_token: [403, 'The setup token is wrong.'],
  wrong_reset_token: [403, 'The link was used or is over an hour old: ask for a new one.'],
  wrong_invitation: [403, 'The invitation was used, replaced, or is over 7 days old: ask anew.'],
  // 404 to 416: the thing asked for
  not_found: [404, 'There is nothing here.'],
  method_not_allowed: [405, 'This method is not allowed here.'],
  request_timeout: [408, 'The request did not arrive in time.'],
  already_complete: [409, 'The share is complete already.'],
  already_set_up: [409, 'The service has an administrator already.'],
  mail_not_configured: [409, 'Mail is not configured: set smtpHost and smtpFrom.'],
  slug_taken: [409, 'This address is taken: choose another.'],
  conflict: [409, 'This conflicts with something that exists already.'],
  second_factor_enabled: [409, 'The account has a second factor already.'],
  no_second_factor: [409, 'The account has no second factor.'],
  own_second_factor: [409, 'Disable your own second factor with your password and a code.'],
  too_many_tokens: [409, 'The account has as many API tokens as it may have.'],
  too_many_contacts: [409, 'The account has as many contacts as it may have.'],
  last_administrator: [409, 'The last administrator must stay one.'],
  expired: [410, 'The link has expired.'],
  file_damaged: [410, 'The file is damaged on the server and cannot be downloaded.'],
  closed: [410, 'The link has taken the one delivery that it was for.'],
  download_limit: [410, 'The download limit of this link has been reached.'],
  precondition_failed: [412, 'This has changed since the version the request was made for.'],
  payload_too_large: [413, 'The body is too large.'],
  share_too_large: [413, 'The share would become larger than allowed.'],
  file_too_large: [413, 'The file is larger than allowed.'],
  quota_exceeded: [413, 'The quota of the account is used up.'],
  too_many_rewrites: [413, 'Too many chunks of this share were sent again: start a new share.'],
  range_not_satisfiable: [416, 'The range lies outside the file.'],
  expectation_failed: [417, 'This expectation cannot be met.'],
  rate_limited: [429, 'Too many requests: try again later.'],
  headers_too_large: [431, 'The header fields are too large.'],
  // 5xx: our side
  internal: [500, 'Something went wrong on our side.'],
  unavailable: [503, 'The service cannot do this right now: try again in a moment.'],
  disk_full: [507, 'The disk of the service is full.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type ErrorCode = keyof typeof errorTable

export const errorCodes = Object.keys(errorTable) as ErrorCode[]

export interface ErrorOptions {
  /** Replaces the table's sentence. Shown to the client: no paths, SQL or secrets. */
  message?: string
  /** Extra fields of the answer, beside `error` and `code`. */
  details?: Record<string, unknown>
  headers?: Record<string, string>
  /** What really happened: for the log only. */
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

/** 400 that names the field and what is wrong with it. */
export function invalidInput(field: string, problem: string): CodedError {
  return new CodedError('invalid_input', { message: `${field}: ${problem}`, details: { field } })
}

/** True when `error` is a system error with this code, as in `isSystemError(error, 'ENOENT')`. */
export function isSystemError(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** 503 when the process or the machine has no descriptor left for another file; else null. */
export function descriptorShortage(error: unknown): CodedError | null {
  if (!isSystemError(error, 'EMFILE', 'ENFILE')) return null
  return new CodedError('unavailable', { cause: error, headers: { 'Retry-After': '5' } })
}
