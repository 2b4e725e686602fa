import type { Database } from '../database/connect.ts'
import { Setbacks } from '../jobs/setbacks.ts'
import { system } from '../lib/actor.ts'
import type { Clock } from '../lib/clock.ts'
import type { Settings } from '../settings/settings.ts'
import type { Storage } from '../bytes/storage.ts'
import { removeDraft } from './delivery-drafts.ts'
import * as rows from './deliveries-sql.ts'
import { dayMs } from '../lib/durations.ts'
import type { RequestDeps } from './deps.ts'

type Deps = Pick<RequestDeps, 'database' | 'audit' | 'storage' | 'settings' | 'clock' | 'log'>

/**
 * Removes deliveries that guests left unfinished; those without a byte after a day, because anyone
 * with the link can begin them. Finished deliveries belong to the owner, and stay.
 */
export class DeliveryCleanUp {
  readonly #database: Database
  readonly #removing: Pick<Deps, 'audit' | 'storage'>
  readonly #storage: Storage
  readonly #settings: Settings
  readonly #clock: Clock
  readonly #setbacks: Setbacks

  constructor(deps: Deps) {
    this.#database = deps.database
    this.#removing = deps
    this.#storage = deps.storage
    this.#settings = deps.settings
    this.#clock = deps.clock
    this.#setbacks = new Setbacks(deps)
  }

  /** Number of deliveries that could not be removed and will be tried again. */
  get failing(): number {
    return this.#setbacks.count
  }

  /** Returns the number of removed deliveries. */
  async run(): Promise<number> {
    const { sql } = this.#database
    const now = new Date(this.#clock.now())
    const since = {
      emptyBefore: new Date(now.getTime() - dayMs),
      idleSince: new Date(now.getTime() - this.#settings.values.draftLifeDays * dayMs),
    }
    const removed = await this.#setbacks.each(
      (without) => rows.listAbandoned(sql, since, without),
      (id) => this.#remove(id, since),
    )
    return removed
  }

  async #remove(id: string, since: rows.AbandonedSince): Promise<boolean> {
    const containerId = await this.#database.begin(async (sql) => {
      const delivery = await rows.lockDeliveryForChange(sql, id)
      if (!delivery || !(await rows.isAbandonedDraft(sql, id, since))) return null
      await removeDraft(sql, this.#removing, system, delivery)
      return delivery.containerId
    })
    if (!containerId) return false
    await this.#storage.removeNow([containerId])
    return true
  }
}
