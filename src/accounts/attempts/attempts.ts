import { limiterKey, networkOf } from '../../http/client-ip.ts'
import { type SharedLimit, RateLimiter, type Limiter } from '../../http/rate-limit.ts'
import { rateLimitHeaders, requireToken } from '../../http/run.ts'
import type { Clock } from '../../lib/clock.ts'
import { CodedError, type ErrorCode } from '../../lib/errors.ts'
import { AttemptDelays, type Admission, type DelayPolicy } from './delays.ts'
import { minuteMs } from '../../lib/durations.ts'

const windowMs = 15 * minuteMs
/** Failures of a client that has succeeded before, and is not delayed by failures of others. */
const knownFailuresMax = 10

/** The errors of a wrong guess. */
const wrongAttempts: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'wrong_credentials',
  'wrong_code',
  'wrong_passkey',
  'wrong_password',
  'wrong_current_password',
  'wrong_second_factor',
])

export interface AttemptPolicy extends DelayPolicy {
  /** Failures of one wide network (IPv4 /24, IPv6 /48) in fifteen minutes. */
  readonly failuresPerNetworkMax: number
}

/** Passwords and codes of accounts. */
export const accountPolicy: AttemptPolicy = {
  freeFailures: 10,
  delayMsMax: 5 * minuteMs,
  failuresPerNetworkMax: 50,
}

/** Passwords of links. Recipients may open a link for the first time, so delays stay short. */
export const linkPolicy: AttemptPolicy = {
  freeFailures: 20,
  delayMsMax: minuteMs,
  failuresPerNetworkMax: 100,
}

export interface Attempt {
  /** The target of the guess. */
  readonly subject: string
  readonly ip: string
  /** Identifies a client that has succeeded before; null for an unknown one. */
  readonly findKnown: () => Promise<string | null> | string | null
}

/**
 * Bounds guesses by subject and by wide network, in addition to the limits by address. A client
 * that has succeeded before is delayed only by its own failures.
 */
export class Attempts {
  readonly #delays: AttemptDelays
  readonly #networks: Limiter
  readonly #known: Limiter

  constructor(policy: AttemptPolicy, clock: Clock, shared: SharedLimit) {
    const sharedAs = (part: string) => ({ ...shared, name: `${shared.name} ${part}` })
    const limiter = (part: string, limit: number) =>
      new RateLimiter({ limit, windowMs, clock, shared: sharedAs(part) })
    this.#delays = new AttemptDelays(policy, clock, sharedAs('delays'))
    this.#networks = limiter('networks', policy.failuresPerNetworkMax)
    this.#known = limiter('known', knownFailuresMax)
  }

  /**
   * Runs the work if another guess is admitted now. Only wrong guesses count.
   * @throws CodedError rate_limited; errors of the work
   */
  async during<T>(guess: Attempt, work: () => Promise<T>): Promise<T> {
    const refund = await this.#admit(guess)
    return unlessWrong(work, refund)
  }

  /** Returns a function that refunds the guess. */
  async #admit({ subject, ip, findKnown }: Attempt): Promise<() => void> {
    const network = networkOf(ip) ?? ip
    const ofNetwork = await this.#networks.takeExactly(network)
    const admission: Admission = ofNetwork.allowed
      ? await this.#delays.admitExactly(subject, network)
      : { isAdmitted: false, retryAfterMs: ofNetwork.retryAfterMs }
    if (admission.isAdmitted) {
      return () => {
        admission.refund()
        this.#networks.refund(network)
      }
    }
    if (ofNetwork.allowed) this.#networks.refund(network)
    const known = await findKnown()
    if (known === null) throw tooEarly(admission.retryAfterMs)
    const key = `${subject} ${known}`
    requireToken(await this.#known.takeExactly(key))
    return () => this.#known.refund(key)
  }
}

/** Whether work was refused because a password or code was wrong. */
export function isWrongAttempt(error: unknown): error is CodedError {
  return error instanceof CodedError && wrongAttempts.has(error.code)
}

/** Runs the work, and refunds the guess unless it was wrong. */
export async function unlessWrong<T>(work: () => Promise<T>, refund: () => void): Promise<T> {
  let isWrong = false
  try {
    return await work()
  } catch (error) {
    isWrong = isWrongAttempt(error)
    throw error
  } finally {
    if (!isWrong) refund()
  }
}

/** The key of a client that is known by its address. */
export function knownAddress(ip: string): string {
  return `address ${limiterKey(ip)}`
}

function tooEarly(retryAfterMs: number): CodedError {
  const decision = { allowed: false, limit: 1, remaining: 0, retryAfterMs, resetMs: retryAfterMs }
  return new CodedError('rate_limited', { headers: rateLimitHeaders(decision) })
}
