import { basePathOf } from '../lib/base-path.ts'

/** Browsers silently drop larger cookies (RFC 6265bis, section 5.6). */
const cookieBytesMax = 4096

/** `token` of RFC 9110, section 5.6.2. */
const tokenPattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** `cookie-octet` of RFC 6265, section 4.1.1: no space, quote, comma, semicolon or backslash. */
const valuePattern = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/

/** Values of a name that are tried: one program of the host sets few with different paths. */
const valuesMax = 4

/** The cookies of this service. Others on the same host, at any port, may set any number. */
export type CookiePurpose =
  'session' | 'device' | 'provider' | 'downloader' | 'unlocked' | 'deliveries'

/**
 * Sets and finds our own cookies. Browsers send a cookie to every port of its host (RFC 6265,
 * section 8.5), so the names end with a tag of this instance: two services on one host, or another
 * program with a `session`, would otherwise sign each other's users out. Below a path, cookies
 * stay out of other applications on the same host.
 */
export class Cookies {
  readonly isSecure: boolean
  readonly #path: string
  readonly #tag: string

  /** @param tag differs between instances; characters of a `token` (RFC 9110, section 5.6.2) */
  constructor({ baseUrl, tag }: { baseUrl: string; tag: string }) {
    this.isSecure = baseUrl.startsWith('https:')
    this.#path = `${basePathOf(baseUrl)}/`
    this.#tag = tag
  }

  /** The value of a `Set-Cookie` header. */
  set(
    purpose: CookiePurpose,
    value: string,
    options: { readonly lifeMs: number; readonly sameSite?: 'Strict' | 'Lax' },
  ): string {
    const { lifeMs, sameSite = 'Lax' } = options
    const maxAgeSeconds = lifeMs / 1000
    return serializeCookie(this.#nameOf(purpose), value, {
      ...this.#scope,
      maxAgeSeconds,
      sameSite,
    })
  }

  clear(purpose: CookiePurpose): string {
    return this.set(purpose, '', { lifeMs: 0 })
  }

  /** Values that may be ours, the likeliest first: at most four. */
  find(header: string | undefined, purpose: CookiePurpose): string[] {
    return findCookies(header, this.#nameOf(purpose))
  }

  /**
   * With the prefix, browsers refuse the cookie unless it is Secure and, for the path `/`, from
   * this very host (RFC 6265bis, section 4.1.3).
   */
  #nameOf(purpose: CookiePurpose): string {
    const name = `transfer_${purpose}_${this.#tag}`
    if (!this.isSecure) return name
    return this.#path === '/' ? `__Host-${name}` : `__Secure-${name}`
  }

  get #scope() {
    return { path: this.#path, secure: this.isSecure }
  }
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
 * The values of a cookie in a `Cookie` header with any number of others, at most four. The one with
 * the longest path comes first (RFC 6265, section 5.4). Malformed ones are ignored; quotes around a
 * value are removed; values are not percent-decoded.
 */
export function findCookies(header: string | undefined, name: string): string[] {
  const values: string[] = []
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals < 0 || pair.slice(0, equals).trim() !== name) continue
    const value = unquote(pair.slice(equals + 1).trim())
    if (valuePattern.test(value)) values.push(value)
    if (values.length === valuesMax) break
  }
  return values
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
