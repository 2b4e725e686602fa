import { CodedError } from './errors.ts'

/** At most `limit` tasks at once; the others wait in order, at most `waitersMax` of them. */
export class Semaphore {
  readonly #limit: number
  readonly #waitersMax: number
  readonly #waiters = new Set<() => void>()
  #running = 0

  constructor(limit: number, waitersMax = 10_000) {
    this.#limit = limit
    this.#waitersMax = waitersMax
  }

  /**
   * @param signal ends the wait for a place, not the task
   * @throws CodedError unavailable when too many wait already, the signal's reason when it aborts
   *   before there is a place, or what the task throws
   */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    if (this.#running >= this.#limit) await this.#wait(signal)
    else this.#running += 1
    try {
      return await task()
    } finally {
      const [admit] = this.#waiters
      // The place passes to the next one without being free in between.
      if (admit) admit()
      else this.#running -= 1
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiters.size >= this.#waitersMax) {
      throw new CodedError('unavailable', { headers: { 'Retry-After': '5' } })
    }
    return new Promise((resolve, reject) => {
      const end = () => {
        this.#waiters.delete(admit)
        signal?.removeEventListener('abort', onAbort)
      }
      const admit = () => {
        end()
        resolve()
      }
      const onAbort = () => {
        end()
        reject(signal!.reason as Error)
      }
      this.#waiters.add(admit)
      signal?.addEventListener('abort', onAbort)
    })
  }
}
