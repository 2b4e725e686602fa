import type { Config } from '../config/load.ts'
import { createRateLimiter } from '../http/rate-limit.ts'
import type { Clock } from '../lib/clock.ts'

type Limits = Pick<
  Config,
  'rateLimitLogin' | 'rateLimitReset' | 'rateLimitUpload' | 'rateLimitDownload'
>

/** The limiters of boot options. `use` applies changed options. */
export function createLimiters(config: Limits, clock: Clock) {
  const login = createRateLimiter(config.rateLimitLogin, clock)
  const reset = createRateLimiter(config.rateLimitReset, clock)
  const upload = createRateLimiter(config.rateLimitUpload, clock)
  const download = createRateLimiter(config.rateLimitDownload, clock)
  // As many as chunks, but counted apart: they must not hold up the files.
  const putThumbnail = createRateLimiter(config.rateLimitUpload, clock)
  return {
    named: { login, reset, upload, download, putThumbnail },
    use(changed: Limits) {
      login.use(changed.rateLimitLogin)
      reset.use(changed.rateLimitReset)
      upload.use(changed.rateLimitUpload)
      download.use(changed.rateLimitDownload)
      putThumbnail.use(changed.rateLimitUpload)
    },
  }
}
