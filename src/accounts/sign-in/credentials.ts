import type { RequestContext } from '../../http/request-context.ts'
import { isOwnOrigin } from '../../http/headers.ts'
import type { Actor, UserActor, TokenScope } from '../../lib/actor.ts'
import { CodedError } from '../../lib/errors.ts'
import type { CredentialRules } from '../../http/operation.ts'
import { findTokenHolder } from '../api-tokens/api-tokens.ts'
import type { CredentialHolder } from './sign-in.ts'
import { knownLifeMs, type Client } from './known-clients.ts'
import type { SignInDeps } from '../deps.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Reads and writes the credentials of requests: Bearer tokens and the session cookie. */
export class Credentials {
  readonly #deps: SignInDeps
  readonly #ownOrigin: string

  constructor(deps: SignInDeps) {
    this.#deps = deps
    this.#ownOrigin = new URL(deps.baseUrl).origin
  }

  /**
   * An Authorization header decides alone; the cookie counts only without one.
   * @throws CodedError unauthorized, cross_site, api_token_not_allowed, insufficient_scope,
   *   second_factor_required
   */
  async authenticate(
    context: RequestContext,
    accepts: 'user' | 'uploader',
    rules: CredentialRules,
  ): Promise<Actor> {
    const bearer = bearerToken(context)
    const holder = await this.#findHolder(context, bearer)
    if (!holder) {
      const mayUpload = accepts === 'uploader' && bearer
      const uploader = mayUpload ? await this.#deps.auth.findUploader(bearer, context.ip) : null
      if (!uploader) throw new CodedError('unauthorized')
      return uploader
    }
    if (bearer === null) this.refuseCrossSite(context)
    this.#checkRules(holder, rules)
    // The scope opens this operation of administrators, and gives none of their other rights.
    if (rules.scope === 'metrics') return { ...holder.actor, isAdmin: holder.isAdministrator }
    return holder.actor
  }

  /**
   * The account behind a request that does not require one. A cookie counts only for requests that
   * no other site has caused, so that pages of other sites gain nothing from it. An API token
   * counts only with the scope.
   * @param isPage other sites may lead to it: the answer is a page, which they cannot read
   */
  async recognise(
    context: RequestContext,
    scope: TokenScope,
    isPage = false,
  ): Promise<UserActor | null> {
    const bearer = bearerToken(context)
    const counts = bearer !== null || isPage || !this.#isCrossSite(context)
    const holder = counts ? await this.#findHolder(context, bearer) : null
    if (!holder || this.#mustEnrol(holder)) return null
    return (holder.scopes?.includes(scope) ?? true) ? holder.actor : null
  }

  /**
   * Whether a browser is signed in: only to choose a page, so other sites may have caused the
   * request.
   */
  async hasSession(context: RequestContext): Promise<boolean> {
    return (await this.#findHolder(context, null)) !== null
  }

  /** A session that the proxy has started does not count once its user there is another one. */
  async #findHolder(
    context: RequestContext,
    bearer: string | null,
  ): Promise<CredentialHolder | null> {
    const holder = await (bearer === null
      ? this.#findByCookie(context)
      : this.#findByBearer(bearer, context.ip))
    const email = holder?.proxyEmail ?? null
    return email === null || this.#deps.proxyUsers.confirms(context, email) ? holder : null
  }

  /** API tokens are accepted only in the header, because browsers never send them. */
  async #findByBearer(token: string, ip: string): Promise<CredentialHolder | null> {
    if (token === '') return null
    return (
      (await this.#deps.auth.findUser(token, ip)) ?? (await findTokenHolder(this.#deps, token, ip))
    )
  }

  async #findByCookie(context: RequestContext): Promise<CredentialHolder | null> {
    const { auth, cookies } = this.#deps
    for (const token of cookies.find(context.header('cookie'), 'session')) {
      const holder = token === '' ? null : await auth.findUser(token, context.ip)
      if (holder) return holder
    }
    return null
  }

  #checkRules(holder: CredentialHolder, rules: CredentialRules): void {
    if (holder.scopes !== null) requireScope(holder.scopes, rules.scope)
    if (this.#mustEnrol(holder) && !rules.beforeEnrolment) {
      throw new CodedError('second_factor_required', {
        details: { operation: 'setupSecondFactor' },
      })
    }
  }

  #mustEnrol({ hasSecondFactor }: CredentialHolder): boolean {
    return this.#deps.settings.values.require2FA && !hasSecondFactor
  }

  /** @throws CodedError cross_site when another site's page caused this unsafe request */
  refuseCrossSite(context: RequestContext): void {
    if (safeMethods.has(context.request.method ?? 'GET')) return
    if (bearerToken(context) !== null) return
    if (this.#isCrossSite(context)) throw new CodedError('cross_site')
  }

  /**
   * Browsers name the origin of a request in Sec-Fetch-Site, older ones and those on plain http
   * only in Origin. A request with neither is not from a browser, and carries no cookie that a page
   * could have abused.
   */
  #isCrossSite(context: RequestContext): boolean {
    const fetchSite = context.header('sec-fetch-site')
    if (fetchSite !== undefined) return fetchSite !== 'same-origin' && fetchSite !== 'none'
    const origin = context.header('origin')
    return origin !== undefined && !isOwnOrigin(origin, context.header('host'), this.#ownOrigin)
  }

  sessionCookie(token: string, lifeMs: number): string {
    return this.#deps.cookies.set('session', token, { lifeMs })
  }

  /** Identifies this browser at a later sign-in; gives no access. */
  deviceCookie(token: string): string {
    return this.#deps.cookies.set('device', token, { lifeMs: knownLifeMs, sameSite: 'Strict' })
  }

  /** The client of a sign-in attempt, which an earlier sign-in may have made known. */
  clientOf(context: RequestContext): Client {
    const deviceTokens = this.#deps.cookies.find(context.header('cookie'), 'device')
    return { ip: context.ip, deviceTokens }
  }

  clearedCookie(): string {
    return this.#deps.cookies.clear('session')
  }
}

/** @throws CodedError api_token_not_allowed, insufficient_scope */
function requireScope(scopes: readonly TokenScope[], needed: CredentialRules['scope']): void {
  if (needed === undefined || needed === 'session') throw new CodedError('api_token_not_allowed')
  if (scopes.includes(needed)) return
  throw new CodedError('insufficient_scope', { details: { scope: needed } })
}

/**
 * The token of `Authorization: Bearer` (RFC 6750); null without the header, '' for another scheme.
 */
export function bearerToken(context: RequestContext): string | null {
  const header = context.header('authorization')
  if (header === undefined) return null
  return /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? ''
}
