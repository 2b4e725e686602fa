import { parseCookies, serializeCookie } from '../http/cookies.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Actor } from '../lib/actor.ts'
import { CodedError } from '../lib/errors.ts'
import type { Auth } from './auth.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Reads and writes the credentials of requests: Bearer tokens and the session cookie. */
export class Credentials {
  readonly #auth: Auth
  readonly #https: boolean
  readonly #cookieName: string

  constructor(auth: Auth, https: boolean) {
    this.#auth = auth
    this.#https = https
    // The prefix makes browsers refuse the cookie unless it is Secure and of this very host.
    this.#cookieName = https ? '__Host-session' : 'session'
  }

  /**
   * An Authorization header decides alone; the cookie counts only when there is none.
   * @throws CodedError unauthorized, cross_site
   */
  async authenticate(exchange: Exchange, accepts: 'user' | 'uploader'): Promise<Actor> {
    const bearer = bearerToken(exchange)
    const token = bearer ?? parseCookies(exchange.header('cookie')).get(this.#cookieName)
    if (!token) throw new CodedError('unauthorized')
    const actor =
      (await this.#auth.findUser(token)) ??
      (accepts === 'uploader' && bearer !== null ? await this.#auth.findUploader(token) : null)
    if (!actor) throw new CodedError('unauthorized')
    if (bearer === null) this.refuseCrossSite(exchange)
    return actor
  }

  /** @throws CodedError cross_site when another site's page caused this unsafe request */
  refuseCrossSite(exchange: Exchange): void {
    if (safeMethods.has(exchange.request.method ?? 'GET')) return
    if (bearerToken(exchange) !== null) return
    if (isCrossSite(exchange)) throw new CodedError('cross_site')
  }

  sessionCookie(token: string): string {
    return serializeCookie(this.#cookieName, token, {
      maxAgeSeconds: this.#auth.sessionLifeMs / 1000,
      secure: this.#https,
    })
  }

  clearedCookie(): string {
    return serializeCookie(this.#cookieName, '', { maxAgeSeconds: 0, secure: this.#https })
  }
}

/**
 * The token of `Authorization: Bearer` (RFC 6750); null without the header, '' for another scheme.
 */
function bearerToken(exchange: Exchange): string | null {
  const header = exchange.header('authorization')
  if (header === undefined) return null
  return /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? ''
}

/** What a visitor of a link presents for it: account credentials are not told from others here. */
export function linkTokens(exchange: Exchange, cookieName: string): string[] {
  const cookie = parseCookies(exchange.header('cookie')).get(cookieName)
  return [bearerToken(exchange), cookie].filter((token): token is string => Boolean(token))
}

/**
 * Browsers say where a request comes from in Sec-Fetch-Site; older ones only in Origin. A request
 * with neither is not a browser's, and carries no cookie that a page could have abused.
 */
function isCrossSite(exchange: Exchange): boolean {
  const fetchSite = exchange.header('sec-fetch-site')
  if (fetchSite !== undefined) return fetchSite !== 'same-origin' && fetchSite !== 'none'
  const origin = exchange.header('origin')
  if (origin === undefined) return false
  const host = URL.canParse(origin) ? new URL(origin).host : ''
  return host !== exchange.header('host')
}
