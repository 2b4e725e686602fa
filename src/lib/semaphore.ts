import { busy, Waiters, type WaitOptions } from './waiters.ts'

/** Runs at most `limit` tasks at once; at most `waitersMax` others wait in order. */
export class Semaphore {
  readonly #limit: number
  readonly #waitersMax: number
  readonly #waiters = new Waiters()
  #running = 0

  constructor(limit: number, waitersMax = 10_000) {
    this.#limit = limit
    this.#waitersMax = waitersMax
  }

  /** Tasks that wait. */
  get waiting(): number {
    return this.#waiters.size
  }

  /**
   * @param signal ends the wait for a permit, not the task
   * @throws errors of `take`; errors of the task
   */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.take({ signal })
    try {
      return await task()
    } finally {
      release()
    }
  }

  /**
   * Takes a permit, and returns a function that releases it (once).
   * @throws CodedError unavailable when too many wait, or after too long a wait; the signal's
   * reason
   */
  async take(options: WaitOptions = {}): Promise<() => void> {
    options.signal?.throwIfAborted()
    if (this.#running < this.#limit) this.#running += 1
    else if (this.#waiters.size >= this.#waitersMax) throw busy()
    else await this.#waiters.wait(undefined, options)
    let isTaken = true
    return () => {
      if (isTaken) this.#refund()
      isTaken = false
    }
  }

  #refund(): void {
    const [next] = this.#waiters
    // Passes the permit on without freeing it in between.
    if (next) next.admit()
    else this.#running -= 1
  }
}
