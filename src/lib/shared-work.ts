/** The result, or the signal's reason if that comes first. The work itself goes on. */
export async function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    // After an abort too: a failure of work that goes on must not end the process.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** Whether work succeeds; its error is of no interest. */
export async function succeeds(work: PromiseLike<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}

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

/** A read that is running, and the one that follows it if a caller waits for it. */
interface Reading<T> {
  readonly current: Promise<T>
  next: Promise<T> | null
}

/**
 * Lets those who ask for the same thing at the same time share one read. Each gets the result of a
 * read that began after it asked, so none sees an older state than with a read of its own.
 * Results must not be changed. At most two reads a key are known at a time.
 */
export class SharedReads<T> {
  readonly #readings = new Map<string, Reading<T>>()

  read(key: string, start: () => Promise<T>): Promise<T> {
    const reading = this.#readings.get(key)
    if (!reading) return this.#run(key, start)
    const run = () => this.#run(key, start)
    reading.next ??= reading.current.then(run, run)
    return reading.next
  }

  #run(key: string, start: () => Promise<T>): Promise<T> {
    // A failure before its first await ends it, too.
    const current = (async () => start())()
    const reading: Reading<T> = { current, next: null }
    this.#readings.set(key, reading)
    const end = () => {
      // The next one takes its place.
      if (reading.next === null) this.#readings.delete(key)
    }
    current.then(end, end)
    return current
  }
}
