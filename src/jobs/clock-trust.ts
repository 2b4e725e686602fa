import type { Database } from '../database/connect.ts'
import { type Clock, hourMs } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { lockClockWatch, recordRun, saveClockWatch, type ClockWatch } from './sql.ts'

const jumpMsMin = hourMs
const doubtMs = hourMs
/** While nothing changes, a watch is written again only at this age. */
const watchAgeMsMax = 60_000

/** Why clean-ups by the clock are paused. */
export interface ClockDoubt {
  readonly since: Date
  /** How far the clock is ahead of the expected time. */
  readonly aheadMs: number
  /** How long the service must still run. */
  readonly leftMs: number
}

type ClockReading = Pick<ClockWatch, 'at' | 'bootId' | 'sinceBootMs'>

/**
 * Decides whether jobs may remove things by the wall clock. A board without a real-time clock may
 * wake up in 1970 and then jump to today; a mistyped date may be years ahead. After a forward jump
 * of over an hour, clean-ups are paused until the service has run for another hour, unless the
 * clock is set back before or an administrator confirms it. The database keeps the last reading, so
 * that a restart neither hides a jump nor ends the doubt.
 *
 * Time while the service was off counts as explained when the machine stayed on. Across a reboot it
 * looks the same as a jump: an hour is accepted, more is doubted.
 */
export class ClockTrust {
  readonly #database: Database
  readonly #clock: Clock
  readonly #log: Log
  /** Monotonic time; null before the first look of this process. */
  #lookedAtMs: number | null = null
  #looking: Promise<ClockDoubt | null> | null = null
  #isLogging = false
  #logged: ClockDoubt | null = null

  constructor(deps: { database: Database; clock: Clock; log: Log }) {
    this.#database = deps.database
    this.#clock = deps.clock
    this.#log = deps.log
  }

  /** For the service: doubts are logged from now on. Commands report them in their output. */
  async start(): Promise<void> {
    this.#isLogging = true
    await this.look()
  }

  /** Compares the clock with the last reading. Null when it is trusted. */
  look(): Promise<ClockDoubt | null> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null
    })
    return this.#looking
  }

  async isTrusted(): Promise<boolean> {
    return (await this.look()) === null
  }

  /** An administrator confirms that the clock is right now. */
  async confirmIsRight(): Promise<void> {
    const reading = this.#read()
    await this.#database.begin(async (sql) => {
      await lockClockWatch(sql)
      await saveClockWatch(sql, believe(reading))
    })
  }

  /** Records that a job which requires a trusted clock has run. */
  async ran(jobName: string): Promise<void> {
    await recordRun(this.#database.sql, jobName, new Date(this.#clock.now()))
  }

  async #look(): Promise<ClockDoubt | null> {
    const reading = this.#read()
    const nowMs = this.#clock.monotonic()
    const ranMs = this.#lookedAtMs === null ? 0 : nowMs - this.#lookedAtMs
    const watch = await this.#database.begin(async (sql) => {
      const seen = await lockClockWatch(sql)
      const judged = seen === null ? believe(reading) : judge(seen, reading, ranMs)
      if (isWorthSaving(seen, judged)) await saveClockWatch(sql, judged)
      return judged
    })
    this.#lookedAtMs = nowMs
    const doubt = doubtOf(watch)
    if (this.#isLogging) this.#tell(doubt)
    return doubt
  }

  #read(): ClockReading {
    const { bootId } = this.#clock
    const sinceBootMs = Math.round(this.#clock.sinceBoot())
    return { at: new Date(this.#clock.now()), bootId, sinceBootMs }
  }

  #tell(now: ClockDoubt | null): void {
    const before = this.#logged
    this.#logged = now
    if (now !== null && (before === null || now.leftMs > before.leftMs)) {
      this.#log.warn('clock moved forward: removals paused until clock is trusted again', {
        aheadSeconds: Math.round(now.aheadMs / 1000),
        until: new Date(this.#clock.now() + now.leftMs),
      })
    }
    if (now === null && before !== null) this.#log.info('clock is trusted again')
  }
}

/**
 * The new state after another reading.
 * @param ranMs how long this process has run since its last look
 */
function judge(seen: ClockWatch, reading: ClockReading, ranMs: number): ClockWatch {
  const isSameBoot = seen.bootId === reading.bootId && reading.sinceBootMs >= seen.sinceBootMs
  const elapsedMs = isSameBoot ? reading.sinceBootMs - seen.sinceBootMs : 0
  const expectedMs = seen.expectedAt.getTime() + elapsedMs
  const aheadMs = reading.at.getTime() - expectedMs
  const jumpMs = reading.at.getTime() - seen.at.getTime() - elapsedMs
  const hasJumped = jumpMs > jumpMsMin
  // Other instances have counted the time before their last look.
  const countedMs = Math.min(ranMs, Math.max(0, reading.at.getTime() - seen.at.getTime()))
  const leftMs = hasJumped ? doubtMs : seen.doubtLeftMs - countedMs
  if (aheadMs <= jumpMsMin || leftMs <= 0) return believe(reading)
  return {
    ...reading,
    expectedAt: new Date(expectedMs),
    doubtedSince: seen.doubtedSince ?? reading.at,
    doubtLeftMs: Math.round(leftMs),
  }
}

function believe(reading: ClockReading): ClockWatch {
  return { ...reading, expectedAt: reading.at, doubtedSince: null, doubtLeftMs: 0 }
}

/** A trusted clock is saved once a minute, to spare small disks and SD cards. */
function isWorthSaving(seen: ClockWatch | null, next: ClockWatch): boolean {
  if (seen === null || seen.bootId !== next.bootId) return true
  if (seen.doubtedSince !== null || next.doubtedSince !== null) return true
  return Math.abs(next.at.getTime() - seen.at.getTime()) >= watchAgeMsMax
}

function doubtOf(watch: ClockWatch): ClockDoubt | null {
  const { at, expectedAt, doubtedSince, doubtLeftMs } = watch
  if (doubtedSince === null) return null
  return {
    since: doubtedSince,
    aheadMs: at.getTime() - expectedAt.getTime(),
    leftMs: doubtLeftMs,
  }
}
