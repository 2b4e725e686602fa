import { beforeAbort } from './before-abort.ts'

interface Task<T> {
  readonly result: Promise<T>
  readonly abort: AbortController
  waiting: number
}

/** Work that requests share by its key; it is aborted once the last that waits for it has left. */
export class SharedTasks<T> {
  readonly #tasks = new Map<string, Task<T>>()

  /**
   * @param start called when the work is not running; nothing is shared if it throws
   * @throws errors of the work; the signal's reason
   */
  async join(
    key: string,
    signal: AbortSignal,
    start: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted()
    const task = this.#tasks.get(key) ?? this.#begin(key, start)
    task.waiting += 1
    try {
      return await beforeAbort(task.result, signal)
    } finally {
      task.waiting -= 1
      if (task.waiting === 0) {
        this.#tasks.delete(key)
        task.abort.abort()
      }
    }
  }

  #begin(key: string, start: (signal: AbortSignal) => Promise<T>): Task<T> {
    const abort = new AbortController()
    const task = { result: start(abort.signal), abort, waiting: 0 }
    // The last one may have left before it fails.
    task.result.catch(() => {})
    this.#tasks.set(key, task)
    return task
  }
}
