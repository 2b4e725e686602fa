import type { Sql } from '../../database/connect.ts'
import { system, type UserActor } from '../../lib/actor.ts'
import { domainOf } from '../../lib/email-address.ts'
import { CodedError, requireFound } from '../../lib/errors.ts'
import { randomRowId } from '../../lib/random-id.ts'
import type { AccountDeps, SignInDeps, AccountBasis } from '../deps.ts'
import { lockOwnAccount } from '../own-account/own-account.ts'
import { useChallenge, countPasskeys } from '../passkeys/sql.ts'
import { deleteResetsOf } from '../reset/sql.ts'
import { sayProof, type SecondFactorProof } from '../second-factor/second-factor.ts'
import { requireSession } from '../sign-in/sign-in.ts'
import type { SecondStepMethod, SignInOrigin, StartedSession } from '../sign-in/sign-in.ts'
import * as users from '../users/sql.ts'
import type { UserChange } from '../users/users.ts'
import { type Verified, addressOf, redeem } from './exchange.ts'
import { isProvenIn, useOf, type Flow, type Purpose } from './flows.ts'
import * as rows from './sql.ts'
import { endUploadTokensOf } from '../sign-in/sql.ts'

type Deps = SignInDeps & Pick<AccountDeps, 'providers' | 'providerClients' | 'flows'>

export type Outcome =
  | { readonly kind: 'signed_in'; readonly session: StartedSession }
  | {
      readonly kind: 'second_step'
      readonly methods: readonly SecondStepMethod[]
      readonly cookie: string
    }
  | { readonly kind: 'linked' }

/** An account that an identity belongs to, or will belong to. */
interface Found {
  readonly user: users.User
  /** Null for an identity that is linked now. */
  readonly identityId: string | null
}

interface Entry {
  readonly provider: rows.Provider
  readonly verified: Verified
  readonly origin: SignInOrigin
  /** Null before the account has asked for it. */
  readonly proof: SecondFactorProof | null
}

/** Signs in with a provider, and links identities to accounts. */
export class ProviderSignIn {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * Begins a sign-in.
   * @param returnTo a path of this service
   * @returns the page of the provider, and the cookie with which its answer has to come
   * @throws CodedError not_found, provider_unreachable, provider_refused
   */
  async start(
    providerId: string,
    wanted: Pick<Flow, 'returnTo' | 'isRemembered' | 'asksAgain' | 'purpose'>,
  ): Promise<{ url: string; cookie: string }> {
    const provider = await this.#deps.providers.find(providerId)
    const { flow, cookie } = this.#deps.flows.begin({ providerId, ...wanted })
    return { url: await addressOf(this.#deps, provider, flow), cookie }
  }

  /**
   * Takes the provider's answer to a flow, once.
   * @throws CodedError sign_in_expired, provider_unreachable, provider_refused,
   *   email_not_verified, no_account, account_exists, account_disabled, identity_taken
   */
  async answer(flow: Flow, search: URLSearchParams, origin: SignInOrigin): Promise<Outcome> {
    const { database, providers, audit, auth, flows } = this.#deps
    try {
      if (!(await useChallenge(database.sql, ...useOf(flow)))) throw expired()
      const provider = await providers.find(flow.providerId)
      const { verified } = await redeem(this.#deps, provider, flow, search)
      if (flow.asksAgain && !isProvenIn(flow, verified)) throw new CodedError('provider_refused')
      if (flow.purpose.kind === 'link') return await this.#link(flow.purpose, verified, origin)
      const entered = await this.#enter({ provider, verified, origin, proof: null })
      if (!('methods' in entered)) return { kind: 'signed_in', session: entered }
      const { methods, userId } = entered
      const next = flows.begin({ ...flow, purpose: { kind: 'code', verified, userId } })
      return { kind: 'second_step', methods, cookie: next.cookie }
    } catch (error) {
      const isKnown = error instanceof CodedError && error.status < 500
      const isRefused = isKnown && error.code !== 'provider_unreachable'
      if (isRefused && flow.purpose.kind === 'sign_in') {
        auth.counts.failed += 1
        const target = { id: '', name: flow.providerId }
        await audit.recordFailedSignIn(database.sql, origin.ip, target, 'provider')
      }
      throw error
    }
  }

  /** The email address of the account that a flow asks for a code. */
  async emailOf(flow: Flow): Promise<string> {
    if (flow.purpose.kind !== 'code') throw expired()
    return (await this.#deps.users.find(flow.purpose.userId)).email
  }

  /**
   * Ends a sign-in that lacks only the code.
   * @throws CodedError wrong_code, sign_in_expired; errors of `answer`
   */
  async verify(flow: Flow, proof: SecondFactorProof, origin: SignInOrigin) {
    const email = await this.emailOf(flow)
    return this.#deps.auth.recordFailure(email, origin, async () => {
      const provider = await this.#deps.providers.find(flow.providerId)
      const { verified, userId } = flow.purpose as Purpose & { kind: 'code' }
      const once = { userId, use: useOf(flow) }
      const entered = await this.#enter({ provider, verified, origin, proof }, once)
      if ('methods' in entered) throw new CodedError('wrong_code')
      return entered
    })
  }

  /**
   * Tries a sign-in, and undoes it.
   * @throws CodedError errors of `answer`
   */
  async preview(provider: rows.Provider, verified: Verified): Promise<void> {
    const { database } = this.#deps
    const undo = new Error('undone')
    await database
      .begin(async (sql) => {
        const entry = { provider, verified, origin: { ip: '', userAgent: '' }, proof: null }
        const found = await this.#find(sql, entry)
        if (found) requireEnabled(found.user)
        else await this.#create(sql, entry)
        throw undo
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error
      })
  }

  /**
   * Signs in to the account of an identity, which may have to be linked or made first. Nothing is
   * written while the account asks for a second step.
   * @param once the expected account, and the flow to use up
   */
  async #enter(
    entry: Entry,
    once: { readonly userId: number; readonly use: readonly [Buffer, Date] } | null = null,
  ): Promise<StartedSession | { methods: readonly SecondStepMethod[]; userId: number }> {
    const { auth, clock, emails, secondFactor } = this.#deps
    const { provider, verified, origin, proof } = entry
    const at = new Date(clock.now())
    const entered = await emails.begin(async (sql) => {
      let found = await this.#find(sql, entry)
      if (!found) {
        // The same person may be signing in for the first time in another browser.
        await users.lockUsers(sql)
        found = await this.#find(sql, entry)
      }
      if (once && found?.user.id !== once.userId) throw expired()
      const user = found?.user ?? (await this.#create(sql, entry))
      requireEnabled(user)
      const isTrusted = provider.trustsSecondFactor
      const methods = isTrusted ? [] : await auth.secondStep(sql, user.id)
      const actor = { kind: 'user', userId: user.id, ip: origin.ip } as const
      if (methods.length > 0) {
        if (proof === null) return { methods, userId: user.id }
        if (!(await secondFactor.use(sql, actor, user, proof))) throw new CodedError('wrong_code')
      }
      if (once && !(await useChallenge(sql, ...once.use))) throw expired()
      const known = found?.identityId ?? null
      const identityId = known ?? randomRowId()
      if (known !== null) await rows.useIdentity(sql, identityId, nameOf(verified), at)
      else await this.#insert(sql, identityId, user, verified, found ? actor : null)
      await rows.noteWorking(sql, provider, at)
      // The provider may have got another issuer meanwhile.
      if ((await rows.findProvider(sql, provider.id))?.issuer !== verified.issuer) throw expired()
      const how = isTrusted ? 'provider' : sayProof(methods.length === 0 ? null : proof)
      const { providerSession: session, authenticatedAt } = verified
      const started = { id: provider.id, identityId, session, authenticatedAt }
      const details = { second_factor: how, provider: provider.id }
      return auth.logIn(sql, user, { ...origin, provider: started }, details)
    })
    if ('methods' in entered) return entered
    return { ...entered, user: await this.#applyRights(provider, verified, entered.user) }
  }

  /** Null for an identity that no account has or may be linked to. */
  async #find(sql: Sql, entry: Entry): Promise<Found | null> {
    const { provider, verified } = entry
    const { issuer, subject, email, isEmailVerified } = verified
    const identity = await rows.findIdentity(sql, issuer, subject)
    if (identity) {
      const user = await users.lockUserForSignIn(sql, identity.userId)
      if (!user) throw expired()
      return { user, identityId: identity.id }
    }
    const isOpen = provider.linking !== 'off' || provider.creation !== 'off'
    if (email === null || !isEmailVerified) {
      throw new CodedError(isOpen ? 'email_not_verified' : 'no_account')
    }
    const byEmail = await users.findUserByEmail(sql, email)
    if (!byEmail) return null
    const user = await users.lockUserForChange(sql, byEmail.id)
    // The same person may have signed in for the first time in another browser.
    if (await rows.findIdentity(sql, issuer, subject)) return this.#find(sql, entry)
    // An invitation has made a random password.
    const hasPassword = user?.passwordHash !== '' && user?.invitedAt === null
    const mayLink =
      provider.linking === 'all' || (provider.linking === 'no_password' && !hasPassword)
    // Anyone can enter the address of another person, and wait for their first sign-in.
    if (!user || !mayLink || !(await users.hasVerifiedEmail(sql, user.id, email))) {
      throw new CodedError('account_exists')
    }
    return { user, identityId: null }
  }

  /** @throws CodedError no_account, conflict */
  async #create(sql: Sql, { provider, verified, origin }: Entry): Promise<users.User> {
    const { creation, domains } = provider
    const email = verified.email ?? ''
    const isAllowed =
      creation === 'all' || (creation === 'domains' && domains.includes(domainOf(email)))
    if (!isAllowed) throw new CodedError('no_account')
    const { name, isInAdminGroup: isAdmin, quota } = verified
    const actor = { kind: 'anonymous', ip: origin.ip } as const
    const user = { email, name, isAdmin, quota }
    return this.#deps.users.createSignedUp(sql, actor, user, provider.id)
  }

  /** @param holder notified by email; null for a new account */
  async #insert(
    sql: Sql,
    id: string,
    user: users.User,
    verified: Verified,
    holder: Pick<UserActor, 'kind' | 'userId' | 'ip'> | null,
  ): Promise<void> {
    const { audit, clock, notices } = this.#deps
    const at = new Date(clock.now())
    const identity = {
      id,
      userId: user.id,
      issuer: verified.issuer,
      subject: verified.subject,
      name: nameOf(verified),
      createdAt: at,
      lastUsedAt: at,
    }
    if (!(await rows.insertIdentity(sql, identity))) throw new CodedError('identity_taken')
    if (!holder) return
    if (user.invitedAt !== null) {
      // None, in place of the random one of the invitation.
      await users.setPasswordHash(sql, user.id, '')
      await deleteResetsOf(sql, user.id)
    }
    await audit.record(sql, holder, 'identity.linked', { id, name: identity.name })
    await notices.write(sql, user, 'identity_linked', holder)
  }

  async #link(
    { userId, sessionId }: Purpose & { kind: 'link' },
    verified: Verified,
    { ip }: SignInOrigin,
  ): Promise<Outcome> {
    const actor = { kind: 'user', userId, isAdmin: false, sessionId, ip } as const
    await this.#deps.emails.begin(async (sql) => {
      // The session that has asked may have ended, and with it its right to ask.
      const user = await lockOwnAccount(sql, actor)
      const known = await rows.findIdentity(sql, verified.issuer, verified.subject)
      if (known?.userId === user.id) return
      await this.#insert(sql, randomRowId(), user, verified, actor)
    })
    return { kind: 'linked' }
  }

  /**
   * Applies the rights that the groups of a user decide. The last administrator stays one.
   * @returns the account afterwards
   */
  async #applyRights(
    provider: rows.Provider,
    { isInAdminGroup, quota }: Verified,
    user: users.User,
  ): Promise<users.User> {
    const { users: accounts } = this.#deps
    const change: UserChange = {
      ...(provider.groupQuotas.length > 0 && quota !== user.quota && { quota }),
      ...(provider.adminGroup !== '' &&
        isInAdminGroup !== user.isAdmin && { isAdmin: isInAdminGroup }),
    }
    if (Object.keys(change).length === 0) return user
    try {
      await accounts.update(system, user.id, change)
    } catch (error) {
      if (!(error instanceof CodedError && error.code === 'last_administrator')) throw error
      if ('quota' in change) await accounts.update(system, user.id, { quota })
    }
    return accounts.find(user.id)
  }
}

export function expired(): CodedError {
  return new CodedError('sign_in_expired')
}

function requireEnabled({ disabledAt }: users.User): void {
  if (disabledAt) throw new CodedError('account_disabled')
}

/** How people recognise an identity. */
function nameOf({ email, name, subject }: Verified): string {
  return email ?? (name || subject)
}

/**
 * Unlinks an identity, and ends the sessions that it started, except the actor's, and all upload
 * tokens.
 * @throws CodedError not_found, last_sign_in, unauthorized
 */
export async function unlink(deps: AccountBasis, actor: UserActor, id: string): Promise<void> {
  const { audit, emails, notices } = deps
  await emails.begin(async (sql) => {
    const user = await lockOwnAccount(sql, actor)
    await rows.releaseFromIdentity(sql, requireSession(actor), id)
    const removed = requireFound(await rows.deleteIdentity(sql, user.id, id))
    await requireWayIn(deps, sql, user)
    // The sessions that end with it may have made some.
    await endUploadTokensOf(sql, user.id)
    await audit.record(sql, actor, 'identity.unlinked', { id, name: removed.name })
    await notices.write(sql, user, 'identity_unlinked', actor)
  })
}

/**
 * Requires that the holder of an account can still sign in; call it after a change.
 * @throws CodedError last_sign_in
 */
export async function requireWayIn(
  { settings }: AccountBasis,
  sql: Sql,
  { id, passwordHash }: users.User,
): Promise<void> {
  if (settings.values.passwordSignIn && passwordHash !== '') return
  if ((await countPasskeys(sql, id)) > 0) return
  if ((await rows.countUsableIdentities(sql, id)) > 0) return
  throw new CodedError('last_sign_in')
}
