import { FairQueue, type Requester } from './fair-queue.ts'
import { busy, Waiters, type Waiter } from './waiters.ts'

export interface FairSemaphoreOptions {
  /** Tasks at once. */
  readonly atOnceMax: number
  readonly waitersMax: number
  readonly waitMsMax: number
}

/**
 * Runs a few tasks at once, and lets waiting ones go in fair turns: see FairQueue. When too many
 * wait, refuses the latest one of the heaviest requester.
 */
export class FairSemaphore {
  readonly #options: FairSemaphoreOptions
  readonly #queue = new FairQueue<Waiter<Requester>>()
  readonly #waiters = new Waiters<Requester>(this.#queue)
  #running = 0

  constructor(options: FairSemaphoreOptions) {
    this.#options = options
  }

  /** Tasks that run. */
  get permits(): number {
    return this.#running
  }

  /** Tasks that wait. */
  get waiting(): number {
    return this.#queue.size
  }

  /**
   * @param signal ends the wait for a permit, not the task
   * @throws CodedError unavailable when too many wait, or after too long a wait; the signal's
   * reason;
   *   errors of the task
   */
  async run<T>(requester: Requester, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#enter(requester, signal)
    try {
      return await task()
    } finally {
      this.#leave()
    }
  }

  async #enter(requester: Requester, signal: AbortSignal | undefined): Promise<void> {
    const { atOnceMax, waitersMax, waitMsMax } = this.#options
    signal?.throwIfAborted()
    if (this.#running < atOnceMax) {
      this.#running += 1
      return
    }
    if (this.#queue.size >= waitersMax) {
      const refused = this.#queue.latestOfHeaviest(requester)
      if (!refused) throw busy()
      refused.refuse()
    }
    await this.#waiters.wait(requester, { signal, waitMsMax })
  }

  /** Passes the permit on without freeing it in between. */
  #leave(): void {
    const next = this.#queue.take()
    if (next) next.admit()
    else this.#running -= 1
  }
}
