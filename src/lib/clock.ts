import { uptime } from 'node:os'
import { findBootId, readBootId } from './boot-id.ts'

/** Time, passed in wherever it matters, so that tests can set it. */
export interface Clock {
  /** Wall clock, milliseconds since 1970 UTC: for people, and for times that outlive a restart. */
  now(): number
  /** Milliseconds that never jump: for limits, leases in memory and idle times. */
  monotonic(): number
  /** Identifies the boot that `sinceBoot` counts from. */
  readonly bootId: string
  /** Milliseconds since this boot, including sleep. All processes of a boot agree. */
  sinceBoot(): number
  /** Calls back after a bound of real time, and returns a function that prevents it. */
  setTimer(ms: number, call: () => void): () => void
}

// On other systems than Linux, uptime is a difference of wall clocks, and jumps with them.
const isLinux = findBootId() !== null

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  bootId: readBootId(),
  sinceBoot: () => (isLinux ? uptime() * 1000 : performance.now()),
  setTimer(ms, call) {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
}
