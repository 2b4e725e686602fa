import type { Clock } from '../lib/clock.ts'
import { networkAt, networkLevels } from './client-ip.ts'

/** Up to this limit each token has its own entry. */
const exactLimitMax = 100

/** Above it, a window is divided into this many parts. */
const subWindows = 60

/**
 * Tokens of one key, each of which returns one window after it was taken:
 *
 *     takenMs   12  340  905     oldest first
 *     counts     1    4    2     null while each entry is one token
 *
 * Up to 100 tokens there is one entry per token, and a token returns exactly on time. Above, the
 * tokens taken in one sixtieth of a window share an entry, and return together one window after the
 * last of them: late by less than a sixtieth, never early.
 *
 * Memory: at most 100 entries of 8 bytes, or 61 of 16. The arrays are replaced by `concat` rather
 * than grown (push, spread), because growing reserves 17 entries at once, and most keys only ever
 * have one: measured, 20,000 keys with one take 5 MB instead of 12.
 */
export class TokenBucket {
  readonly #limit: number
  readonly #windowMs: number
  #takenMs: number[] = []
  #counts: number[] | null
  #used = 0

  constructor(limit: number, windowMs: number) {
    this.#limit = limit
    this.#windowMs = windowMs
    this.#counts = limit <= exactLimitMax ? null : []
  }

  remaining(nowMs: number): number {
    this.#expire(nowMs)
    return this.#limit - this.#used
  }

  /** False when there is no token to take. */
  take(nowMs: number): boolean {
    if (this.remaining(nowMs) === 0) return false
    const newest = this.#takenMs.length - 1
    if (this.#counts !== null && this.#isSameSubWindow(this.#takenMs[newest], nowMs)) {
      this.#takenMs[newest] = nowMs
      this.#counts[newest] = (this.#counts[newest] ?? 0) + 1
    } else {
      this.#takenMs = this.#takenMs.concat(nowMs)
      this.#counts = this.#counts && this.#counts.concat(1)
    }
    this.#used += 1
    return true
  }

  /**
   * Returns the oldest token still out, whichever was meant: the remaining ones count as taken no
   * earlier than they were, so no window admits too many.
   */
  refund(nowMs: number): void {
    this.#expire(nowMs)
    if (this.#used === 0) return
    this.#used -= 1
    const oldestCount = this.#counts?.[0] ?? 1
    if (this.#counts !== null && oldestCount > 1) this.#counts[0] = oldestCount - 1
    else this.#dropOldest(1)
  }

  /** Milliseconds until the next token returns; 0 when none is out. */
  nextTokenMs(nowMs: number): number {
    return this.#untilReturn(this.#takenMs[0], nowMs)
  }

  /** Milliseconds until all tokens have returned. */
  allTokensMs(nowMs: number): number {
    return this.#untilReturn(this.#takenMs.at(-1), nowMs)
  }

  #untilReturn(takenMs: number | undefined, nowMs: number): number {
    return takenMs === undefined ? 0 : Math.max(0, takenMs + this.#windowMs - nowMs)
  }

  #isSameSubWindow(takenMs: number | undefined, nowMs: number): boolean {
    if (takenMs === undefined) return false
    const subWindowMs = this.#windowMs / subWindows
    return Math.floor(takenMs / subWindowMs) === Math.floor(nowMs / subWindowMs)
  }

  #expire(nowMs: number): void {
    let expired = 0
    for (const takenMs of this.#takenMs) {
      if (takenMs + this.#windowMs > nowMs) break
      this.#used -= this.#counts?.[expired] ?? 1
      expired += 1
    }
    if (expired > 0) this.#dropOldest(expired)
  }

  #dropOldest(entries: number): void {
    this.#takenMs = this.#takenMs.slice(entries)
    this.#counts = this.#counts && this.#counts.slice(entries)
  }
}

export interface RateLimitPolicy {
  limit: number
  windowMs: number
}

/** A limiter's decision about one key. Times are whole milliseconds from now. */
export interface Decision {
  allowed: boolean
  limit: number
  remaining: number
  /** Until the next token returns; 0 while there is one. */
  retryAfterMs: number
  /** Until all tokens have returned. */
  resetMs: number
}

export interface Limiter {
  /** The result that `take` would have now. */
  peek(key: string): Decision
  /** Takes one token if there is one: a refused attempt costs nothing. */
  take(key: string): Decision
  /** The same where guesses count: nothing that another process has admitted is missing. */
  takeExactly(key: string): Promise<Decision>
  /**
   * Returns one token early, for example after a successful sign-in. Call it within one window of
   * its `take`; later it would return the token of another attempt.
   */
  refund(key: string): void
}

export interface RateLimiterOptions extends RateLimitPolicy {
  clock: Clock
  /** Maximum number of keys; default 20,000. */
  keysMax?: number
  /** Absent for one that counts for this process alone. */
  shared?: SharedLimit | undefined
}

/** For a policy of `off`. */
const unlimited: RateLimitPolicy = { limit: Infinity, windowMs: 1 }

const keysMaxDefault = 20_000

/** Part of a full table that is freed at once, so that not every new key costs a scan. */
const freedPart = 1 / 16

/** How many times more tokens a network has than the next narrower one. */
const networkFactor = 4

/** Keys examined for expiry with each `take`: more than one, so that expiry outruns arrival. */
const expiryStepKeys = 2

/**
 * Limits how often each key may act. A token returns one window after it was taken, so that no
 * window of that length, wherever it starts, admits more than `limit` (see TokenBucket).
 *
 * Memory is bounded: when the table is full, the keys of the network with most keys are replaced by
 * one bucket for that network. So a flood of new keys takes only the tokens of its own network, and
 * frees no key outside of it.
 */
export class RateLimiter implements Limiter {
  #limit: number
  #windowMs: number
  readonly #keysMax: number
  readonly #clock: Clock
  readonly #shared: SharedLimit | undefined
  readonly #tell: FollowLimit
  readonly #buckets = new Map<string, TokenBucket>()
  /** Networks that had too many keys. */
  readonly #networks = new Map<string, TokenBucket>()
  #expiryCursor = this.#entries()

  constructor({ limit, windowMs, clock, shared, keysMax = keysMaxDefault }: RateLimiterOptions) {
    this.#limit = limit
    this.#windowMs = windowMs
    this.#keysMax = keysMax
    this.#clock = clock
    this.#shared = shared
    const { exchange, name } = shared ?? { exchange: aloneExchange, name: '' }
    this.#tell = exchange.add(name, (key, change) => this.#follow(key, change))
  }

  /** Changes the policy, to null for no limit. Another one starts with no attempts. */
  use(policy: RateLimitPolicy | null): void {
    const { limit, windowMs } = policy ?? unlimited
    if (limit === this.#limit && windowMs === this.#windowMs) return
    this.#limit = limit
    this.#windowMs = windowMs
    this.#buckets.clear()
    this.#networks.clear()
  }

  /** Number of keys and networks in memory. */
  get size(): number {
    return this.#buckets.size + this.#networks.size
  }

  peek(key: string): Decision {
    const nowMs = this.#clock.monotonic()
    const bucket = this.#find(key) ?? this.#newBucket()
    return this.#decide(bucket, bucket.remaining(nowMs) > 0, nowMs)
  }

  take(key: string): Decision {
    if (this.#limit === Infinity) return this.peek(key)
    const nowMs = this.#clock.monotonic()
    this.#dropExpired(nowMs)
    const bucket = this.#find(key) ?? this.#add(key, nowMs)
    const decision = this.#decide(bucket, bucket.take(nowMs), nowMs)
    if (decision.allowed) this.#tell(key, 1)
    return decision
  }

  async takeExactly(key: string): Promise<Decision> {
    if (!this.#shared?.isExact || this.#limit === Infinity) return this.take(key)
    return this.#shared.exchange.decide(() => this.take(key))
  }

  refund(key: string): void {
    if (this.#limit === Infinity) return
    this.#find(key)?.refund(this.#clock.monotonic())
    this.#tell(key, -1)
  }

  #follow(key: string, change: number): void {
    const nowMs = this.#clock.monotonic()
    const bucket = this.#find(key) ?? this.#add(key, nowMs)
    for (let count = 0; count < change && bucket.take(nowMs); count += 1);
    for (let count = 0; count < -change; count += 1) bucket.refund(nowMs)
  }

  #decide(bucket: TokenBucket, allowed: boolean, nowMs: number): Decision {
    // A network's bucket holds more.
    const remaining = Math.min(bucket.remaining(nowMs), this.#limit)
    const retryAfterMs = remaining > 0 ? 0 : Math.ceil(bucket.nextTokenMs(nowMs))
    const resetMs = Math.ceil(bucket.allTokensMs(nowMs))
    return { allowed, limit: this.#limit, remaining, retryAfterMs, resetMs }
  }

  #newBucket(factor = 1): TokenBucket {
    return new TokenBucket(this.#limit * factor, this.#windowMs)
  }

  /**
   * The bucket that counts for a key: its own, otherwise that of the narrowest network with one.
   */
  #find(key: string): TokenBucket | undefined {
    const own = this.#buckets.get(key)
    if (own || this.#networks.size === 0) return own
    for (let level = 0; level < networkLevels; level += 1) {
      const bucket = this.#networks.get(networkAt(key, level) ?? '')
      if (bucket) return bucket
    }
    return undefined
  }

  #add(key: string, nowMs: number): TokenBucket {
    if (this.size >= this.#keysMax) {
      this.#makeRoom(nowMs)
      // Its network may have one bucket now.
      const found = this.#find(key)
      if (found) return found
      // There are fewer keys than networks of the widest kind.
      const [oldest] = this.#buckets.keys()
      if (this.size >= this.#keysMax) this.#buckets.delete(oldest!)
    }
    const bucket = this.#newBucket()
    this.#buckets.set(key, bucket)
    return bucket
  }

  #dropExpired(nowMs: number): void {
    for (let step = 0; step < expiryStepKeys; step += 1) {
      const next = this.#expiryCursor.next()
      if (next.done) {
        // An exhausted iterator does not see later entries.
        this.#expiryCursor = this.#entries()
        return
      }
      const { buckets, key, bucket } = next.value
      if (bucket.allTokensMs(nowMs) === 0) buckets.delete(key)
    }
  }

  *#entries() {
    for (const buckets of [this.#buckets, this.#networks]) {
      for (const [key, bucket] of buckets) yield { buckets, key, bucket }
    }
  }

  /** Removes keys with all tokens, then replaces keys by their networks. */
  #makeRoom(nowMs: number): void {
    for (const { buckets, key, bucket } of this.#entries()) {
      if (bucket.allTokensMs(nowMs) === 0) buckets.delete(key)
    }
    const sizeMax = Math.floor(this.#keysMax * (1 - freedPart))
    for (let level = 0; this.size > sizeMax && level < networkLevels; level += 1) {
      this.#mergeNetworks(level, sizeMax)
    }
  }

  /** Merges the networks of a level with most keys first; at the last level, all of them. */
  #mergeNetworks(level: number, sizeMax: number): void {
    const members = new Map<string, string[]>()
    for (const { key } of this.#entries()) {
      const network = networkAt(key, level)
      if (network === null) continue
      const known = members.get(network)
      if (known) known.push(key)
      else members.set(network, [key])
    }
    const byCount = [...members].toSorted(([, one], [, other]) => other.length - one.length)
    for (const [network, keys] of byCount) {
      if (this.size <= sizeMax || keys.length < 2) return
      for (const key of keys) {
        this.#buckets.delete(key)
        this.#networks.delete(key)
      }
      this.#networks.set(network, this.#newBucket(networkFactor ** (level + 1)))
    }
  }
}

/** A limiter for the policy; null (`off`) always allows. */
export function createRateLimiter(
  policy: RateLimitPolicy | null,
  clock: Clock,
  shared?: SharedLimit,
): RateLimiter {
  return new RateLimiter({ ...(policy ?? unlimited), clock, shared })
}

/**
 * Tells other processes of the tokens that this one has given, and follows theirs: see
 * database/limiter-exchange.ts.
 */
export interface LimitExchange {
  /**
   * @param follow called for changes of a key in other processes
   * @returns what to call for each change of a key in this one
   */
  add(name: string, follow: FollowLimit): FollowLimit
  /**
   * Makes a decision that knows all earlier ones of all processes.
   * @throws errors of the decision; CodedError unavailable
   */
  decide<T>(decision: () => T): Promise<T>
  /** Tells the others now, and follows what they have told. Absent for the only process. */
  exchange?(): Promise<void>
  /** Does that once a second. */
  start?(): void
  stop?(): void
}

/** @param change tokens taken; negative for refunds */
export type FollowLimit = (key: string, change: number) => void

/** How a limiter counts together with those of other processes. */
export interface SharedLimit {
  readonly exchange: LimitExchange
  /** Unique, and the same everywhere. */
  readonly name: string
  /**
   * Whether `takeExactly` asks the others first. Otherwise a key gets at most its limit from each
   * process within a second.
   */
  readonly isExact?: boolean
}

/** For the only process. */
export const aloneExchange: LimitExchange = {
  add: () => () => {},
  decide: async (decision) => decision(),
}
