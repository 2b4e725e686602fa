import { hashToken } from '../../lib/random-id.ts'
import { minuteMs } from '../../lib/clock.ts'
import type { UserActor } from '../../lib/actor.ts'
import { CodedError } from '../../lib/errors.ts'
import type { AccountDeps, SignInDeps } from '../deps.ts'
import { useChallenge } from '../passkeys/sql.ts'
import { requireSession } from '../sign-in/sign-in.ts'
import { targetOf } from '../users/users.ts'
import { isId, reasonsOf } from './exchange.ts'
import * as rows from './sql.ts'

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
/** How long before now a logout token may have been made, and its `jti` is remembered. */
const tokenLifeMs = 5 * minuteMs
const aheadMsMax = minuteMs

type Deps = SignInDeps & Pick<AccountDeps, 'providers' | 'providerClients'>

/** A logout token that was checked. */
interface Ended {
  readonly subject: string | null
  readonly providerSession: string | null
  /** Its `jti` at this issuer. */
  readonly hash: Buffer
}

/**
 * Ends the actor's session.
 * @returns the page on which its provider ends its own (OpenID Connect RP-Initiated Logout 1.0,
 *   section 2); null without one
 */
export async function signOut(deps: Deps, actor: UserActor): Promise<string | null> {
  const { auth, database } = deps
  const provider = await rows.findProviderOfSession(database.sql, requireSession(actor))
  await auth.logout(actor)
  return provider && endOf(deps, provider)
}

/**
 * Ends the sessions that a logout token names (OpenID Connect Back-Channel Logout 1.0).
 * @throws CodedError not_found, wrong_logout_token, provider_unreachable
 */
export async function end(deps: Deps, providerId: string, token: string, ip: string) {
  const { database, audit, providers, clock } = deps
  const provider = await providers.find(providerId)
  const { hash, ...ended } = await check(deps, provider, token)
  const expiresAt = new Date(clock.now() + tokenLifeMs + aheadMsMax)
  await database.begin(async (sql) => {
    if (!(await useChallenge(sql, hash, expiresAt))) throw new CodedError('wrong_logout_token')
    const { id, issuer } = provider
    const sessions = { providerId: id, issuer, ...ended }
    await rows.endUploadTokensOfProvider(sql, sessions)
    const accounts = await rows.endProviderSessions(sql, sessions)
    const actor = { kind: 'anonymous', ip } as const
    for (const { userId, email } of accounts) {
      const target = targetOf({ id: userId, email })
      await audit.record(sql, actor, 'session.ended_by_provider', target, { provider: id })
    }
  })
}

/** Section 2.6. */
async function check(deps: Deps, provider: rows.Provider, token: string): Promise<Ended> {
  const { providerClients, clock, log } = deps
  try {
    const claims = await providerClients.verify(provider, token)
    const { iat, jti, sub, sid, nonce } = claims
    const events = claims['events'] as Readonly<Record<string, unknown>> | undefined
    const event = events?.[logoutEvent]
    const ageMs = clock.now() - (iat ?? 0) * 1000
    if (!isId(jti)) throw new Error('no jti')
    if (typeof event !== 'object' || event === null) throw new Error('no logout event')
    if (nonce !== undefined) throw new Error('has a nonce, as ID tokens have')
    if (!(ageMs < tokenLifeMs && ageMs > -aheadMsMax)) throw new Error('too old')
    const [subject, providerSession] = [sub, sid].map((id) => (isId(id) ? id : null))
    if (!subject && !providerSession) throw new Error('names no account or session')
    const hash = hashToken(`logout ${provider.issuer} ${jti}`)
    return { subject: subject ?? null, providerSession: providerSession ?? null, hash }
  } catch (cause) {
    if (cause instanceof CodedError) throw cause
    log.info('logout token refused', { provider: provider.id, reason: reasonsOf(cause) })
    throw new CodedError('wrong_logout_token')
  }
}

/** Signing out must not fail with the provider. */
async function endOf(deps: Deps, provider: rows.Provider): Promise<string | null> {
  const metadata = await deps.providerClients.metadata(provider.issuer).catch(() => null)
  const address = metadata?.end_session_endpoint
  if (address === undefined) return null
  const url = new URL(address)
  url.searchParams.set('client_id', provider.clientId)
  url.searchParams.set('post_logout_redirect_uri', `${deps.baseUrl}/login`)
  return url.href
}
