/** A read that is running, and the one that follows it if somebody waits for it. */
interface Reading<T> {
  readonly current: Promise<T>
  next: Promise<T> | null
}

/**
 * Lets those who ask for the same thing at the same time share one read. Each gets the result of a
 * read that began after it asked, so nobody sees an older state than with a read of its own.
 * Results must not be changed. At most two reads a key are known at a time.
 */
export class SharedReads<T> {
  readonly #readings = new Map<string, Reading<T>>()

  read(key: string, start: () => Promise<T>): Promise<T> {
    const reading = this.#readings.get(key)
    if (!reading) return this.#run(key, start())
    reading.next ??= reading.current.then(
      () => this.#run(key, start()),
      () => this.#run(key, start()),
    )
    return reading.next
  }

  #run(key: string, current: Promise<T>): Promise<T> {
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
