import { parseCookies, serializeCookie } from '../../http/cookies.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Actor, UserActor } from '../../lib/actor.ts'
import { CodedError } from '../../lib/errors.ts'
import type { CredentialRules, TokenScope } from '../../http/operation.ts'
import type { Settings } from '../../settings/settings.ts'
import type { ApiTokens } from '../api-tokens/api-tokens.ts'
import type { Auth, CredentialHolder } from './sign-in.ts'
import { knownLifeMs, type Client } from './known-clients.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

export interface CredentialsParts {
  readonly auth: Auth
  readonly apiTokens: ApiTokens
  readonly settings: Settings
  readonly https: boolean
}

/** Reads and writes the credentials of requests: Bearer tokens and the session cookie. */
export class Credentials {
  readonly #parts: CredentialsParts
  readonly #cookieName: string
  readonly #deviceCookieName: string

  constructor(parts: CredentialsParts) {
    this.#parts = parts
    // The prefix makes browsers refuse the cookie unless it is Secure and of this very host.
    this.#cookieName = parts.https ? '__Host-session' : 'session'
    this.#deviceCookieName = parts.https ? '__Host-device' : 'device'
  }

  /**
   * An Authorization header decides alone; the cookie counts only when there is none.
   * @throws CodedError unauthorized, cross_site, api_token_not_allowed, insufficient_scope,
   * second_factor_required
   */
  async authenticate(
    exchange: Exchange,
    accepts: 'user' | 'uploader',
    rules: CredentialRules,
  ): Promise<Actor> {
    const bearer = bearerToken(exchange)
    const token = bearer ?? this.#sessionToken(exchange)
    if (!token) throw new CodedError('unauthorized')
    const holder = await this.#findUser(token, bearer !== null, exchange.ip)
    if (!holder) {
      const mayUpload = accepts === 'uploader' && bearer !== null
      const uploader = mayUpload ? await this.#parts.auth.findUploader(token, exchange.ip) : null
      if (!uploader) throw new CodedError('unauthorized')
      return uploader
    }
    if (bearer === null) this.refuseCrossSite(exchange)
    this.#checkRules(holder, rules)
    return holder.actor
  }

  /**
   * The account behind a request that does not need one. A cookie counts only for requests that no
   * other site has caused: pages of other sites must not learn or do more by it than strangers. An
   * API token counts only with the scope.
   */
  async recognise(exchange: Exchange, scope: TokenScope): Promise<UserActor | null> {
    const bearer = bearerToken(exchange)
    const cookie = isCrossSite(exchange) ? undefined : this.#sessionToken(exchange)
    const token = bearer ?? cookie
    const holder = token ? await this.#findUser(token, bearer !== null, exchange.ip) : null
    if (!holder || this.#mustEnrol(holder)) return null
    return (holder.scopes?.includes(scope) ?? true) ? holder.actor : null
  }

  #sessionToken(exchange: Exchange): string | undefined {
    return parseCookies(exchange.header('cookie')).get(this.#cookieName)
  }

  /** API tokens come in the header alone: nobody puts them into a browser. */
  async #findUser(token: string, isBearer: boolean, ip: string): Promise<CredentialHolder | null> {
    const { auth, apiTokens } = this.#parts
    const holder = await auth.findUser(token, ip)
    return holder ?? (isBearer ? await apiTokens.findUser(token, ip) : null)
  }

  #checkRules(holder: CredentialHolder, rules: CredentialRules): void {
    if (holder.scopes !== null) requireScope(holder.scopes, rules.scope)
    if (this.#mustEnrol(holder) && !rules.beforeEnrolment) {
      throw new CodedError('second_factor_required')
    }
  }

  #mustEnrol({ hasSecondFactor }: CredentialHolder): boolean {
    return this.#parts.settings.values.require2FA && !hasSecondFactor
  }

  /** @throws CodedError cross_site when another site's page caused this unsafe request */
  refuseCrossSite(exchange: Exchange): void {
    if (safeMethods.has(exchange.request.method ?? 'GET')) return
    if (bearerToken(exchange) !== null) return
    if (isCrossSite(exchange)) throw new CodedError('cross_site')
  }

  sessionCookie(token: string, lifeMs: number): string {
    return serializeCookie(this.#cookieName, token, {
      maxAgeSeconds: lifeMs / 1000,
      secure: this.#parts.https,
    })
  }

  /** By which a later sign-in from this browser is known; it gives no access. */
  deviceCookie(token: string): string {
    return serializeCookie(this.#deviceCookieName, token, {
      maxAgeSeconds: knownLifeMs / 1000,
      secure: this.#parts.https,
      sameSite: 'Strict',
    })
  }

  /** The client of a sign-in attempt, as it may be known from an earlier one. */
  clientOf(exchange: Exchange): Client {
    const cookies = parseCookies(exchange.header('cookie'))
    return { ip: exchange.ip, deviceToken: cookies.get(this.#deviceCookieName) ?? null }
  }

  clearedCookie(): string {
    return serializeCookie(this.#cookieName, '', { maxAgeSeconds: 0, secure: this.#parts.https })
  }
}

/** @throws CodedError api_token_not_allowed, insufficient_scope */
function requireScope(scopes: readonly TokenScope[], needed: CredentialRules['scope']): void {
  if (needed === undefined || needed === 'login') throw new CodedError('api_token_not_allowed')
  if (scopes.includes(needed)) return
  throw new CodedError('insufficient_scope', { details: { scope: needed } })
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
