import type { IncomingMessage } from 'node:http'
import { CodedError } from '../lib/errors.ts'

/**
 * Header fields of a request, as of Apache. Browsers send 20 to 30. Each costs far more memory than
 * its bytes, so that the 16 KiB of a head are no bound.
 */
export const headerFieldsMax = 100

/** The target as `withoutBasePath` leaves it. */
export function splitTarget(target: string): { path: string; search: URLSearchParams } {
  const [path = '', query = ''] = target.split('?', 2)
  if (path !== '' && !path.startsWith('/')) throw new CodedError('not_found')
  return { path, search: new URLSearchParams(query) }
}

export const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD'

/** Errors of requests that Node accepts (RFC 9112 sections 2.3 and 3.2, RFC 6585 section 5). */
export function checkRequest({ httpVersion, rawHeaders }: IncomingMessage): CodedError | null {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return malformed('Send HTTP/1.1 or HTTP/1.0.')
  // Node leaves out the fields above `maxHeadersCount`, in steps of 32.
  if (rawHeaders.length > 2 * headerFieldsMax) {
    const message = `A request can have ${headerFieldsMax} header fields.`
    return new CodedError('headers_too_large', { message, headers: { Connection: 'close' } })
  }
  const isHost = (name: string, place: number) => place % 2 === 0 && name.toLowerCase() === 'host'
  const hosts = rawHeaders.filter(isHost).length
  if (hosts > 1) return malformed('The request has more than one Host header.')
  if (hosts === 0 && httpVersion === '1.1') return malformed('The request has no Host header.')
  return null
}

/** After a request like that, the bytes that follow cannot be trusted as requests. */
function malformed(message: string): CodedError {
  return new CodedError('bad_request', { message, headers: { Connection: 'close' } })
}
