import { STATUS_CODES } from 'node:http'
import type { ErrorCode } from '../lib/errors.ts'
import type { ErrorForm } from './send.ts'

/**
 * Errors as problem details (RFC 9457), with the code beside the fields of the RFC.
 * @param typeBase what a code is put behind to make the address of its kind
 * @param hints what to do about it, where there is something
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
