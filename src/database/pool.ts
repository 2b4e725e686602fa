import { Waiters } from '../lib/waiters.ts'
import { unavailable } from './failures.ts'

export interface SlotsOptions {
  waitersMax: number
  waitMs: number
}

/**
 * Lends each of a fixed set of objects to one user at a time. Waiting is bounded in number and
 * time; beyond either bound it fails with `unavailable` (503). The object returned last is lent
 * first, so that unneeded ones become idle.
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

  /** Users that wait for a slot. */
  get waiting(): number {
    return this.#waiters.size
  }

  /** The slots that are not in use. */
  get free(): readonly T[] {
    return this.#free
  }

  /** A slot if one is free, otherwise null. */
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

  /** Refuses all present and future waiters. */
  close(): void {
    this.#closed = true
    for (const waiter of this.#waiters) waiter.refuse()
  }
}
