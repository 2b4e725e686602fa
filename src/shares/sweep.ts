import type { Audit } from '../audit/audit.ts'
import type { Database } from '../db/connect.ts'
import { system } from '../lib/actor.ts'
import type { Clock } from '../lib/clock.ts'
import type { Settings } from '../settings/settings.ts'
import type { Storage } from '../storage/storage.ts'
import { isExpired } from './access.ts'
import { dropAdditions } from './additions/additions.ts'
import { hasAbandonedAdditions, listAbandonedAdditions } from './additions/sql.ts'
import * as rows from './sql.ts'
import * as due from './sweep-sql.ts'

const dayMs = 24 * 60 * 60_000

export interface ShareSweepParts {
  readonly database: Database
  readonly audit: Audit
  readonly storage: Storage
  readonly settings: Settings
  readonly clock: Clock
}

/**
 * Removes the bytes of expired shares, drafts that were left lying, and additions that were: of a
 * complete share only these go.
 */
export class ShareSweep {
  readonly #database: Database
  readonly #audit: Audit
  readonly #storage: Storage
  readonly #settings: Settings
  readonly #clock: Clock

  constructor(parts: ShareSweepParts) {
    this.#database = parts.database
    this.#audit = parts.audit
    this.#storage = parts.storage
    this.#settings = parts.settings
    this.#clock = parts.clock
  }

  /** Returns how many shares it has expired or removed. */
  async run(): Promise<number> {
    const { sql } = this.#database
    const now = new Date(this.#clock.now())
    let swept = 0
    for (const id of await due.listExpired(sql, now)) swept += await this.#expire(id)
    const since = new Date(now.getTime() - this.#settings.values.draftLifeDays * dayMs)
    for (const id of await due.listAbandonedDrafts(sql, since)) {
      swept += await this.#removeDraft(id, since)
    }
    for (const id of await listAbandonedAdditions(sql, since)) {
      swept += await this.#endAdditions(id, since)
    }
    return swept
  }

  async #expire(id: string): Promise<0 | 1> {
    const parcelId = await this.#database.begin(async (sql) => {
      const share = await rows.lockShareForChange(sql, id)
      if (share?.state !== 'complete' || !isExpired(share, this.#clock.now())) return null
      await due.markExpired(sql, id)
      await this.#storage.empty(sql, [share.parcelId])
      await this.#audit.record(sql, system, 'share.expired', share)
      return share.parcelId
    })
    if (!parcelId) return 0
    await this.#storage.removeNow([parcelId])
    return 1
  }

  async #endAdditions(id: string, since: Date): Promise<0 | 1> {
    return this.#database.begin(async (sql) => {
      const share = await rows.lockShareForChange(sql, id)
      if (!share || !(await hasAbandonedAdditions(sql, id, since))) return 0
      await dropAdditions(sql, share)
      await this.#audit.record(sql, system, 'share.additions_dropped', share)
      return 1
    })
  }

  async #removeDraft(id: string, since: Date): Promise<0 | 1> {
    const parcelId = await this.#database.begin(async (sql) => {
      const share = await rows.lockShareForChange(sql, id)
      if (!share || !(await due.isAbandonedDraft(sql, id, since))) return null
      await rows.deleteShareRow(sql, id)
      await this.#storage.bury(sql, [share.parcelId])
      await this.#audit.record(sql, system, 'share.draft_removed', share)
      return share.parcelId
    })
    if (!parcelId) return 0
    await this.#storage.removeNow([parcelId])
    return 1
  }
}
