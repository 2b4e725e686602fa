import { createRateLimiter } from '../http/rate-limit.ts'
import type { LimitExchange, RateLimiter, RateLimitPolicy } from '../http/rate-limit.ts'
import { type Clock, dayMs, hourMs, minuteMs } from '../lib/clock.ts'
import type { Config } from './load.ts'

/** Ten shares with all their thumbnails. */
const thumbnails = { limit: 20_000, windowMs: hourMs }

/** Enough for a delivery of very many files that is finalized repeatedly. */
const longLists = { limit: 20, windowMs: 15 * minuteMs }

/** Beginning a delivery stores a row, and no bytes that a quota or a link's limit counts. */
const deliveries = { limit: 600, windowMs: hourMs }

type Limits = Pick<
  Config,
  'rateLimitLogin' | 'rateLimitReset' | 'rateLimitUpload' | 'rateLimitDownload'
>

/** The policies of the limiters that operations name in `limit`. */
const policiesOf = ({ rateLimitUpload: upload, ...others }: Limits) => ({
  login: others.rateLimitLogin,
  reset: others.rateLimitReset,
  upload,
  download: others.rateLimitDownload,
  delivery: upload && deliveries,
  // As many as chunks, but counted apart: they must not hold up the files.
  putThumbnail: upload,
  getThumbnail: thumbnails,
})

/** The limiters of requests. `use` applies changed boot options. */
export function createLimiters(config: Limits, clock: Clock, exchange: LimitExchange) {
  const create = (name: string, policy: RateLimitPolicy | null) =>
    // Passwords can be guessed: instances that count apart would give more attempts.
    createRateLimiter(policy, clock, { exchange, name, isExact: name === 'login' })
  const policies = policiesOf(config)
  const names = Object.keys(policies) as (keyof typeof policies)[]
  const limiters = names.map((name) => [name, create(name, policies[name])])
  const named = Object.fromEntries(limiters) as Record<keyof typeof policies, RateLimiter>
  return {
    named,
    longLists: create('long lists', longLists),
    use(changed: Limits) {
      const next = policiesOf(changed)
      for (const name of names) named[name].use(next[name])
    },
  }
}

const unitMs: Record<string, number> = { s: 1000, m: minuteMs, h: hourMs, d: dayMs }

/**
 * `5/15m` is five in any fifteen minutes; units are s, m, h and d; `off` is null. Throws an Error
 * that shows the text and the expected form.
 */
export function parseRateLimit(text: string): RateLimitPolicy | null {
  if (text.trim().toLowerCase() === 'off') return null
  const [, limit, count, unit] = /^(\d{1,7})\/(\d{1,5})([smhd])$/.exec(text.trim()) ?? []
  const policy = { limit: Number(limit), windowMs: Number(count) * (unitMs[unit ?? ''] ?? 0) }
  if (!(policy.limit >= 1 && policy.windowMs >= 1)) {
    throw new Error(
      `"${text}" is not a rate limit: ` +
        'use attempts/time such as 5/15m or 100/1h (s, m, h, d), or off',
    )
  }
  return policy
}
