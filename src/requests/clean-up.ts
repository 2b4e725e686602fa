import type { Database } from '../database/connect.ts'
import { Setbacks } from '../jobs/setbacks.ts'
import { system } from '../lib/actor.ts'
import type { Clock } from '../lib/clock.ts'
import type { Settings } from '../settings/settings.ts'
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
  readonly #settings: Settings
  readonly #clock: Clock
  readonly #setbacks: Setbacks

  constructor(deps: Deps) {
    this.#database = deps.database
    this.#removing = deps
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
    return this.#setbacks.each(
      (without) => rows.listAbandoned(sql, since, without),
      async (transaction, id) => {
        const delivery = await rows.findDelivery(transaction, id, 'change')
        if (!delivery || !(await rows.isAbandonedDraft(transaction, id, since))) return null
        await removeDraft(transaction, this.#removing, system, delivery)
        return delivery.containerId
      },
    )
  }
}
