/** Time and randomness, passed in wherever they matter, so that tests can set them. */
export interface Clock {
  /** Milliseconds since 1970, by the machine's clock. */
  now(): number
  /** From 0 to below 1: for jitter, never for secrets. */
  random(): number
  /** Calls back once after `ms` milliseconds, unless the returned function is called first. */
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

const withinMs = 20_000

/** Null when the value does not come within 20 seconds. */
export async function within<Value>(clock: Clock, value: Promise<Value>): Promise<Value | null> {
  let disarm = () => {}
  const late = new Promise<null>((resolve) => {
    disarm = clock.setTimer(withinMs, () => resolve(null))
  })
  try {
    return await Promise.race([value, late])
  } finally {
    disarm()
  }
}
