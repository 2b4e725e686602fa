import { basePathOf } from '../lib/base-path.ts'

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

  /**
   * The value of a `Set-Cookie` header.
   * @param value cookie characters alone: base64url, hex, a JWT
   */
  set(
    purpose: CookiePurpose,
    value: string,
    options: { readonly lifeMs: number; readonly sameSite?: 'Strict' | 'Lax' },
  ): string {
    const { lifeMs, sameSite = 'Lax' } = options
    return [
      `${this.#nameOf(purpose)}=${value}`,
      `Path=${this.#path}`,
      `Max-Age=${lifeMs / 1000}`,
      ...(lifeMs === 0 ? ['Expires=Thu, 01 Jan 1970 00:00:00 GMT'] : []),
      'HttpOnly',
      `SameSite=${sameSite}`,
      ...(this.isSecure ? ['Secure'] : []),
    ].join('; ')
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

function unquote(value: string): string {
  const isQuoted = value.length >= 2 && value.startsWith('"') && value.endsWith('"')
  return isQuoted ? value.slice(1, -1) : value
}
