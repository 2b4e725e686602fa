/** Time, passed in everywhere it decides something, so that tests can set it. */
export interface Clock {
  /**
   * Wall clock, milliseconds since 1970 UTC: for what people see and what must survive a restart.
   */
  now(): number
  /** Milliseconds that never jump: for limits, leases in memory and idle times. */
  monotonic(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
}
