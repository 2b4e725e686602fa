/** Time and chance, in one place, so that what depends on them can be tested without either. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** At least 0 and below 1. */
  random(): number
  /** Calls once after `ms`; the function returned takes it back. */
  after(ms: number, run: () => void): () => void
}

export const browserClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
