import type { CleanUpClock } from '../../src/jobs/jobs.ts'
import { systemClock, type Clock } from '../../src/lib/clock.ts'
import { patient } from './patience.ts'

/** A clock that only moves when told to; it starts at the real time of its creation. */
export class FakeClock implements Clock {
  #now = Date.now()
  #monotonic = 1_000_000
  #sinceBoot = 2_000_000
  bootId = 'first boot'

  now(): number {
    return this.#now
  }

  monotonic(): number {
    return this.#monotonic
  }

  sinceBoot(): number {
    return this.#sinceBoot
  }

  /** Waits of the product take real time. */
  setTimer(ms: number, call: () => void): () => void {
    return systemClock.setTimer(patient(ms), call)
  }

  /** Time passes, on all clocks. */
  advance(ms: number): void {
    this.#now += ms
    this.#monotonic += ms
    this.#sinceBoot += ms
  }

  /** The process is off while time passes; the machine is on. */
  stop(ms: number): void {
    this.advance(ms)
    this.#monotonic = 1_000_000
  }

  /** The machine is off while time passes, and boots again. */
  reboot(ms: number): void {
    this.stop(ms)
    this.#sinceBoot = 10_000
    this.bootId = `boot of ${this.#now}`
  }

  /** The wall clock is set; no time passes. */
  jump(ms: number): void {
    this.#now += ms
  }
}

/** Jobs may run at any time. */
export const trustedClock: CleanUpClock = {
  isTrusted: async () => true,
  confirmIsRight: async () => {},
  ran: async () => {},
}
