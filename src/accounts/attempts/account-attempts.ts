import type { Audit } from '../../audit/audit.ts'
import type { Database } from '../../database/connect.ts'
import { limiterKey } from '../../http/client-ip.ts'
import { RateLimiter, type Limiter } from '../../http/rate-limit.ts'
import { requireToken } from '../../http/run.ts'
import type { UserActor } from '../../lib/actor.ts'
import type { Clock } from '../../lib/clock.ts'
import { CodedError } from '../../lib/errors.ts'
import { hashToken } from '../../lib/random-id.ts'
import { findUser, type UserRow } from '../users/sql.ts'
import { targetOf } from '../users/users.ts'
import { requireSession } from '../sign-in/sign-in.ts'
import type { FailureNotices } from '../notices/failure-notices.ts'
import type { Client, KnownClients } from '../sign-in/known-clients.ts'
import { accountPolicy, Attempts, isWrongAttempt, unlessWrong } from './attempts.ts'

const windowMs = 15 * 60_000
const codeFailuresMax = 5
const confirmationFailuresMax = 5

export interface AccountAttemptsDeps {
  readonly database: Database
  readonly knownClients: KnownClients
  /** Attempts to sign in, per address: taken before a step of it begins. */
  readonly signInAttempts: Limiter
  readonly clock: Clock
  readonly audit: Audit
  readonly failureNotices: FailureNotices
}

/**
 * Passwords and codes of accounts: at both steps of signing in, and where a session confirms who is
 * there. All of them count as failures of one account and wide network.
 */
export class AccountAttempts {
  readonly #deps: AccountAttemptsDeps
  readonly #guesses: Attempts
  /** Before second steps, per address and account, however many attempts an address has. */
  readonly #codes: Limiter
  /**
   * Failed confirmations, per session, and per address and account: a stolen session must not guess
   * its way to the account.
   */
  readonly #confirmations: Limiter

  constructor(deps: AccountAttemptsDeps) {
    this.#deps = deps
    const { clock } = deps
    this.#guesses = new Attempts(accountPolicy, clock)
    this.#codes = new RateLimiter({ limit: codeFailuresMax, windowMs, clock })
    this.#confirmations = new RateLimiter({ limit: confirmationFailuresMax, windowMs, clock })
  }

  /**
   * The first step of a sign-in, whether or not the account exists.
   * @throws CodedError rate_limited, and what the work throws
   */
  signIn<T>(email: string, client: Client, work: () => Promise<T>): Promise<T> {
    const findKnown = () => this.#deps.knownClients.find(email, client)
    return this.#guesses.during({ subject: subjectOf(email), ip: client.ip, findKnown }, work)
  }

  /**
   * The second step of a sign-in.
   * @throws CodedError rate_limited, and what the work throws
   */
  verify<T>(email: string, client: Client, work: () => Promise<T>): Promise<T> {
    const key = addressKey(client.ip, subjectOf(email))
    return limitWrong(this.#codes, key, () => this.signIn(email, client, work))
  }

  /**
   * A session's confirmation by password and code. It is limited by failed confirmations alone, so
   * that failures of strangers do not lock owners out; they count as failed sign-ins too.
   * @throws CodedError rate_limited, api_token_not_allowed, unauthorized when the account is gone,
   * and what the work throws
   */
  async confirm<T>(actor: UserActor, work: () => Promise<T>): Promise<T> {
    const sessionId = requireSession(actor)
    const user = await findUser(this.#deps.database.sql, actor.userId)
    if (!user) throw new CodedError('unauthorized')
    const { ip } = actor
    const subject = subjectOf(user.email)
    const address = addressKey(ip, subject)
    const findKnown = () => `session ${sessionId}`
    const guess = () => this.#guesses.during({ subject, ip, findKnown }, work)
    try {
      return await limitWrong(this.#confirmations, sessionId, () =>
        limitWrong(this.#confirmations, address, guess),
      )
    } catch (error) {
      if (isWrongAttempt(error)) {
        this.#deps.signInAttempts.take(limiterKey(ip))
        this.#codes.take(address)
        await this.#recordFailure(user, ip, error)
      }
      throw error
    }
  }

  /** As those of a sign-in are: a stolen session guesses too. */
  async #recordFailure(user: UserRow, ip: string, { code }: CodedError): Promise<void> {
    const { database, audit, failureNotices } = this.#deps
    await audit.recordFailedLogin(database.sql, ip, targetOf(user), 'confirmation')
    const step = code === 'wrong_current_password' ? 'password' : 'second_factor'
    failureNotices.signInFailed(user, step, ip)
  }
}

/** A hash: short, however long the email is. */
function subjectOf(email: string): string {
  return hashToken(email.toLowerCase()).toString('base64')
}

function addressKey(ip: string, subject: string): string {
  return `${limiterKey(ip)} ${subject}`
}

/** Taken before, so that simultaneous guesses count too. */
async function limitWrong<T>(limiter: Limiter, key: string, work: () => Promise<T>): Promise<T> {
  requireToken(limiter.take(key))
  return unlessWrong(work, () => limiter.refund(key))
}
