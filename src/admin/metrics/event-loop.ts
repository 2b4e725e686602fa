import { monitorEventLoopDelay, performance, type IntervalHistogram } from 'node:perf_hooks'
import type { Clock } from '../../lib/clock.ts'
import { minuteMs } from '../../lib/durations.ts'

const resolutionMs = 20
/** Measuring costs 0.4 % of a processor, so it stops without a scrape for this long. */
const idleMsMax = 5 * minuteMs

/** Delays of the event loop within the last minute, in seconds. */
export interface LoopDelay {
  readonly mean: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Measures the event loop while metrics are scraped. */
export class EventLoop {
  readonly #clock: Clock
  #histogram: IntervalHistogram | null = null
  #resetAtMs = 0
  #stopTimer: NodeJS.Timeout | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Seconds in which the event loop was busy, since the start. */
  get activeSeconds(): number {
    return performance.eventLoopUtilization().active / 1000
  }

  /** The delay since the last reset, at most a minute ago; null at the first call. */
  readDelay(): LoopDelay | null {
    this.#postponeStop()
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
    if (this.#stopTimer) clearTimeout(this.#stopTimer)
    this.#stopTimer = null
    this.#histogram?.disable()
    this.#histogram = null
  }

  #postponeStop(): void {
    if (this.#stopTimer) this.#stopTimer.refresh()
    else this.#stopTimer = setTimeout(() => this.stop(), idleMsMax).unref()
  }
}

/** Recorded nanoseconds include the interval of the timer that measures. */
function secondsOf(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000)
}
