import type { Sql } from '../../database/connect.ts'
import type { Actor, Manager, SessionProof, TokenScope, UserActor } from '../../lib/actor.ts'
import { freshMs } from '../../lib/fresh-session.ts'
import { CodedError, type ErrorCode } from '../../lib/errors.ts'
import { randomRowId } from '../../lib/random-id.ts'
import { findUserByEmail, lockUserForChange, lockUserForSignIn, type User } from '../users/sql.ts'
import { targetOf } from '../users/users.ts'
import { requesterAt } from '../../http/client-ip.ts'
import { checkAccountPassword } from '../passwords/passwords.ts'
import { deleteApiTokensOf, deleteExpiredApiTokens } from '../api-tokens/sql.ts'
import { countPasskeys, deleteExpiredChallenges } from '../passkeys/sql.ts'
import { deleteResetsOf } from '../reset/sql.ts'
import type { FailedStep } from '../notices/notices.ts'
import { sayProof, type SecondFactorProof } from '../second-factor/second-factor.ts'
import { findDevice, findKnown, knownLifeMs, rememberClient } from './known-clients.ts'
import * as rows from './sql.ts'
import { dayMs, minuteMs } from '../../lib/clock.ts'
import type { AccountBasis } from '../deps.ts'

/** Life of a session without "stay signed in". */
const shortLifeMs = 12 * 60 * minuteMs
const touchEveryMs = 5 * minuteMs

/** Origin of a session, shown in the list of sessions. */
export interface SignInOrigin {
  readonly ip: string
  readonly userAgent: string
  /** The passkey that has verified the user. */
  readonly passkeyId?: string
  /** The sign-in provider that has, and its name for its own session. */
  readonly provider?: {
    readonly id: string
    readonly identityId: string
    readonly session: string | null
    /** When it last proved who the user is; null if it does not say. */
    readonly authenticatedAt: number | null
  }
  /** The proxy that has verified the user, and whether that proves as much as the account can. */
  readonly proxy?: { readonly isProof: boolean }
  /** False for a session that ends after 12 hours. */
  readonly isRemembered?: boolean
  /** From earlier sign-ins in the same browser: see `Client`. */
  readonly deviceTokens?: readonly string[]
}

export interface CredentialHolder {
  readonly actor: UserActor
  /** Whether the account is an administrator's; the credential may not have these rights. */
  readonly isAdministrator: boolean
  /** Scopes of an API token; null for a session, which may do everything. */
  readonly scopes: readonly TokenScope[] | null
  readonly hasSecondFactor: boolean
  /** Address of the account, for a session that the proxy has started. */
  readonly proxyEmail?: string | null
}

/** A new session. */
export interface StartedSession {
  /** A JWT, as Bearer or cookie. */
  readonly token: string
  /** Identifies this browser at a later sign-in. */
  readonly deviceToken: string
  readonly user: User
  readonly lifeMs: number
}

export type SignInResult =
  | ({ readonly kind: 'logged_in' } & StartedSession)
  | {
      readonly kind: 'second_factor'
      readonly email: string
      readonly methods: SecondStepMethod[]
    }

/** A six-digit or recovery code, or a passkey. */
export type SecondStepMethod = 'code' | 'passkey'

/** The failed step that each error stands for. */
const failedSteps: Partial<Record<ErrorCode, FailedStep | 'passkey' | 'proxy'>> = {
  wrong_credentials: 'password',
  wrong_code: 'second_factor',
  wrong_passkey: 'passkey',
  wrong_proxy_user: 'proxy',
}

/** Signs users in and out, and finds the user of a credential. */
export class Auth {
  readonly counts = { succeeded: 0, failed: 0 }
  readonly #deps: AccountBasis

  constructor(deps: AccountBasis) {
    this.#deps = deps
  }

  /**
   * @throws CodedError wrong_credentials, the same for an unknown account, a wrong password and a
   * disabled account; account_waiting only after the right password; password_sign_in_off
   */
  async signIn(email: string, password: string, origin: SignInOrigin): Promise<SignInResult> {
    const { database, audit } = this.#deps
    this.#requirePasswords()
    return this.recordFailure(email, origin, async () => {
      const user = await this.#checkPassword(email, password, origin)
      const methods = await this.secondStep(database.sql, user.id)
      if (methods.length === 0) {
        return { kind: 'logged_in', ...(await this.#logInIfSame(user, null, origin)) }
      }
      const actor = { kind: 'anonymous', ip: origin.ip } as const
      await audit.record(database.sql, actor, 'login.second_step', targetOf(user))
      return { kind: 'second_factor', email: user.email, methods }
    })
  }

  /**
   * @throws CodedError wrong_code, the same for a wrong password, a wrong code and an account
   * without a second factor, so that the answer does not reveal which it was; account_waiting,
   * password_sign_in_off
   */
  async verifySecondFactor(
    email: string,
    password: string,
    proof: SecondFactorProof,
    origin: SignInOrigin,
  ): Promise<StartedSession> {
    this.#requirePasswords()
    const verified = this.recordFailure(email, origin, async () => {
      const user = await this.#checkPassword(email, password, origin)
      return this.#logInIfSame(user, proof, origin)
    })
    return verified.catch((error: unknown) => {
      const isWrong = error instanceof CodedError && error.code === 'wrong_credentials'
      throw isWrong ? new CodedError('wrong_code') : error
    })
  }

  #bounds(): rows.SessionBounds {
    const { clock, settings } = this.#deps
    const { sessionIdleDays, sessionLifeDays } = settings.values
    const now = clock.now()
    const before = (days: number) => new Date(now - days * dayMs)
    // A shorter life that is set later ends older sessions too.
    const [seenSince, begunSince] = [before(sessionIdleDays), before(sessionLifeDays)]
    return { now: new Date(now), seenSince, begunSince }
  }

  /**
   * Starts a session, unless its grounds have changed since they were checked: a change ends
   * existing sessions, and must not miss this one.
   * @param proof null for an account without a second factor
   */
  async #logInIfSame(
    checked: User,
    proof: SecondFactorProof | null,
    origin: SignInOrigin,
  ): Promise<StartedSession> {
    const { emails, secondFactor } = this.#deps
    return emails.begin(async (sql) => {
      const user = await lockUserForSignIn(sql, checked.id)
      const isSame = user?.passwordHash === checked.passwordHash && user.disabledAt === null
      if (!isSame) throw new CodedError('wrong_credentials')
      const actor = { kind: 'user', userId: user.id, ip: origin.ip } as const
      if (proof === null) {
        if ((await this.secondStep(sql, user.id)).length > 0) {
          throw new CodedError('wrong_credentials')
        }
      } else if (!(await secondFactor.use(sql, actor, user, proof))) {
        throw new CodedError('wrong_code')
      }
      return this.logIn(sql, user, origin, { second_factor: sayProof(proof) })
    })
  }

  /**
   * What a sign-in by password or provider needs in addition; empty for nothing. Passkeys alone
   * make it no two-step sign-in, unless the settings demand one: they replace the password.
   */
  async secondStep(sql: Sql, userId: number): Promise<SecondStepMethod[]> {
    const { secondFactor, settings } = this.#deps
    const hasCodes = await secondFactor.isEnabled(sql, userId)
    if (!hasCodes && !settings.values.require2FA) return []
    const hasPasskeys = (await countPasskeys(sql, userId)) > 0
    return [...(hasCodes ? ['code' as const] : []), ...(hasPasskeys ? ['passkey' as const] : [])]
  }

  /** Runs a sign-in, and records its failure. */
  async recordFailure<T>(email: string, origin: SignInOrigin, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const step = error instanceof CodedError ? failedSteps[error.code] : undefined
      if (step !== undefined) {
        this.counts.failed += 1
        const { database, audit, failureNotices } = this.#deps
        const user = await findUserByEmail(database.sql, email)
        const target = { id: user?.id ?? '', name: email }
        await audit.recordFailedSignIn(database.sql, origin.ip, target, step)
        // Others cannot be guessed.
        const isGuess = step === 'password' || step === 'second_factor'
        if (user && isGuess) failureNotices.signInFailed(user, step, origin.ip)
      }
      throw error
    }
  }

  /** Every kind of sign-in ends here: `emails.begin` then sends the notice of a new device. */
  async logIn(
    sql: Sql,
    user: User,
    origin: SignInOrigin,
    details: { readonly second_factor: string; readonly provider?: string },
  ): Promise<StartedSession> {
    const actor = { kind: 'user', userId: user.id, ip: origin.ip } as const
    await this.#deps.audit.record(sql, actor, 'login.succeeded', targetOf(user), details)
    return this.startSession(user, origin, sql)
  }

  /** Also for the account that the set-up has made. */
  async startSession(
    user: User,
    origin: SignInOrigin,
    sql: Sql = this.#deps.database.sql,
  ): Promise<StartedSession> {
    const { clock, tokens, settings, notices } = this.#deps
    const { ip, userAgent, passkeyId = null, provider = null } = origin
    const { isRemembered = true, deviceTokens = [] } = origin
    const lifeMs = isRemembered ? settings.values.sessionLifeDays * dayMs : shortLifeMs
    const id = randomRowId()
    const createdAt = new Date(clock.now())
    const provenAt = origin.proxy?.isProof === false ? 0 : (provider?.authenticatedAt ?? Infinity)
    const expiresAt = new Date(clock.now() + lifeMs)
    const isKnown = (await findDevice(this.#deps, user.id, deviceTokens)) !== null
    if (!isKnown && (await rows.isNewClient(sql, user.id, origin))) {
      await notices.write(sql, user, 'new_device', { ip })
    }
    await rows.insertSession(sql, {
      id,
      userId: user.id,
      createdAt,
      confirmedAt: new Date(Math.min(createdAt.getTime(), provenAt)),
      isByProxy: origin.proxy !== undefined,
      expiresAt,
      passkeyId,
      provider,
      ip,
      userAgent,
    })
    await rows.writeLastSignIn(sql, user.id, createdAt)
    const deviceToken = await rememberClient(this.#deps, sql, user.id, ip)
    const token = await tokens.sign('session', { subject: id }, lifeMs)
    this.counts.succeeded += 1
    return { token, deviceToken, user, lifeMs }
  }

  async logout(actor: UserActor): Promise<void> {
    const { database, audit } = this.#deps
    const sessionId = requireSession(actor)
    await database.begin(async (sql) => {
      const isEnded = await rows.deleteSessionOf(sql, actor.userId, sessionId)
      if (isEnded) await audit.record(sql, actor, 'session.logged_out', { id: sessionId })
    })
  }

  /** The actor's own sessions, newest first. */
  async listSessions(actor: UserActor): Promise<rows.ListedSession[]> {
    return rows.listLiveSessions(this.#deps.database.sql, actor.userId, this.#bounds())
  }

  /**
   * Ends a session. For another session, ends all upload tokens too, because it may have made some.
   * @throws CodedError not_found, also for a session of another account
   */
  async endSession(actor: UserActor, sessionId: string): Promise<void> {
    const { database, audit } = this.#deps
    await database.begin(async (sql) => {
      if (sessionId !== actor.sessionId) await rows.endUploadTokensOf(sql, actor.userId)
      const isEnded = await rows.deleteSessionOf(sql, actor.userId, sessionId)
      if (!isEnded) throw new CodedError('not_found')
      await audit.record(sql, actor, 'session.ended', { id: sessionId })
    })
  }

  /** Ends every other session of the actor, and every upload token. */
  async endOtherSessions(actor: UserActor): Promise<void> {
    const { audit, emails, notices } = this.#deps
    await emails.begin(async (sql) => {
      const user = await lockUserForChange(sql, actor.userId)
      const sessions = await rows.endSessionsOf(sql, actor.userId, requireSession(actor))
      if (!user) return
      await audit.record(sql, actor, 'session.others_ended', targetOf(user), { sessions })
      if (sessions > 0) await notices.write(sql, user, 'sessions_ended', actor)
    })
  }

  /** Ends every session of an account and returns their number; its API tokens stay valid. */
  async endSessionsOf(actor: Manager, userId: number): Promise<number> {
    const { database, audit } = this.#deps
    return database.begin(async (sql) => {
      const user = await lockUserForChange(sql, userId)
      const sessions = await rows.endSessionsOf(sql, userId, null)
      if (user) await audit.record(sql, actor, 'session.all_ended', targetOf(user), { sessions })
      return sessions
    })
  }

  /**
   * The user of a session token at the moment; null when the session has ended or never existed,
   * and when the settings demand a passkey that it was started without.
   */
  async findUser(token: string, ip: string): Promise<CredentialHolder | null> {
    const { database, clock, tokens, settings } = this.#deps
    const claims = await tokens.read('session', token)
    if (!claims) return null
    const now = clock.now()
    const session = await rows.findLiveSession(database.sql, claims.subject, this.#bounds())
    if (!session) return null
    if (settings.values.require2FA && session.lacksPasskey) return null
    // Also after a clock that was ahead.
    if (Math.abs(now - session.lastSeenAt.getTime()) > touchEveryMs) {
      await rows.touchSession(database.sql, session.id, new Date(now))
    }
    const { id: sessionId, userId, isAdmin, hasSecondFactor } = session
    const sinceMs = now - session.confirmedAt.getTime()
    // A clock that was set back must not keep it fresh for longer.
    const isFresh = sinceMs >= 0 && sinceMs < freshMs
    const proof = isFresh ? { recentProof: proofOf(session) } : {}
    const actor = { kind: 'user', userId, isAdmin, sessionId, ip, ...proof } as const
    const proxyEmail = session.isByProxy ? session.email : null
    return { actor, isAdministrator: isAdmin, scopes: null, hasSecondFactor, proxyEmail }
  }

  /** The holder of an upload token; its draft decides whether it still takes chunks. */
  async findUploader(token: string, ip: string): Promise<Actor | null> {
    const claims = await this.#deps.tokens.read('upload', token)
    if (!claims) return null
    return { kind: 'uploader', shareId: claims.subject, version: claims.version ?? null, ip }
  }

  /**
   * Ends every session, API token, upload token and reset link of an account, except one session if
   * given: part of the transaction that removes rights or changes credentials.
   */
  async end(sql: Sql, userId: number, keptSessionId: string | null = null): Promise<void> {
    await lockUserForChange(sql, userId)
    await rows.endSessionsOf(sql, userId, keptSessionId)
    await deleteApiTokensOf(sql, userId)
    await deleteResetsOf(sql, userId)
  }

  /** Returns the number of removed sessions and API tokens. */
  async removeEndedSessions(): Promise<number> {
    const { database, clock } = this.#deps
    const now = new Date(clock.now())
    await rows.deleteAddressesBefore(database.sql, new Date(clock.now() - knownLifeMs))
    await deleteExpiredChallenges(database.sql, now)
    const sessions = await rows.deleteEndedSessions(database.sql, this.#bounds())
    return sessions + (await deleteExpiredApiTokens(database.sql, now))
  }

  /** @throws CodedError password_sign_in_off */
  #requirePasswords(): void {
    if (!this.#deps.settings.values.passwordSignIn) throw new CodedError('password_sign_in_off')
  }

  async #checkPassword(email: string, password: string, origin: SignInOrigin): Promise<User> {
    const user = await findUserByEmail(this.#deps.database.sql, email)
    // Ahead of other passwords: see FairQueue.
    const { ip, deviceTokens = [] } = origin
    const known = await findKnown(this.#deps, user?.id ?? null, { ip, deviceTokens })
    const requester = { ...requesterAt(ip), isFirst: true, isKnown: known !== null }
    const checked = await checkAccountPassword(this.#deps, user, password, requester)
    if (checked?.requestedAt) throw new CodedError('account_waiting')
    if (!checked || checked.disabledAt) throw new CodedError('wrong_credentials')
    return checked
  }
}

function proofOf({ confirmedBy, hasPassword }: rows.SessionRow): SessionProof {
  if (confirmedBy === 'one') return 'one'
  return confirmedBy === 'passkey' || !hasPassword ? 'passwordless' : 'all'
}

/** @throws CodedError api_token_not_allowed */
export function requireSession(actor: UserActor): string {
  if (actor.sessionId === null) throw new CodedError('api_token_not_allowed')
  return actor.sessionId
}
