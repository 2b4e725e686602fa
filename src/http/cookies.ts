import { basePathOf } from '../lib/base-path.ts'

/** More than a browser would send; a request with 10,000 must not cost 10,000 entries. */
const cookiesMax = 50

/** Browsers silently drop larger cookies (RFC 6265bis, section 5.6). */
const cookieBytesMax = 4096

/** `token` of RFC 9110, section 5.6.2. */
const tokenPattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** `cookie-octet` of RFC 6265, section 4.1.1: no space, quote, comma, semicolon or backslash. */
const valuePattern = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/

/** Attributes that all cookies of a service share. */
export type CookieScope = Required<Pick<CookieOptions, 'path' | 'secure'>>

/**
 * Below a path, cookies stay out of other applications on the same host.
 * @param baseUrl BASE_URL
 */
export function cookieScopeOf(baseUrl: string): CookieScope {
  return { path: `${basePathOf(baseUrl)}/`, secure: baseUrl.startsWith('https:') }
}

/**
 * With the prefix, browsers refuse the cookie unless it is Secure and, for the path `/`, from this
 * very host (RFC 6265bis, section 4.1.3).
 */
export function prefixedName(name: string, { path, secure }: CookieScope): string {
  if (!secure) return name
  return path === '/' ? `__Host-${name}` : `__Secure-${name}`
}

export interface CookieOptions {
  /** 0 deletes the cookie; when absent, the cookie lives until the browser is closed. */
  maxAgeSeconds?: number
  /** Default `/`. */
  path?: string
  /** Default true. */
  httpOnly?: boolean
  /** Default `Lax`. */
  sameSite?: 'Strict' | 'Lax' | 'None'
  /** Default false: the service may run on plain http. */
  secure?: boolean
}

/**
 * The cookies of a `Cookie` header, at most 50. Of two with the same name the first wins, which is
 * the one with the longer path (RFC 6265, section 5.4). Malformed ones are ignored; quotes around a
 * value are removed; values are not percent-decoded.
 */
export function parseCookies(header: string | undefined): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of (header ?? '').split(';')) {
    if (cookies.size >= cookiesMax) break
    const equals = pair.indexOf('=')
    if (equals < 0) continue
    const name = pair.slice(0, equals).trim()
    const value = unquote(pair.slice(equals + 1).trim())
    if (!tokenPattern.test(name) || !valuePattern.test(value)) continue
    if (!cookies.has(name)) cookies.set(name, value)
  }
  return cookies
}

/**
 * The value of one `Set-Cookie` header. To delete a cookie, send it with the same path and
 * `maxAgeSeconds: 0`.
 *
 * Throws an Error for input that a browser would refuse or misread, which is a programming error.
 * Values must consist of cookie characters: base64url, hex, a JWT.
 */
export function serializeCookie(name: string, value: string, options: CookieOptions = {}): string {
  const { maxAgeSeconds, path = '/', httpOnly = true, sameSite = 'Lax', secure = false } = options
  checkPair(name, value)
  checkAttributes(name, { path, sameSite, secure })
  const parts = [`${name}=${value}`, `Path=${path}`]
  if (maxAgeSeconds !== undefined) {
    if (!Number.isSafeInteger(maxAgeSeconds) || maxAgeSeconds < 0) {
      throw new Error(`cookie ${name}: maxAgeSeconds ${maxAgeSeconds} is not a whole number >= 0`)
    }
    parts.push(`Max-Age=${maxAgeSeconds}`)
    if (maxAgeSeconds === 0) parts.push('Expires=Thu, 01 Jan 1970 00:00:00 GMT')
  }
  if (httpOnly) parts.push('HttpOnly')
  parts.push(`SameSite=${sameSite}`)
  if (secure) parts.push('Secure')
  return parts.join('; ')
}

function checkPair(name: string, value: string): void {
  if (!tokenPattern.test(name)) throw new Error(`cookie name ${JSON.stringify(name)} is no token`)
  // The value may be a secret, so the message does not repeat it.
  if (!valuePattern.test(value)) throw new Error(`cookie ${name}: its value needs encoding`)
  if (name.length + value.length > cookieBytesMax) {
    throw new Error(`cookie ${name}: name and value exceed ${cookieBytesMax} bytes`)
  }
}

function checkAttributes(
  name: string,
  { path, sameSite, secure }: Required<Pick<CookieOptions, 'path' | 'sameSite' | 'secure'>>,
): void {
  if (!/^\/[\x20-\x3a\x3c-\x7e]*$/.test(path)) {
    throw new Error(`cookie ${name}: path ${JSON.stringify(path)} is not valid`)
  }
  if (sameSite === 'None' && !secure) throw new Error(`cookie ${name}: SameSite=None needs Secure`)
  if (/^__(secure|host)-/i.test(name) && !secure) {
    throw new Error(`cookie ${name}: its prefix needs Secure`)
  }
  if (/^__host-/i.test(name) && path !== '/') {
    throw new Error(`cookie ${name}: its prefix needs the path /`)
  }
}

function unquote(value: string): string {
  const isQuoted = value.length >= 2 && value.startsWith('"') && value.endsWith('"')
  return isQuoted ? value.slice(1, -1) : value
}
