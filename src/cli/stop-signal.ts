import { systemClock } from '../lib/clock.ts'

export interface StopSignal {
  /** Resolves at the first SIGTERM, SIGINT or SIGHUP; rejects when the service cannot continue. */
  readonly promise: Promise<void>
  /** Called at a second SIGTERM or SIGINT, to stop waiting. */
  onSecond(action: () => void): void
  fail(error: Error): void
}

/** One Ctrl-C under `npm start` arrives twice: from the terminal, and forwarded by npm. */
const sameKeyMs = 500

export function stopSignal(): StopSignal {
  let signals = 0
  let interruptedAtMs = -Infinity
  let fail: (error: Error) => void = () => {}
  let hurry: () => void = () => {}
  const promise = new Promise<void>((resolve, reject) => {
    fail = reject
    const stop = () => {
      signals += 1
      resolve()
      if (signals > 1) hurry()
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', () => {
      const now = systemClock.monotonic()
      const isSameKey = now - interruptedAtMs <= sameKeyMs
      interruptedAtMs = now
      if (!isSameKey) stop()
    })
    // A closing terminal may send it several times; that does not count as a second signal.
    process.on('SIGHUP', () => resolve())
  })
  // Avoids an unhandled rejection when it fails before the first wait.
  promise.catch(() => {})
  return {
    promise,
    onSecond: (action) => {
      hurry = action
    },
    fail,
  }
}
