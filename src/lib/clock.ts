import { uptime } from 'node:os'
import { readFileSync } from 'node:fs'
import { randomRowId } from './random-id.ts'

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

/** Null where the system has none. On others than Linux, uptime jumps with the wall clock. */
const bootId = readBootId()

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  /** Identifies this process where the system has no boot id. */
  bootId: bootId ?? `process ${randomRowId()}`,
  sinceBoot: () => (bootId ? uptime() * 1000 : performance.now()),
  setTimer(ms, call) {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
}

function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return null
  }
}

/**
 * The result of some work, or a replacement when it takes longer than `msMax` milliseconds. Errors
 * are passed on.
 */
export async function inTime<T>(
  clock: Clock,
  work: Promise<T>,
  replacement: T,
  msMax: number,
): Promise<T> {
  let disarm = () => {}
  const late = new Promise<T>((resolve) => {
    disarm = clock.setTimer(msMax, () => resolve(replacement))
  })
  return Promise.race([work, late]).finally(disarm)
}

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
/** 24 hours: days of a calendar with a change of clocks are longer or shorter. */
export const dayMs = 24 * hourMs
