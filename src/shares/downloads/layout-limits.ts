import { requireToken } from '../../http/run.ts'
import { createRateLimiter, type Limiter } from '../../http/rate-limit.ts'
import { type Clock, minuteMs } from '../../lib/clock.ts'
import type { Requester } from '../../lib/permits.ts'

const tokensMax = 60
/** A network has more people than an address. */
const networkTokensMax = 4 * tokensMax
/** A token pays for the layout of this many files. */
const filesPerToken = 1000

/**
 * Clients can invent selections of files, and the layout of each costs a walk over its files. In
 * any minute, an address gets 60 layouts of up to 1,000 files, or one of 60,000 and more.
 */
export class LayoutLimits {
  readonly #addresses: Limiter
  readonly #networks: Limiter

  constructor(clock: Clock) {
    this.#addresses = createRateLimiter({ limit: tokensMax, windowMs: minuteMs }, clock)
    this.#networks = createRateLimiter({ limit: networkTokensMax, windowMs: minuteMs }, clock)
  }

  /** @throws CodedError rate_limited; refused layouts cost nothing */
  take({ key, network = key }: Requester, files: number): void {
    const count = Math.min(tokensMax, Math.ceil(files / filesPerToken))
    requireTokens(this.#addresses, key, count)
    requireTokens(this.#networks, network, count)
    for (let taken = 0; taken < count; taken += 1) {
      this.#addresses.take(key)
      this.#networks.take(network)
    }
  }
}

function requireTokens(limiter: Limiter, key: string, count: number): void {
  const decision = limiter.peek(key)
  if (decision.remaining >= count) return
  // When the first one returns is not enough.
  requireToken({ ...decision, allowed: false, retryAfterMs: decision.resetMs })
}
