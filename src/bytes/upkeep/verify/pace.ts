import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../../../lib/clock.ts'

/** Shorter waits are added up, because timers are not that exact. */
const waitMsMin = 10

export interface PaceOptions {
  /** Null for no limit. */
  readonly bytesPerSecond: number | null
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Limits the rate of reads, so that other work can use the disk. */
export class Pace {
  readonly #options: PaceOptions
  #owedMs = 0
  #at: number

  constructor(options: PaceOptions) {
    this.#options = options
    this.#at = options.clock.monotonic()
  }

  /** Call after each read. Throws the signal's reason. */
  async took(bytes: number): Promise<void> {
    const { bytesPerSecond, clock, signal } = this.#options
    signal.throwIfAborted()
    if (bytesPerSecond === null) return
    const now = clock.monotonic()
    this.#owedMs = Math.max(0, this.#owedMs - (now - this.#at)) + (bytes / bytesPerSecond) * 1000
    this.#at = now
    if (this.#owedMs < waitMsMin) return
    await setTimeout(this.#owedMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    this.#owedMs = 0
    this.#at = clock.monotonic()
  }
}
