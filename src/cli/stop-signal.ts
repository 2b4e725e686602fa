import { systemClock } from '../lib/clock.ts'

export type StopSignal = ReturnType<typeof stopSignal>

/** The start was stopped: not a failure. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
}

/** One Ctrl-C under `npm start` arrives twice: from the terminal, and forwarded by npm. */
const sameKeyMs = 500
/** As a shell reports a program that SIGINT has ended. */
const interruptedCode = 130

export function stopSignal() {
  let signals = 0
  let interruptedAtMs = -Infinity
  let isStopped = false
  let fail: (error: Error) => void = () => {}
  // Until there are transfers to end, nothing is worth waiting for.
  // oxlint-disable-next-line unicorn/no-process-exit -- the start does not wait for signals
  let hurry: () => void = () => process.exit(interruptedCode)
  let reload: () => void = () => {}
  const promise = new Promise<void>((resolve, reject) => {
    fail = reject
    const begin = () => {
      isStopped = true
      resolve()
    }
    const stop = () => {
      signals += 1
      begin()
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
    const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)
    process.on('SIGHUP', () => (hasTerminal ? begin() : reload()))
  })
  // Avoids an unhandled rejection when it fails before the first wait.
  promise.catch(() => {})
  return {
    /** Resolves at the first signal to stop; rejects when the service cannot continue. */
    promise,
    /** Called at a second SIGTERM or SIGINT, to stop waiting. */
    onSecond: (action: () => void) => {
      hurry = action
    },
    /** Called at SIGHUP where no terminal is closing: the options may have changed. */
    onReload: (action: () => void) => {
      reload = action
    },
    fail,
    /** @throws Stopped after the first signal */
    check() {
      if (isStopped) throw new Stopped('stopped')
    },
  }
}
