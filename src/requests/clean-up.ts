import { CleanUp } from '../jobs/clean-up.ts'
import { system } from '../lib/actor.ts'
import { dayMs } from '../lib/clock.ts'
import { removeDelivery } from './delivery-drafts.ts'
import * as rows from './deliveries-sql.ts'
import type { RequestBasis } from './deps.ts'

/**
 * Removes deliveries that guests left unfinished; those without a byte after a day, because anyone
 * with the link can begin them. Finished deliveries belong to the owner, and stay.
 */
export function deliveryCleanUp(deps: RequestBasis): CleanUp {
  return new CleanUp(deps, (now) => {
    const since = {
      emptyBefore: new Date(now.getTime() - dayMs),
      idleSince: new Date(now.getTime() - deps.settings.values.draftLifeDays * dayMs),
    }
    return [
      {
        list: (without) => rows.listAbandoned(deps.database.sql, since, without),
        async hide(sql, id) {
          const delivery = await rows.lockWithLink(sql, id)
          if (!delivery || !(await rows.isAbandonedDraft(sql, id, since))) return null
          await removeDelivery(sql, deps, system, delivery, 'delivery.draft_removed')
          return delivery.containerId
        },
      },
    ]
  })
}
