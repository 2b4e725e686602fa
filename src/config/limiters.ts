import { type LimitExchange, createRateLimiter, type RateLimitPolicy } from '../http/rate-limit.ts'
import { type Clock, hourMs, minuteMs } from '../lib/clock.ts'
import type { Config } from './load.ts'

/** Ten shares with all their thumbnails. */
const thumbnails = { limit: 20_000, windowMs: hourMs }

/** Enough for a delivery of very many files that is finalized repeatedly. */
const longLists = { limit: 20, windowMs: 15 * minuteMs }

type Limits = Pick<
  Config,
  'rateLimitLogin' | 'rateLimitReset' | 'rateLimitUpload' | 'rateLimitDownload'
>

/** Beginning a delivery stores a row, and no bytes that a quota or a link's limit counts. */
const deliveriesOf = ({ rateLimitUpload }: Limits) =>
  rateLimitUpload && { limit: 600, windowMs: hourMs }

/** The limiters of requests. `use` applies changed boot options. */
export function createLimiters(config: Limits, clock: Clock, exchange: LimitExchange) {
  const create = (name: string, policy: RateLimitPolicy | null, isExact = false) =>
    createRateLimiter(policy, clock, { exchange, name, isExact })
  const login = create('login', config.rateLimitLogin, true)
  const reset = create('reset', config.rateLimitReset)
  const upload = create('upload', config.rateLimitUpload)
  const download = create('download', config.rateLimitDownload)
  const delivery = create('delivery', deliveriesOf(config))
  // As many as chunks, but counted apart: they must not hold up the files.
  const putThumbnail = create('put thumbnail', config.rateLimitUpload)
  return {
    /** Those that operations name in `limit`. */
    named: {
      login,
      reset,
      upload,
      download,
      putThumbnail,
      delivery,
      getThumbnail: create('get thumbnail', thumbnails),
    },
    longLists: create('long lists', longLists),
    use(changed: Limits) {
      login.use(changed.rateLimitLogin)
      reset.use(changed.rateLimitReset)
      upload.use(changed.rateLimitUpload)
      delivery.use(deliveriesOf(changed))
      download.use(changed.rateLimitDownload)
      putThumbnail.use(changed.rateLimitUpload)
    },
  }
}

const unitMs: Record<string, number> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

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
