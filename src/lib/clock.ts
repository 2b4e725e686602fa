import { uptime } from 'node:os'
import { findBootId, readBootId } from './boot-id.ts'

/** Time, passed in everywhere it decides something, so that tests can set it. */
export interface Clock {
  /**
   * Wall clock, milliseconds since 1970 UTC: for what people see and what must survive a restart.
   */
  now(): number
  /** Milliseconds that never jump: for limits, leases in memory and idle times. */
  monotonic(): number
  /** Identifies the boot that `sinceBoot` counts from. */
  readonly bootId: string
  /** Milliseconds that this boot has lasted, asleep or awake. All processes of a boot agree. */
  sinceBoot(): number
}

// Elsewhere than on Linux the uptime is a difference of wall clocks: it jumps with them.
const isLinux = findBootId() !== null

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  bootId: readBootId(),
  sinceBoot: () => (isLinux ? uptime() * 1000 : performance.now()),
}
