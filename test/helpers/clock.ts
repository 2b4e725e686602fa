import type { Clock } from '../../src/lib/clock.ts'

/** A clock that stands still until told otherwise; it starts at the real time of its making. */
export class FakeClock implements Clock {
  #now = Date.now()
  #monotonic = 1_000_000

  now(): number {
    return this.#now
  }

  monotonic(): number {
    return this.#monotonic
  }

  /** Time passes, on both clocks. */
  advance(ms: number): void {
    this.#now += ms
    this.#monotonic += ms
  }

  /** Somebody sets the wall clock; no time passes. */
  jump(ms: number): void {
    this.#now += ms
  }
}
