import type { Database, Sql } from '../db/connect.ts'
import type { Actor, UserActor } from '../lib/actor.ts'
import type { Clock } from '../lib/clock.ts'
import { CodedError } from '../lib/errors.ts'
import { randomRowId } from '../lib/random-id.ts'
import type { Settings } from '../settings/settings.ts'
import { findUserByEmail, lockUserForChange, lockUserForLogin } from '../users/sql.ts'
import type { UserRow } from '../users/sql.ts'
import type { Passwords } from '../users/passwords.ts'
import { deleteApiTokensOf, deleteExpiredApiTokens } from './api-tokens/sql.ts'
import { deleteResetsOf } from './reset/sql.ts'
import type { SecondFactor, SecondFactorProof } from './second-factor/second-factor.ts'
import * as rows from './sql.ts'
import type { Tokens } from './tokens.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const idleMsMax = 7 * dayMs
const touchEveryMs = 5 * minuteMs

export interface AuthParts {
  readonly database: Database
  readonly clock: Clock
  readonly passwords: Passwords
  readonly tokens: Tokens
  readonly secondFactor: SecondFactor
  readonly settings: Settings
}

/** Where a login came from: shown in the list of sessions. */
export interface LoginOrigin {
  readonly ip: string
  readonly userAgent: string
}

export type LoginResult =
  | { readonly kind: 'logged_in'; readonly token: string; readonly user: UserRow }
  | { readonly kind: 'second_factor'; readonly email: string }

/** Who holds a credential, and whether the account has a second factor. */
export interface CredentialHolder {
  readonly actor: UserActor
  readonly hasSecondFactor: boolean
}

/** Logging in and out, and who a request's credential belongs to. */
export class Auth {
  readonly #parts: AuthParts

  constructor(parts: AuthParts) {
    this.#parts = parts
  }

  /**
   * @throws CodedError wrong_credentials, the same for no such account, wrong password, disabled
   */
  async login(email: string, password: string, origin: LoginOrigin): Promise<LoginResult> {
    const user = await this.#checkPassword(email, password)
    const { database, secondFactor } = this.#parts
    if (await secondFactor.isEnabled(database.sql, user.id)) {
      return { kind: 'second_factor', email: user.email }
    }
    return { kind: 'logged_in', ...(await this.#logIn(user, false, origin)) }
  }

  /**
   * @throws CodedError wrong_credentials, wrong_code (also for an account without a second factor)
   */
  async verifySecondFactor(
    email: string,
    password: string,
    proof: SecondFactorProof,
    origin: LoginOrigin,
  ): Promise<{ token: string; user: UserRow }> {
    const user = await this.#checkPassword(email, password)
    const { database, secondFactor } = this.#parts
    const isRight = await secondFactor.use(database.sql, user.id, proof)
    if (!isRight) throw new CodedError('wrong_code')
    return this.#logIn(user, true, origin)
  }

  /** How long a login lasts at most, also as a cookie in the browser. */
  get sessionLifeMs(): number {
    return this.#parts.settings.values.sessionLifeDays * dayMs
  }

  /**
   * Starts a login, unless what it was granted for has changed since it was checked: whoever
   * changes it ends the logins that there are, and must not miss this one.
   */
  async #logIn(
    checked: UserRow,
    withSecondFactor: boolean,
    origin: LoginOrigin,
  ): Promise<{ token: string; user: UserRow }> {
    const { database, secondFactor } = this.#parts
    return database.begin(async (sql) => {
      const user = await lockUserForLogin(sql, checked.id)
      const isSame =
        user?.passwordHash === checked.passwordHash &&
        user.disabledAt === null &&
        (await secondFactor.isEnabled(sql, checked.id)) === withSecondFactor
      if (!isSame) throw new CodedError('wrong_credentials')
      return this.startSession(user, origin, sql)
    })
  }

  async startSession(
    user: UserRow,
    origin: LoginOrigin,
    sql: Sql = this.#parts.database.sql,
  ): Promise<{ token: string; user: UserRow }> {
    const { clock, tokens } = this.#parts
    const id = randomRowId()
    const createdAt = new Date(clock.now())
    const expiresAt = new Date(clock.now() + this.sessionLifeMs)
    const { ip, userAgent } = origin
    await rows.insertSession(sql, {
      id,
      userId: user.id,
      createdAt,
      expiresAt,
      ip,
      userAgent,
    })
    return { token: await tokens.sign('session', { subject: id }, this.sessionLifeMs), user }
  }

  async logout(actor: UserActor): Promise<void> {
    const sessionId = requireSession(actor)
    await rows.deleteSessionOf(this.#parts.database.sql, actor.userId, sessionId)
  }

  /** The actor's own logins, newest first. */
  async listSessions(actor: UserActor): Promise<rows.ListedSessionRow[]> {
    const now = this.#parts.clock.now()
    const seenSince = new Date(now - idleMsMax)
    const { sql } = this.#parts.database
    return rows.listLiveSessions(sql, actor.userId, new Date(now), seenSince)
  }

  /** @throws CodedError not_found, for somebody else's session too */
  async endSession(actor: UserActor, sessionId: string): Promise<void> {
    const isEnded = await rows.deleteSessionOf(this.#parts.database.sql, actor.userId, sessionId)
    if (!isEnded) throw new CodedError('not_found')
  }

  /** Ends every login of the actor but the one that asks. */
  async endOtherSessions(actor: UserActor): Promise<void> {
    await this.#parts.database.begin(async (sql) => {
      await lockUserForChange(sql, actor.userId)
      await rows.deleteSessionsOf(sql, actor.userId, requireSession(actor))
    })
  }

  /** Who a session token stands for right now; null when the session has ended or never was. */
  async findUser(token: string): Promise<CredentialHolder | null> {
    const { database, clock, tokens } = this.#parts
    const claims = await tokens.read('session', token)
    if (!claims) return null
    const now = clock.now()
    const seenSince = new Date(now - idleMsMax)
    const session = await rows.findLiveSession(
      database.sql,
      claims.subject,
      new Date(now),
      seenSince,
    )
    if (!session) return null
    if (now - session.lastSeenAt.getTime() > touchEveryMs) {
      await rows.touchSession(database.sql, session.id, new Date(now))
    }
    const { userId, isAdmin, hasSecondFactor } = session
    return { actor: { kind: 'user', userId, isAdmin, sessionId: session.id }, hasSecondFactor }
  }

  /** Who an upload token stands for; whether its draft still takes chunks is the draft's to say. */
  async findUploader(token: string): Promise<Actor | null> {
    const claims = await this.#parts.tokens.read('upload', token)
    return claims ? { kind: 'uploader', shareId: claims.subject } : null
  }

  /**
   * Ends every login, API token and reset link of an account, but for one session if that is to
   * go on: part of the transaction that takes rights or changes what they hang on.
   */
  async end(sql: Sql, userId: number, keptSessionId: string | null = null): Promise<void> {
    await lockUserForChange(sql, userId)
    await rows.deleteSessionsOf(sql, userId, keptSessionId)
    await deleteApiTokensOf(sql, userId)
    await deleteResetsOf(sql, userId)
  }

  async removeEndedSessions(): Promise<void> {
    const now = this.#parts.clock.now()
    const { sql } = this.#parts.database
    await rows.deleteEndedSessions(sql, new Date(now), new Date(now - idleMsMax))
    await deleteExpiredApiTokens(sql, new Date(now))
  }

  async #checkPassword(email: string, password: string): Promise<UserRow> {
    const { database, passwords } = this.#parts
    const user = await findUserByEmail(database.sql, email)
    const isRight = await passwords.matches(user?.passwordHash ?? null, password)
    if (!user || !isRight || user.disabledAt) throw new CodedError('wrong_credentials')
    return user
  }
}

/** @throws CodedError api_token_not_allowed */
export function requireSession(actor: UserActor): string {
  if (actor.sessionId === null) throw new CodedError('api_token_not_allowed')
  return actor.sessionId
}
