import { CodedError } from './errors.ts'

/** At most `limit` tasks at once; the others wait in order, at most `waitersMax` of them. */
export class Semaphore {
  readonly #limit: number
  readonly #waitersMax: number
  readonly #waiters: (() => void)[] = []
  #running = 0

  constructor(limit: number, waitersMax = 10_000) {
    this.#limit = limit
    this.#waitersMax = waitersMax
  }

  /** @throws CodedError unavailable when too many wait already, or what the task throws */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#limit) await this.#wait()
    else this.#running += 1
    try {
      return await task()
    } finally {
      const next = this.#waiters.shift()
      // The place passes to the next one without being free in between.
      if (next) next()
      else this.#running -= 1
    }
  }

  #wait(): Promise<void> {
    if (this.#waiters.length >= this.#waitersMax) {
      throw new CodedError('unavailable', { headers: { 'Retry-After': '5' } })
    }
    return new Promise((resolve) => {
      this.#waiters.push(resolve)
    })
  }
}
