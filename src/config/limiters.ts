import { createRateLimiter } from '../http/rate-limit.ts'
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
export function createLimiters(config: Limits, clock: Clock) {
  const login = createRateLimiter(config.rateLimitLogin, clock)
  const reset = createRateLimiter(config.rateLimitReset, clock)
  const upload = createRateLimiter(config.rateLimitUpload, clock)
  const download = createRateLimiter(config.rateLimitDownload, clock)
  const delivery = createRateLimiter(deliveriesOf(config), clock)
  // As many as chunks, but counted apart: they must not hold up the files.
  const putThumbnail = createRateLimiter(config.rateLimitUpload, clock)
  return {
    /** Those that operations name in `limit`. */
    named: {
      login,
      reset,
      upload,
      download,
      putThumbnail,
      delivery,
      getThumbnail: createRateLimiter(thumbnails, clock),
    },
    longLists: createRateLimiter(longLists, clock),
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
