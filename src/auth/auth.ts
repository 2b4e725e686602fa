import type { Database, Sql } from '../db/connect.ts'
import type { Actor, UserActor } from '../lib/actor.ts'
import type { Clock } from '../lib/clock.ts'
import { CodedError } from '../lib/errors.ts'
import { randomRowId } from '../lib/random-id.ts'
import type { Settings } from '../settings/settings.ts'
import { findUserByEmail, type UserRow } from '../users/sql.ts'
import type { Passwords } from '../users/passwords.ts'
import type { SecondFactor } from './second-factor.ts'
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
    return { kind: 'logged_in', ...(await this.startSession(user, origin)) }
  }

  /**
   * @throws CodedError wrong_credentials, wrong_code (also for an account without a second factor)
   */
  async verifySecondFactor(
    email: string,
    password: string,
    proof: { code: string } | { recoveryCode: string },
    origin: LoginOrigin,
  ): Promise<{ token: string; user: UserRow }> {
    const user = await this.#checkPassword(email, password)
    const { database, secondFactor } = this.#parts
    const isRight =
      'code' in proof
        ? await secondFactor.useCode(database.sql, user.id, proof.code)
        : await secondFactor.useRecoveryCode(database.sql, user.id, proof.recoveryCode)
    if (!isRight) throw new CodedError('wrong_code')
    return this.startSession(user, origin)
  }

  /** How long a login lasts at most, also as a cookie in the browser. */
  get sessionLifeMs(): number {
    return this.#parts.settings.values.sessionLifeDays * dayMs
  }

  async startSession(
    user: UserRow,
    origin: LoginOrigin,
  ): Promise<{ token: string; user: UserRow }> {
    const { database, clock, tokens } = this.#parts
    const id = randomRowId()
    const createdAt = new Date(clock.now())
    const expiresAt = new Date(clock.now() + this.sessionLifeMs)
    const { ip, userAgent } = origin
    await rows.insertSession(database.sql, {
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
    await rows.deleteSession(this.#parts.database.sql, actor.sessionId)
  }

  /** Who a session token stands for right now; null when the session has ended or never was. */
  async findUser(token: string): Promise<UserActor | null> {
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
    return { kind: 'user', userId: session.userId, isAdmin: session.isAdmin, sessionId: session.id }
  }

  /** Who an upload token stands for; whether its draft still takes chunks is the draft's to say. */
  async findUploader(token: string): Promise<Actor | null> {
    const claims = await this.#parts.tokens.read('upload', token)
    return claims ? { kind: 'uploader', shareId: claims.subject } : null
  }

  /** Ends every login of an account: part of the transaction that takes its rights. */
  async end(sql: Sql, userId: number): Promise<void> {
    await rows.deleteSessionsOf(sql, userId)
  }

  async removeEndedSessions(): Promise<void> {
    const now = this.#parts.clock.now()
    const { sql } = this.#parts.database
    await rows.deleteEndedSessions(sql, new Date(now), new Date(now - idleMsMax))
  }

  async #checkPassword(email: string, password: string): Promise<UserRow> {
    const { database, passwords } = this.#parts
    const user = await findUserByEmail(database.sql, email)
    const isRight = await passwords.matches(user?.passwordHash ?? null, password)
    if (!user || !isRight || user.disabledAt) throw new CodedError('wrong_credentials')
    return user
  }
}
