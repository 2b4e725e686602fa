import type { Database } from '../db/connect.ts'
import type { Clock } from '../lib/clock.ts'
import type { Settings } from '../settings/settings.ts'
import type { Storage } from '../storage/storage.ts'
import { findLastRun, recordRun } from '../jobs/sql.ts'
import { isExpired } from './public-shares.ts'
import * as rows from './sql.ts'

const dayMs = 24 * 60 * 60_000
const hourMs = 60 * 60_000
const jumpMsMin = hourMs
const silenceMsMax = 7 * dayMs
const jobName = 'sweep shares'

/**
 * Removes the bytes of expired shares, and drafts that were left lying. A board without a clock of
 * its own may wake up in 1970 and then jump to today: after a jump, or a long sleep, nothing is
 * removed for an hour, in which somebody can set the clock right.
 */
export class ShareSweep {
  readonly #database: Database
  readonly #storage: Storage
  readonly #settings: Settings
  readonly #clock: Clock
  /** Wall time less monotonic time: stands still unless somebody sets the clock. */
  #offsetMs: number
  #waitUntilMs = -Infinity
  #isFirst = true

  constructor(parts: { database: Database; storage: Storage; settings: Settings; clock: Clock }) {
    this.#database = parts.database
    this.#storage = parts.storage
    this.#settings = parts.settings
    this.#clock = parts.clock
    this.#offsetMs = parts.clock.now() - parts.clock.monotonic()
  }

  async run(): Promise<void> {
    const { sql } = this.#database
    const now = new Date(this.#clock.now())
    if (this.#isFirst) await this.#lookBack(now)
    if (!this.#trustsClock()) return
    for (const id of await rows.listExpired(sql, now)) await this.#expire(id)
    const since = new Date(now.getTime() - this.#settings.values.draftLifeDays * dayMs)
    for (const id of await rows.listAbandonedDrafts(sql, since)) await this.#removeDraft(id, since)
    await recordRun(sql, jobName, now)
  }

  /** At start: was the last sweep so long ago that the clock may be wrong? */
  async #lookBack(now: Date): Promise<void> {
    const last = await findLastRun(this.#database.sql, jobName)
    this.#isFirst = false
    if (last && now.getTime() - last.getTime() > silenceMsMax) {
      this.#waitUntilMs = this.#clock.monotonic() + hourMs
    }
  }

  #trustsClock(): boolean {
    const monotonic = this.#clock.monotonic()
    const offsetMs = this.#clock.now() - monotonic
    if (offsetMs - this.#offsetMs > jumpMsMin) this.#waitUntilMs = monotonic + hourMs
    this.#offsetMs = offsetMs
    return monotonic >= this.#waitUntilMs
  }

  async #expire(id: string): Promise<void> {
    const parcelId = await this.#database.begin(async (sql) => {
      const share = await rows.lockShareForChange(sql, id)
      if (share?.state !== 'complete' || !isExpired(share, this.#clock.now())) return null
      await rows.markExpired(sql, id)
      await this.#storage.empty(sql, [share.parcelId])
      return share.parcelId
    })
    if (parcelId) await this.#storage.removeNow([parcelId])
  }

  async #removeDraft(id: string, since: Date): Promise<void> {
    const parcelId = await this.#database.begin(async (sql) => {
      const share = await rows.lockShareForChange(sql, id)
      if (!share || !(await rows.isAbandonedDraft(sql, id, since))) return null
      await rows.deleteShareRow(sql, id)
      await this.#storage.bury(sql, [share.parcelId])
      return share.parcelId
    })
    if (parcelId) await this.#storage.removeNow([parcelId])
  }
}
