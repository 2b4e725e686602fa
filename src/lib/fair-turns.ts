import { FairQueue, type Asker } from './fair-queue.ts'
import { busy, Waiters, type Waiter } from './waiters.ts'

export interface FairTurnsOptions {
  /** Tasks at once. */
  readonly atOnceMax: number
  readonly waitersMax: number
  readonly waitMsMax: number
}

/**
 * Runs tasks, a few at once, and lets those that wait go in turns by who asks: see FairQueue. When
 * too many wait, the latest of those that wait most often is refused.
 */
export class FairTurns {
  readonly #options: FairTurnsOptions
  readonly #queue = new FairQueue<Waiter<Asker>>()
  readonly #waiters = new Waiters<Asker>(this.#queue)
  #running = 0

  constructor(options: FairTurnsOptions) {
    this.#options = options
  }

  /**
   * @param signal ends the wait for a turn, not the task
   * @throws CodedError unavailable when too many wait, or for too long; the signal's reason; what
   *   the task throws
   */
  async run<T>(asker: Asker, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#enter(asker, signal)
    try {
      return await task()
    } finally {
      this.#leave()
    }
  }

  async #enter(asker: Asker, signal: AbortSignal | undefined): Promise<void> {
    const { atOnceMax, waitersMax, waitMsMax } = this.#options
    signal?.throwIfAborted()
    if (this.#running < atOnceMax) {
      this.#running += 1
      return
    }
    if (this.#queue.size >= waitersMax) {
      const refused = this.#queue.latestOfHeaviest(asker)
      if (!refused) throw busy()
      refused.refuse()
    }
    await this.#waiters.wait(asker, { signal, waitMsMax })
  }

  /** The turn passes to the next one without being free in between. */
  #leave(): void {
    const next = this.#queue.take()
    if (next) next.admit()
    else this.#running -= 1
  }
}
