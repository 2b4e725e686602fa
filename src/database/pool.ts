import { Waiters } from '../lib/waiters.ts'
import { unavailable } from './failures.ts'

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
  readonly #waiters = new Waiters<{ slot: T | null }>()
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
    const { waitersMax, waitMs } = this.#options
    const slot = this.tryAcquire()
    if (slot !== null) return slot
    if (!this.#closed) {
      if (this.#waiters.size >= waitersMax) {
        throw unavailable(new Error('too many queries wait for a connection'))
      }
      const given: { slot: T | null } = { slot: null }
      await this.#waiters.wait(given, { waitMsMax: waitMs }).catch(() => {})
      if (given.slot !== null) return given.slot
    }
    const reason = this.#closed
      ? 'the connections are closed'
      : `no connection came in ${waitMs} ms`
    throw unavailable(new Error(reason))
  }

  release(slot: T): void {
    const [waiter] = this.#waiters
    if (!waiter) {
      this.#free.push(slot)
      return
    }
    waiter.for.slot = slot
    waiter.admit()
  }

  /** Refuses all who wait, and all who come. */
  close(): void {
    this.#closed = true
    for (const waiter of this.#waiters) waiter.refuse()
  }
}
