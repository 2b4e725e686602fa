import { monitorEventLoopDelay, performance, type IntervalHistogram } from 'node:perf_hooks'
import type { Clock } from '../../lib/clock.ts'
import { minuteMs } from '../../lib/durations.ts'

const resolutionMs = 20

/** Delays of the event loop within the last minute, in seconds. */
export interface LoopDelay {
  readonly mean: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Measures the event loop from the first scrape on: it costs 0.4 % of a processor. */
export class EventLoop {
  readonly #clock: Clock
  #histogram: IntervalHistogram | null = null
  #resetAtMs = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Seconds in which the event loop was busy, since the start. */
  get activeSeconds(): number {
    return performance.eventLoopUtilization().active / 1000
  }

  /** The delay since the last reset, at most a minute ago; null at the first call. */
  readDelay(): LoopDelay | null {
    if (!this.#histogram) {
      this.#histogram = monitorEventLoopDelay({ resolution: resolutionMs })
      this.#histogram.enable()
      this.#resetAtMs = this.#clock.monotonic()
      return null
    }
    const histogram = this.#histogram
    if (histogram.count === 0) return null
    const delay = {
      mean: secondsOf(histogram.mean),
      p50: secondsOf(histogram.percentile(50)),
      p99: secondsOf(histogram.percentile(99)),
      max: secondsOf(histogram.max),
    }
    if (this.#clock.monotonic() - this.#resetAtMs >= minuteMs) {
      histogram.reset()
      this.#resetAtMs = this.#clock.monotonic()
    }
    return delay
  }

  stop(): void {
    this.#histogram?.disable()
    this.#histogram = null
  }
}

/** Recorded nanoseconds include the interval of the timer that measures. */
function secondsOf(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000)
}
