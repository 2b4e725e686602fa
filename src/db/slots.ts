import { unavailable } from './failures.ts'

interface Waiter<T> {
  resolve(slot: T): void
  reject(error: unknown): void
  timer: NodeJS.Timeout
}

export interface SlotsOptions {
  waitersMax: number
  waitMs: number
}

/**
 * Hands out each of a fixed set of things to one user at a time. Waiting is bounded twice, in
 * number and in time; past either bound it is `unavailable` (503).
 * The one given back last goes out first, so that those not needed fall idle.
 */
export class Slots<T> {
  readonly #free: T[]
  readonly #waiters = new Set<Waiter<T>>()
  readonly #options: SlotsOptions
  #closed = false

  constructor(slots: readonly T[], options: SlotsOptions) {
    this.#free = [...slots]
    this.#options = options
  }

  /** Those nobody uses at the moment. */
  get free(): readonly T[] {
    return this.#free
  }

  /** A slot without waiting, or null. */
  tryAcquire(): T | null {
    return this.#closed ? null : (this.#free.pop() ?? null)
  }

  async acquire(): Promise<T> {
    const slot = this.tryAcquire()
    if (slot !== null) return slot
    if (this.#closed) throw unavailable(new Error('the connections are closed'))
    if (this.#waiters.size >= this.#options.waitersMax) {
      throw unavailable(new Error(`${this.#waiters.size} queries wait for a connection already`))
    }
    return await new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.delete(waiter)
        reject(unavailable(new Error(`no connection came in ${this.#options.waitMs} ms`)))
      }, this.#options.waitMs)
      const waiter: Waiter<T> = { resolve, reject, timer }
      this.#waiters.add(waiter)
    })
  }

  release(slot: T): void {
    const [waiter] = this.#waiters
    if (!waiter) {
      this.#free.push(slot)
      return
    }
    this.#waiters.delete(waiter)
    clearTimeout(waiter.timer)
    waiter.resolve(slot)
  }

  /** Refuses whoever waits and whoever comes. */
  close(): void {
    this.#closed = true
    for (const waiter of this.#waiters) {
      clearTimeout(waiter.timer)
      waiter.reject(unavailable(new Error('the connections are closed')))
    }
    this.#waiters.clear()
  }
}
