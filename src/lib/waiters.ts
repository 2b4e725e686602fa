import { CodedError } from './errors.ts'

export interface WaitOptions {
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined
  /** Maximum time of the wait; unlimited when absent. */
  readonly waitMsMax?: number
}

/** A waiter, with what it waits for. */
export interface Waiter<For> {
  readonly for: For
  /** Ends the wait successfully; call it once the waiter has its permit. */
  readonly admit: () => void
  /** Ends the wait with the error for too long a wait. */
  readonly refuse: () => void
}

/** A queue of waiters. */
interface Waiting<For> extends Iterable<Waiter<For>> {
  readonly size: number
  add(waiter: Waiter<For>): void
  delete(waiter: Waiter<For>): void
}

let waitFactor = 1

/** Multiplies the bound of every wait, for tests on a machine with other work. */
export function setWaitFactor(factor: number): void {
  waitFactor = factor
}

/** Waiters for something that is used up, by default in order of arrival. */
export class Waiters<For = void> {
  readonly #waiting: Waiting<For>

  constructor(waiting: Waiting<For> = new Set<Waiter<For>>()) {
    this.#waiting = waiting
  }

  get size(): number {
    return this.#waiting.size
  }

  [Symbol.iterator](): Iterator<Waiter<For>> {
    return this.#waiting[Symbol.iterator]()
  }

  /**
   * Waits to be admitted.
   * @throws CodedError unavailable when refused, or not admitted in time; the signal's reason
   */
  wait(purpose: For, { signal, waitMsMax }: WaitOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const end = () => {
        this.#waiting.delete(waiter)
        signal?.removeEventListener('abort', onAbort)
        clearTimeout(timer)
      }
      const onAbort = () => {
        end()
        reject(signal!.reason as Error)
      }
      const waiter: Waiter<For> = {
        for: purpose,
        admit: () => {
          end()
          resolve()
        },
        refuse: () => {
          end()
          reject(busy())
        },
      }
      this.#waiting.add(waiter)
      signal?.addEventListener('abort', onAbort)
      if (waitMsMax !== undefined) timer = setTimeout(waiter.refuse, waitMsMax * waitFactor)
    })
  }
}

/** The error for too long a wait. */
export function busy(): CodedError {
  return new CodedError('unavailable', {
    message: 'The service is busy. Try again in a few seconds.',
    headers: { 'Retry-After': '5' },
  })
}
