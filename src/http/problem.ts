import { STATUS_CODES } from 'node:http'
import type { ErrorCode } from '../lib/errors.ts'
import type { ErrorForm } from './send.ts'

/**
 * Errors as problem details (RFC 9457), with an additional code.
 * @param typeBase prefix of a code in the `type` address
 * @param hints what to do about an error, where there is something
 */
export function problemErrors(
  typeBase: string,
  hints: Partial<Record<ErrorCode, string>>,
): ErrorForm {
  return {
    contentType: 'application/problem+json; charset=utf-8',
    body({ code, status, message }) {
      const hint = hints[code]
      return {
        type: `${typeBase}${code}`,
        title: STATUS_CODES[status] ?? 'Error',
        status,
        detail: message,
        code,
        ...(hint ? { resolution_hint: hint } : {}),
      }
    },
  }
}
