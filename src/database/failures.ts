import { CodedError } from '../lib/errors.ts'

/** Codes of the client library for a lost or failed connection. */
const connectionCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
])

/** The same, as codes of the operating system. */
const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOENT',
  'EACCES',
  'EAGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** SQLSTATEs of temporary failures: https://www.postgresql.org/docs/18/errcodes-appendix.html */
const passingStates = new Set([
  '25P03', // idle_in_transaction_session_timeout
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '53200', // out_of_memory
  '53300', // too_many_connections
  '55P03', // lock_not_available
  '57014', // query_canceled: a statement timeout
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
])

const connectionException = /^08[0-9A-Z]{3}$/
const uniqueViolation = '23505'
const diskFull = '53100'
const retryAfterSeconds = '5'

/** Whether a unique constraint (this one, if named) refused the row. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (codeOf(error) !== uniqueViolation) return false
  return constraint === undefined || Reflect.get(error as Error, 'constraint_name') === constraint
}

/**
 * The error for a failure of the database rather than of a statement: `unavailable` when a retry
 * can help, `disk_full`, or null for everything else.
 */
export function databaseFailure(error: unknown): CodedError | null {
  const code = codeOf(error)
  if (code === null) return null
  if (code === diskFull) {
    return new CodedError('disk_full', { cause: error, details: { disk: 'database' } })
  }
  return isPassing(code, error as Error) ? new DatabaseUnavailable(error) : null
}

/** The database does not answer: 503 with `Retry-After`. */
export class DatabaseUnavailable extends CodedError {
  constructor(reason: unknown) {
    const cause = typeof reason === 'string' ? new Error(reason) : reason
    super('unavailable', { cause, headers: { 'Retry-After': retryAfterSeconds } })
  }
}

/** Nothing was committed, unless the connection was lost while a commit was under way. */
export function connectionLost(): Error {
  return Object.assign(new Error('the connection to the database was lost'), {
    code: 'CONNECTION_CLOSED',
  })
}

function isPassing(code: string, error: Error): boolean {
  if (connectionCodes.has(code) || passingStates.has(code)) return true
  if (connectionException.test(code)) return true
  // Files and other sockets fail with these codes too, but only errors of queries name a query.
  return socketCodes.has(code) && 'query' in error
}

function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || error instanceof CodedError || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}
