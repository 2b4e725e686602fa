import { limiterKey, networkOf } from '../http/client-ip.ts'
import type { LimitExchange } from '../http/limit-exchange.ts'
import { RateLimiter, type Limiter } from '../http/rate-limit.ts'
import { requireToken } from '../http/run.ts'
import type { Clock } from '../lib/clock.ts'

const windowMs = 15 * 60_000
const missesPerAddressMax = 100
const missesPerNetworkMax = 300

/**
 * Bounds the links that an address, and its wide network, can try. A link with a random id cannot
 * have been guessed, so it always opens. Past the bound, custom and unknown links get the same
 * refusal, so that the answer reveals nothing.
 */
export class LinkMisses {
  readonly #addresses: Limiter
  readonly #networks: Limiter

  constructor(clock: Clock, exchange: LimitExchange) {
    const limiter = (name: string, limit: number) =>
      new RateLimiter({ limit, windowMs, clock, shared: { exchange, name: `link misses ${name}` } })
    this.#addresses = limiter('addresses', missesPerAddressMax)
    this.#networks = limiter('networks', missesPerNetworkMax)
  }

  /**
   * Call for each lookup of a link, with the id that was found or null: a miss takes a token.
   * @throws CodedError rate_limited
   */
  takeOnMiss(ip: string, name: string, foundId: string | null): void {
    if (foundId === name) return
    const bounds = [
      [this.#addresses, limiterKey(ip)],
      [this.#networks, networkOf(ip) ?? ip],
    ] as const
    for (const [limiter, key] of bounds) requireToken(limiter.peek(key))
    if (foundId !== null) return
    for (const [limiter, key] of bounds) limiter.take(key)
  }
}
