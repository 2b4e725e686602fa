import type { LimitExchange } from '../http/limit-exchange.ts'
import { createRateLimiter, type RateLimitPolicy } from '../http/rate-limit.ts'
import type { Clock } from '../lib/clock.ts'
import { hourMs, minuteMs } from '../lib/durations.ts'
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
