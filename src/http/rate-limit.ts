import type { Clock } from '../lib/clock.ts'
import { TokenBucket } from './token-bucket.ts'

export interface RateLimitPolicy {
  limit: number
  windowMs: number
}

/** What a limiter says of one key. Times are whole milliseconds from now. */
export interface Decision {
  allowed: boolean
  limit: number
  remaining: number
  /** Until the next token is back; 0 while there is one. */
  retryAfterMs: number
  /** Until every token is back. */
  resetMs: number
}

export interface Limiter {
  /** What `take` would say now, without taking. */
  peek(key: string): Decision
  /** Takes one token, unless there is none: a refused attempt costs nothing. */
  take(key: string): Decision
  /**
   * Gives one token back before its time, as for a login that turned out to be right. To be called
   * within one window of its `take`; later it would give back somebody else's.
   */
  giveBack(key: string): void
}

export interface RateLimiterOptions extends RateLimitPolicy {
  clock: Clock
  /** Keys remembered at most; default 20,000. */
  keysMax?: number
}

const keysMaxDefault = 20_000

/** When full, this part of the table is freed at once, so that not every new key costs a scan. */
const evictedPart = 1 / 16

/** Pause between two scans of a full table: bounds what a flood of new keys can make us do. */
const scanPauseMs = 1000

/** Keys looked at for expiry with each `take`: more than one, so that expiry outruns arrival. */
const expiryStepKeys = 2

/**
 * Limits how often each key may act. A token comes back one window after it was taken, so that no
 * window of that length, wherever it starts, admits more than `limit` (see TokenBucket).
 *
 * Memory is bounded: when the table is full, the keys with the most tokens left are forgotten
 * first, and a key without tokens never is, so that a flood of new keys cannot free the one that
 * sent them. When all are without tokens, new keys share one bucket until a token comes back.
 */
export class RateLimiter implements Limiter {
  readonly #limit: number
  readonly #windowMs: number
  readonly #keysMax: number
  readonly #clock: Clock
  readonly #buckets = new Map<string, TokenBucket>()
  readonly #overflow: TokenBucket
  #expiryCursor: Iterator<[string, TokenBucket]>
  #nextScanMs = -Infinity

  /** Throws a RangeError when a limit is not a whole number of at least 1. */
  constructor({ limit, windowMs, clock, keysMax = keysMaxDefault }: RateLimiterOptions) {
    for (const [name, value] of Object.entries({ limit, windowMs, keysMax })) {
      if (!Number.isSafeInteger(value) || value < 1) {
        throw new RangeError(`rate limiter: ${name} ${value} is not a whole number >= 1`)
      }
    }
    this.#limit = limit
    this.#windowMs = windowMs
    this.#keysMax = keysMax
    this.#clock = clock
    this.#overflow = new TokenBucket(limit, windowMs)
    this.#expiryCursor = this.#buckets.entries()
  }

  /** Keys remembered now. */
  get size(): number {
    return this.#buckets.size
  }

  peek(key: string): Decision {
    const nowMs = this.#clock.monotonic()
    const bucket = this.#find(key, nowMs) ?? new TokenBucket(this.#limit, this.#windowMs)
    return this.#decide(bucket, bucket.remaining(nowMs) > 0, nowMs)
  }

  take(key: string): Decision {
    const nowMs = this.#clock.monotonic()
    this.#dropExpired(nowMs)
    let bucket = this.#find(key, nowMs)
    if (bucket === null) {
      bucket = new TokenBucket(this.#limit, this.#windowMs)
      this.#buckets.set(key, bucket)
    }
    return this.#decide(bucket, bucket.take(nowMs), nowMs)
  }

  /** A key that was forgotten, or that took from the shared bucket, has nothing to give back. */
  giveBack(key: string): void {
    this.#buckets.get(key)?.giveBack(this.#clock.monotonic())
  }

  #decide(bucket: TokenBucket, allowed: boolean, nowMs: number): Decision {
    const remaining = bucket.remaining(nowMs)
    const retryAfterMs = remaining > 0 ? 0 : Math.ceil(bucket.nextTokenMs(nowMs))
    const resetMs = Math.ceil(bucket.allTokensMs(nowMs))
    return { allowed, limit: this.#limit, remaining, retryAfterMs, resetMs }
  }

  /** The key's bucket, null when it may have a new one, else the shared bucket. */
  #find(key: string, nowMs: number): TokenBucket | null {
    const known = this.#buckets.get(key)
    if (known !== undefined) return known
    if (this.#buckets.size >= this.#keysMax) this.#evict(nowMs)
    return this.#buckets.size < this.#keysMax ? null : this.#overflow
  }

  #dropExpired(nowMs: number): void {
    for (let step = 0; step < expiryStepKeys; step += 1) {
      const next = this.#expiryCursor.next()
      if (next.done) {
        // An exhausted iterator stays so, whatever is added later.
        this.#expiryCursor = this.#buckets.entries()
        return
      }
      const [key, bucket] = next.value
      if (bucket.remaining(nowMs) === this.#limit) this.#buckets.delete(key)
    }
  }

  /** Forgets the fullest buckets, the longest known first among equals. */
  #evict(nowMs: number): void {
    if (nowMs < this.#nextScanMs) return
    const keysByRemaining = new Map<number, string[]>()
    for (const [key, bucket] of this.#buckets) {
      const remaining = bucket.remaining(nowMs)
      if (remaining === 0) continue
      const keys = keysByRemaining.get(remaining)
      if (keys === undefined) keysByRemaining.set(remaining, [key])
      else keys.push(key)
    }
    const wanted = Math.max(1, Math.floor(this.#keysMax * evictedPart))
    const byFullness = [...keysByRemaining].toSorted(([left], [right]) => right - left)
    const evicted = byFullness.flatMap(([, keys]) => keys).slice(0, wanted)
    for (const key of evicted) this.#buckets.delete(key)
    if (evicted.length < wanted) this.#nextScanMs = nowMs + scanPauseMs
  }
}

/** For a policy that is off. */
const unlimitedDecision: Decision = Object.freeze({
  allowed: true,
  limit: Infinity,
  remaining: Infinity,
  retryAfterMs: 0,
  resetMs: 0,
})

const unlimited: Limiter = Object.freeze({
  peek: () => unlimitedDecision,
  take: () => unlimitedDecision,
  giveBack: () => {},
})

/** A limiter of the policy, or one that always allows when it is null (`off`). */
export function createRateLimiter(policy: RateLimitPolicy | null, clock: Clock): Limiter {
  return policy === null ? unlimited : new RateLimiter({ ...policy, clock })
}

const unitMs: Record<string, number> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/**
 * `5/15m` is five in any fifteen minutes; units are s, m, h and d; `off` is null. Throws an Error
 * that shows what was written and what is expected.
 */
export function parseRateLimit(text: string): RateLimitPolicy | null {
  if (text.trim().toLowerCase() === 'off') return null
  const [, limit, count, unit] = /^(\d{1,7})\/(\d{1,5})([smhd])$/.exec(text.trim()) ?? []
  const policy = { limit: Number(limit), windowMs: Number(count) * (unitMs[unit ?? ''] ?? 0) }
  if (!(policy.limit >= 1 && policy.windowMs >= 1)) {
    throw new Error(
      `"${text}" is no rate limit: ` +
        'write attempts/time such as 5/15m or 100/1h (s, m, h, d), or off',
    )
  }
  return policy
}

/**
 * `RateLimit-Limit`, `-Remaining` and `-Reset` (draft-ietf-httpapi-ratelimit-headers-03), and
 * `Retry-After` (RFC 9110, section 10.2.3) when refused, in whole seconds rounded up. Empty when
 * there is no limit.
 */
export function rateLimitHeaders(decision: Decision): Record<string, string> {
  if (decision.limit === Infinity) return {}
  const headers: Record<string, string> = {
    'RateLimit-Limit': String(decision.limit),
    'RateLimit-Remaining': String(decision.remaining),
    'RateLimit-Reset': String(Math.ceil(decision.resetMs / 1000)),
  }
  if (!decision.allowed) {
    headers['Retry-After'] = String(Math.max(1, Math.ceil(decision.retryAfterMs / 1000)))
  }
  return headers
}
