import type { Clock } from '../../lib/clock.ts'

const keptMax = 100
/** A failure is kept too, so that a provider that is down is not asked by every request. */
const failureKeptMs = 10_000

interface Kept<T> {
  readonly at: number
  readonly value: Promise<T>
  hasFailed: boolean
}

/** Results of reads from elsewhere, shared by all who ask meanwhile; the oldest ones go first. */
export class KeptReads<T> {
  readonly #clock: Clock
  readonly #kept = new Map<string, Kept<T>>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @throws errors of `load` */
  read(key: string, keptMsMax: number, load: () => Promise<T>): Promise<T> {
    const now = this.#clock.monotonic()
    const found = this.#kept.get(key)
    if (found) {
      const lifeMs = found.hasFailed ? Math.min(failureKeptMs, keptMsMax) : keptMsMax
      if (now - found.at < lifeMs) return found.value
    }
    const fresh: Kept<T> = { at: now, value: load(), hasFailed: false }
    fresh.value.catch(() => (fresh.hasFailed = true))
    this.#kept.delete(key)
    this.#kept.set(key, fresh)
    if (this.#kept.size > keptMax) this.#kept.delete(this.#kept.keys().next().value!)
    return fresh.value
  }
}
