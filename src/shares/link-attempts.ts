import { limiterKey } from '../http/client-ip.ts'
import { type LimitExchange, RateLimiter, type Limiter } from '../http/rate-limit.ts'
import { rateLimitHeaders, requireToken } from '../http/run.ts'
import type { Clock } from '../lib/clock.ts'
import { CodedError } from '../lib/errors.ts'
import type { FailureNotices, ProtectedLink } from '../accounts/notices/notices.ts'
import {
  Attempts,
  isWrongAttempt,
  knownAddress,
  linkPolicy,
} from '../accounts/attempts/attempts.ts'

const failuresPerAddressMax = 20
const windowMs = 15 * 60_000
const knownLifeMs = 24 * 60 * 60_000
const knownMax = 10_000

/** Bounds password guesses by address, wide network and link. */
export class LinkAttempts {
  readonly #addresses: Limiter
  readonly #guesses: Attempts
  /** Addresses that have opened a link: the failures of others do not delay them. */
  readonly #opened: RecentKeys
  readonly #notices: FailureNotices

  constructor(clock: Clock, notices: FailureNotices, exchange: LimitExchange) {
    const shared = (name: string) => ({ exchange, name, isExact: true })
    const policy = { limit: failuresPerAddressMax, windowMs, clock }
    this.#addresses = new RateLimiter({ ...policy, shared: shared('link addresses') })
    this.#guesses = new Attempts(linkPolicy, clock, shared('link'))
    this.#opened = new RecentKeys(clock)
    this.#notices = notices
  }

  /**
   * Runs one guess at a link's password. The token is taken before and refunded after a success, so
   * that simultaneous guesses count. A refusal says how many guesses the address has left.
   * @throws CodedError rate_limited; errors of the attempt
   */
  async during<T>(link: ProtectedLink, ip: string, attempt: () => Promise<T>): Promise<T> {
    const subject = `${link.kind} ${link.id}`
    const key = `${limiterKey(ip)} ${subject}`
    const decision = await this.#addresses.takeExactly(key)
    requireToken(decision)
    const findKnown = () => (this.#opened.has(key) ? knownAddress(ip) : null)
    try {
      const found = await this.#guesses.during({ subject, ip, findKnown }, attempt)
      this.#addresses.refund(key)
      this.#opened.add(key)
      return found
    } catch (error) {
      if (!isWrongAttempt(error)) {
        // Early guesses count: repeating them until the delay is over must not be free.
        const isTooEarly = error instanceof CodedError && error.code === 'rate_limited'
        if (!isTooEarly) this.#addresses.refund(key)
        throw error
      }
      this.#notices.linkFailed(link, ip)
      const { code, details } = error
      // With no tokens left the next guess would be refused, so the headers say how long to wait.
      const headers = rateLimitHeaders({ ...decision, allowed: decision.remaining > 0 })
      throw new CodedError(code, { details, headers })
    }
  }
}

/** The newest keys that were added within a day. */
class RecentKeys {
  readonly #clock: Clock
  /** When each was last added, oldest first. */
  readonly #addedMs = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  has(key: string): boolean {
    const addedMs = this.#addedMs.get(key)
    return addedMs !== undefined && this.#clock.monotonic() - addedMs < knownLifeMs
  }

  add(key: string): void {
    this.#addedMs.delete(key)
    this.#addedMs.set(key, this.#clock.monotonic())
    for (const [oldest, addedMs] of this.#addedMs) {
      const isOver = this.#clock.monotonic() - addedMs >= knownLifeMs
      if (!isOver && this.#addedMs.size <= knownMax) return
      this.#addedMs.delete(oldest)
    }
  }
}
