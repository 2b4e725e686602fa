import { limiterKey } from '../../http/client-ip.ts'
import { RateLimiter, type Limiter } from '../../http/rate-limit.ts'
import { requireToken } from '../../http/run.ts'
import type { UserActor } from '../../lib/actor.ts'
import { type CodedError, requireFound } from '../../lib/errors.ts'
import { hashToken } from '../../lib/random-id.ts'
import { findCredential } from '../passkeys/sql.ts'
import { findUser, findUserByEmail, type User } from '../users/sql.ts'
import { targetOf } from '../users/users.ts'
import { requireSession } from '../sign-in/sign-in.ts'
import { findKnown, type Client } from '../sign-in/known-clients.ts'
import { accountPolicy, Attempts, isWrongAttempt, unlessWrong } from './attempts.ts'
import type { SignInDeps } from '../deps.ts'

const windowMs = 15 * 60_000
const codeFailuresMax = 5
const confirmationFailuresMax = 5

/**
 * Guesses at passwords and codes of accounts: in both steps of signing in, and when a session
 * confirms its user. All count as failures of one account and wide network.
 */
export class AccountAttempts {
  readonly #deps: SignInDeps
  readonly #guesses: Attempts
  /** Second steps, per address and account, independent of the address's attempts. */
  readonly #codes: Limiter
  /**
   * Failed confirmations, per session, and per address and account: a stolen session must not guess
   * its way into the account.
   */
  readonly #confirmations: Limiter

  constructor(deps: SignInDeps) {
    this.#deps = deps
    const { clock, limitExchange: exchange } = deps
    const limiter = (name: string, limit: number) =>
      new RateLimiter({ limit, windowMs, clock, shared: { exchange, name, isExact: true } })
    this.#guesses = new Attempts(accountPolicy, clock, { exchange, name: 'account', isExact: true })
    this.#codes = limiter('codes', codeFailuresMax)
    this.#confirmations = limiter('confirmations', confirmationFailuresMax)
  }

  /**
   * Runs the first step of a sign-in, whether or not the account exists.
   * @throws CodedError rate_limited; errors of the work
   */
  signIn<T>(email: string, client: Client, work: () => Promise<T>): Promise<T> {
    const find = async () => (await findUserByEmail(this.#deps.database.sql, email))?.id
    return this.#guess(subjectOf(email), client, find, work)
  }

  /**
   * Runs a sign-in with a passkey. Its failures count apart from those of the account's password,
   * so that guesses at the password do not delay it.
   * @throws CodedError rate_limited; errors of the work
   */
  signInWithPasskey<T>(credentialId: string, client: Client, work: () => Promise<T>): Promise<T> {
    const find = async () => (await findCredential(this.#deps.database.sql, credentialId))?.userId
    return this.#guess(subjectOf(`passkey ${credentialId}`), client, find, work)
  }

  /**
   * Runs the second step of a sign-in.
   * @throws CodedError rate_limited; errors of the work
   */
  verify<T>(email: string, client: Client, work: () => Promise<T>): Promise<T> {
    const key = addressKey(client.ip, subjectOf(email))
    return limitWrong(this.#codes, key, () => this.signIn(email, client, work))
  }

  /**
   * Runs a session's confirmation by password and code. Only failed confirmations limit it, so that
   * failed sign-ins from elsewhere do not lock owners out; its failures count as failed sign-ins
   * too.
   * @throws CodedError rate_limited, api_token_not_allowed, unauthorized when the account is gone;
   *   errors of the work
   */
  async confirm<T>(actor: UserActor, work: () => Promise<T>): Promise<T> {
    const sessionId = requireSession(actor)
    const user = requireFound(await findUser(this.#deps.database.sql, actor.userId), 'unauthorized')
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
        await this.#deps.signInAttempts.takeExactly(limiterKey(ip))
        await this.#codes.takeExactly(address)
        await this.#recordFailure(user, ip, error)
      }
      throw error
    }
  }

  #guess<T>(
    subject: string,
    client: Client,
    findAccount: () => Promise<number | undefined>,
    work: () => Promise<T>,
  ): Promise<T> {
    const known = async () => findKnown(this.#deps, (await findAccount()) ?? null, client)
    return this.#guesses.during({ subject, ip: client.ip, findKnown: known }, work)
  }

  /** Recorded like a failed sign-in: a stolen session guesses too. */
  async #recordFailure(user: User, ip: string, { code }: CodedError): Promise<void> {
    const { database, audit, failureNotices } = this.#deps
    await audit.recordFailedSignIn(database.sql, ip, targetOf(user), 'confirmation')
    if (code === 'wrong_passkey') return
    const step = code === 'wrong_current_password' ? 'password' : 'second_factor'
    failureNotices.signInFailed(user, step, ip)
  }
}

/** A hash, so that the key is short for any email address. */
function subjectOf(email: string): string {
  return hashToken(email.toLowerCase()).toString('base64')
}

function addressKey(ip: string, subject: string): string {
  return `${limiterKey(ip)} ${subject}`
}

/** Takes the token first, so that simultaneous guesses count. */
async function limitWrong<T>(limiter: Limiter, key: string, work: () => Promise<T>): Promise<T> {
  requireToken(await limiter.takeExactly(key))
  return unlessWrong(work, () => limiter.refund(key))
}
