/** Time and chance, passed in wherever they decide something, so that tests can set them. */
export interface Clock {
  /** Milliseconds since 1970, as the machine believes. */
  now(): number
  /** At least 0 and below 1: for jitter, never for secrets. */
  random(): number
  /** Calls back once after `ms` milliseconds, unless the function returned is called first. */
  setTimer(ms: number, callback: () => void): () => void
}

export const browserClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  setTimer(ms, callback) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}
