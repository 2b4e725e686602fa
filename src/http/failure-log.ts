import type { Clock } from '../lib/clock.ts'
import type { CodedError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'

const pauseMs = 10_000
const knownMax = 32

/**
 * The log of errors that are ours (5xx). What thousands of requests may meet at once, too much work
 * or a database that is away, is logged every ten seconds, with how often it came; the access log
 * has every request.
 */
export class FailureLog {
  readonly #log: Log
  readonly #clock: Clock
  readonly #known = new Map<string, { readonly loggedAt: number; missed: number }>()

  constructor(log: Log, clock: Clock) {
    this.#log = log
    this.#clock = clock
  }

  write(error: CodedError): void {
    const { message, code, cause } = error
    // Without a cause it is too much at once, and nothing is broken.
    const level = code === 'unavailable' && !cause ? 'warn' : 'error'
    const fields = { code, cause: cause ?? error }
    if (code !== 'unavailable') return this.#log[level](message, fields)
    const times = this.#count(cause instanceof Error ? cause.message : message)
    if (times > 0) this.#log[level](message, { ...fields, ...(times > 1 ? { times } : {}) })
  }

  /** How often it came since it was logged, this time included; 0 when that was just now. */
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
