import type { Audit } from '../audit/audit.ts'
import type { Database, Sql } from '../database/connect.ts'
import { Setbacks } from '../jobs/setbacks.ts'
import { system } from '../lib/actor.ts'
import type { Clock } from '../lib/clock.ts'
import type { Settings } from '../settings/settings.ts'
import type { Storage } from '../bytes/storage.ts'
import { isExpired } from './access.ts'
import { dropAdditions } from './additions/additions.ts'
import { hasAbandonedAdditions, listAbandonedAdditions } from './additions/sql.ts'
import * as rows from './sql.ts'
import * as due from './clean-up-sql.ts'
import { dayMs } from '../lib/durations.ts'
import type { ShareDeps } from './deps.ts'

type Deps = Pick<ShareDeps, 'database' | 'audit' | 'storage' | 'settings' | 'clock' | 'log'>

/**
 * Removes the bytes of expired shares, abandoned drafts and abandoned additions (their complete
 * share stays). Each is hidden in a small transaction and then freed (bytes/upkeep/freeing.ts).
 * One that fails does not hold up the others.
 */
export class ShareCleanUp {
  readonly #database: Database
  readonly #audit: Audit
  readonly #storage: Storage
  readonly #settings: Settings
  readonly #clock: Clock
  readonly #setbacks: Setbacks

  constructor(deps: Deps) {
    this.#database = deps.database
    this.#audit = deps.audit
    this.#storage = deps.storage
    this.#settings = deps.settings
    this.#clock = deps.clock
    this.#setbacks = new Setbacks(deps)
  }

  /** Number of shares that could not be removed and will be tried again. */
  get failing(): number {
    return this.#setbacks.count
  }

  /** Returns the number of shares that expired or were removed. */
  async run(): Promise<number> {
    const { sql } = this.#database
    const now = new Date(this.#clock.now())
    const since = new Date(now.getTime() - this.#settings.values.draftLifeDays * dayMs)
    let removed = 0
    removed += await this.#setbacks.each(
      (without) => due.listExpired(sql, now, without),
      (transaction, id) => this.#expire(transaction, id),
    )
    removed += await this.#setbacks.each(
      (without) => due.listAbandonedDrafts(sql, since, without),
      (transaction, id) => this.#removeDraft(transaction, id, since),
    )
    removed += await this.#setbacks.each(
      (without) => listAbandonedAdditions(sql, since, without),
      (transaction, id) => this.#endAdditions(transaction, id, since),
    )
    return removed
  }

  async #expire(sql: Sql, id: string): Promise<string | null> {
    const share = await rows.findShare(sql, id, 'change')
    if (share?.state !== 'complete' || !isExpired(share, this.#clock.now())) return null
    await due.markExpired(sql, id)
    await this.#storage.empty(sql, { containerId: share.containerId, shareId: id })
    await this.#audit.record(sql, system, 'share.expired', share)
    return share.containerId
  }

  async #endAdditions(sql: Sql, id: string, since: Date): Promise<string | null> {
    const share = await rows.lockShareWithFiles(sql, id)
    if (!share || !(await hasAbandonedAdditions(sql, id, since))) return null
    await dropAdditions(sql, this.#storage, share)
    await this.#audit.record(sql, system, 'share.additions_dropped', share)
    return share.containerId
  }

  async #removeDraft(sql: Sql, id: string, since: Date): Promise<string | null> {
    const share = await rows.findShare(sql, id, 'change')
    if (!share || !(await due.isAbandonedDraft(sql, id, since))) return null
    await rows.deleteShareRow(sql, id)
    await this.#storage.tombstone(sql, [{ containerId: share.containerId, shareId: id }])
    await this.#audit.record(sql, system, 'share.draft_removed', share)
    return share.containerId
  }
}
