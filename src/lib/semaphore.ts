import { CodedError } from './errors.ts'

export interface WaitOptions {
  /** Ends the wait, not the task. */
  readonly signal?: AbortSignal | undefined
  /** How long to wait at most; without it as long as it takes. */
  readonly waitMsMax?: number
}

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
    if (this.#running >= this.#limit) await this.#wait(options)
    else this.#running += 1
    let isTaken = true
    return () => {
      if (isTaken) this.#giveBack()
      isTaken = false
    }
  }

  #giveBack(): void {
    const [admit] = this.#waiters
    // The place passes to the next one without being free in between.
    if (admit) admit()
    else this.#running -= 1
  }

  #wait({ signal, waitMsMax }: WaitOptions): Promise<void> {
    if (this.#waiters.size >= this.#waitersMax) throw busy()
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const end = () => {
        this.#waiters.delete(admit)
        signal?.removeEventListener('abort', onAbort)
        clearTimeout(timer)
      }
      const admit = () => {
        end()
        resolve()
      }
      const onAbort = () => {
        end()
        reject(signal!.reason as Error)
      }
      const onTimeout = () => {
        end()
        reject(busy())
      }
      this.#waiters.add(admit)
      signal?.addEventListener('abort', onAbort)
      if (waitMsMax !== undefined) timer = setTimeout(onTimeout, waitMsMax)
    })
  }
}

/** The answer to those who would wait too long. */
export function busy(): CodedError {
  return new CodedError('unavailable', {
    message: 'The service is busy. Try again in a few seconds.',
    headers: { 'Retry-After': '5' },
  })
}
