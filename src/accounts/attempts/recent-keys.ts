import type { Clock } from '../../lib/clock.ts'

const keysMaxDefault = 10_000

/** Keys that were added within a given time; only the newest 10,000. */
export class RecentKeys {
  readonly #clock: Clock
  readonly #lifeMs: number
  readonly #keysMax: number
  /** When each was last added, oldest first. */
  readonly #addedMs = new Map<string, number>()

  constructor(clock: Clock, lifeMs: number, keysMax = keysMaxDefault) {
    this.#clock = clock
    this.#lifeMs = lifeMs
    this.#keysMax = keysMax
  }

  has(key: string): boolean {
    const addedMs = this.#addedMs.get(key)
    return addedMs !== undefined && this.#clock.monotonic() - addedMs < this.#lifeMs
  }

  add(key: string): void {
    this.#addedMs.delete(key)
    this.#addedMs.set(key, this.#clock.monotonic())
    for (const [oldest, addedMs] of this.#addedMs) {
      const isOver = this.#clock.monotonic() - addedMs >= this.#lifeMs
      if (!isOver && this.#addedMs.size <= this.#keysMax) return
      this.#addedMs.delete(oldest)
    }
  }
}
