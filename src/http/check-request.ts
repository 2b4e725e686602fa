import type { IncomingMessage } from 'node:http'
import { CodedError } from '../lib/errors.ts'

/**
 * Header fields of a request. Browsers send 20 to 30, proxies add as many. Each costs far more
 * memory than its bytes, so that the 16 KiB of a head are no bound.
 */
export const headerFieldsMax = 200
/** Node keeps the first of two, and a proxy may have judged the other (RFC 9110 section 5.3). */
const singleFields = new Set(['host', 'authorization', 'content-type', 'transfer-encoding'])

/** The target as `withoutBasePath` leaves it. */
export function splitTarget(target: string): { path: string; search: URLSearchParams } {
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  const query = mark === -1 ? '' : target.slice(mark + 1)
  if (path !== '' && !path.startsWith('/')) throw new CodedError('not_found')
  return { path, search: new URLSearchParams(query) }
}

export const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD'

/**
 * Errors of requests that Node accepts (RFC 9112 sections 2.3, 3.2 and 6.1, RFC 6585 section 5).
 */
export function checkRequest({ httpVersion, rawHeaders }: IncomingMessage): CodedError | null {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return malformed('Send HTTP/1.1 or HTTP/1.0.')
  // Node leaves out the fields above `maxHeadersCount`, in steps of 32.
  if (rawHeaders.length > 2 * headerFieldsMax) {
    const message = `A request can have ${headerFieldsMax} header fields.`
    return new CodedError('headers_too_large', { message, headers: { Connection: 'close' } })
  }
  const found = new Set<string>()
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const [given = '', value = ''] = rawHeaders.slice(place, place + 2)
    const name = given.toLowerCase()
    if (found.has(name) && singleFields.has(name)) {
      return malformed(`The request has more than one ${given} header.`)
    }
    found.add(name)
    if (name !== 'transfer-encoding') continue
    if (httpVersion === '1.0') return malformed('HTTP/1.0 has no Transfer-Encoding.')
    if (value.trim().toLowerCase() !== 'chunked') {
      return malformed('Send Transfer-Encoding: chunked, and no other encoding.')
    }
  }
  if (!found.has('host') && httpVersion === '1.1')
    return malformed('The request has no Host header.')
  return null
}

/** After a request like that, the bytes that follow cannot be trusted as requests. */
function malformed(message: string): CodedError {
  return new CodedError('bad_request', { message, headers: { Connection: 'close' } })
}
