import { busy, Waiters, type WaitOptions } from './waiters.ts'

/** At most `limit` tasks at once; the others wait in order, at most `waitersMax` of them. */
export class Semaphore {
  readonly #limit: number
  readonly #waitersMax: number
  readonly #waiters = new Waiters()
  #running = 0

  constructor(limit: number, waitersMax = 10_000) {
    this.#limit = limit
    this.#waitersMax = waitersMax
  }

  /**
   * @param signal ends the wait for a place, not the task
   * @throws what `take` throws, or what the task does
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
   * Takes a place, and returns what gives it back (once).
   * @throws CodedError unavailable when too many wait already, or none became free in time; the
   *   signal's reason when it aborts before there is a place
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
    // The place passes to the next one without being free in between.
    if (next) next.admit()
    else this.#running -= 1
  }
}
