import { MIMEType } from 'node:util'

/** The longest types in use have 130 characters, boundaries at most 70 (RFC 2046). */
const charactersMax = 256

/**
 * The value of a parameter of a `Content-Type` (RFC 9110 section 8.3.1), without its quotes; null
 * when the type is malformed, has more than 256 characters or no such parameter. The bound comes
 * first, because `MIMEType` takes quadratic time: half a second for 15,000 blanks.
 */
export function typeParameter(contentType: string, name: string): string | null {
  if (contentType.length > charactersMax) return null
  try {
    return new MIMEType(contentType).params.get(name)
  } catch {
    return null
  }
}
