import type { Clock } from '../lib/clock.ts'
import type { CodedError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'

const pauseMs = 10_000
const knownMax = 32

/**
 * Logs our own errors (5xx). Errors that thousands of requests may meet at once (overload, an
 * unreachable database) are logged every ten seconds with their count; the access log has every
 * request.
 */
export class FailureLog {
  readonly #log: Log
  readonly #clock: Clock
  readonly #known = new Map<string, { readonly loggedAt: number; missed: number }>()

  constructor(log: Log, clock: Clock) {
    this.#log = log
    this.#clock = clock
  }

  write(error: CodedError, requestId: string): void {
    const { message, code, cause } = error
    // Without a cause the service is overloaded, not broken.
    const level = code === 'unavailable' && !cause ? 'warn' : 'error'
    const fields = { code, requestId, cause: cause ?? error }
    if (code !== 'unavailable') return this.#log[level](message, fields)
    const times = this.#count(cause instanceof Error ? cause.message : message)
    if (times > 0) this.#log[level](message, { ...fields, ...(times > 1 ? { times } : {}) })
  }

  /**
   * How often it occurred since it was last logged, including this time; 0 if that was just now.
   */
  #count(name: string): number {
    const now = this.#clock.monotonic()
    const known = this.#known.get(name)
    if (known && now - known.loggedAt < pauseMs) {
      known.missed += 1
      return 0
    }
    this.#known.delete(name)
    this.#known.set(name, { loggedAt: now, missed: 0 })
    const [oldest] = this.#known.keys()
    if (this.#known.size > knownMax) this.#known.delete(oldest!)
    return (known?.missed ?? 0) + 1
  }
}
