import type { Sql } from '../db/connect.ts'
import type { Clock } from '../lib/clock.ts'
import { findLastRun, recordRun } from './sql.ts'

const hourMs = 60 * 60_000
const jumpMsMin = hourMs
const silenceMsMax = 7 * 24 * hourMs

/**
 * Whether a job that removes what is old may believe the clock. A board without a clock of its own
 * may wake up in 1970 and then jump to today: after a jump, or a long sleep, nothing is removed for
 * an hour, in which somebody can set the clock right.
 */
export class ClockTrust {
  readonly #clock: Clock
  readonly #jobName: string
  /** Wall time less monotonic time: stands still unless somebody sets the clock. */
  #offsetMs: number
  #waitUntilMs = -Infinity
  #isFirst = true

  constructor(clock: Clock, jobName: string) {
    this.#clock = clock
    this.#jobName = jobName
    this.#offsetMs = clock.now() - clock.monotonic()
  }

  /** Asked at the start of every run, with its time. */
  async mayRun(sql: Sql, now: Date): Promise<boolean> {
    if (this.#isFirst) await this.#lookBack(sql, now)
    const monotonic = this.#clock.monotonic()
    const offsetMs = this.#clock.now() - monotonic
    if (offsetMs - this.#offsetMs > jumpMsMin) this.#waitUntilMs = monotonic + hourMs
    this.#offsetMs = offsetMs
    return monotonic >= this.#waitUntilMs
  }

  /** Told at the end of every run that did its work. */
  async ran(sql: Sql, at: Date): Promise<void> {
    await recordRun(sql, this.#jobName, at)
  }

  /** At start: was the last run so long ago that the clock may be wrong? */
  async #lookBack(sql: Sql, now: Date): Promise<void> {
    const last = await findLastRun(sql, this.#jobName)
    this.#isFirst = false
    if (last && now.getTime() - last.getTime() > silenceMsMax) {
      this.#waitUntilMs = this.#clock.monotonic() + hourMs
    }
  }
}
