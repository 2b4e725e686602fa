import { Semaphore } from './semaphore.ts'
import type { WaitOptions } from './waiters.ts'

interface Line {
  readonly semaphore: Semaphore
  /** Tasks that run or wait. */
  tasks: number
}

/** Runs tasks with the same key one after the other, in order of arrival. */
export class Turns {
  readonly #lines = new Map<string, Line>()

  /**
   * @throws CodedError unavailable when too many wait, or after too long a wait; the signal's
   *   reason; errors of the task
   */
  async run<T>(key: string, task: () => Promise<T>, options: WaitOptions = {}): Promise<T> {
    const line = this.#lines.get(key) ?? { semaphore: new Semaphore(1), tasks: 0 }
    this.#lines.set(key, line)
    line.tasks += 1
    try {
      const release = await line.semaphore.take(options)
      try {
        return await task()
      } finally {
        release()
      }
    } finally {
      line.tasks -= 1
      if (line.tasks === 0) this.#lines.delete(key)
    }
  }
}
