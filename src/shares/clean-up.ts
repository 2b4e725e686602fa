import type { Sql } from '../database/connect.ts'
import { CleanUp } from '../jobs/clean-up.ts'
import { system } from '../lib/actor.ts'
import { isExpired } from './access.ts'
import { dropAdditions } from './additions/additions.ts'
import * as rows from './sql.ts'
import * as due from './clean-up-sql.ts'
import { dayMs } from '../lib/clock.ts'
import type { ShareBasis } from './deps.ts'

/**
 * Removes the bytes of expired shares, abandoned drafts and abandoned additions, whose complete
 * share stays.
 */
export function shareCleanUp(deps: ShareBasis): CleanUp {
  const { sql } = deps.database
  return new CleanUp(deps, (now) => {
    const since = new Date(now.getTime() - deps.settings.values.draftLifeDays * dayMs)
    return [
      {
        list: (without) => due.listExpired(sql, now, without),
        hide: (transaction, id) => expire(deps, transaction, id),
      },
      {
        list: (without) => due.listAbandoned(sql, 'draft', since, without),
        hide: (transaction, id) => removeDraft(deps, transaction, id, since),
      },
      {
        list: (without) => due.listAbandoned(sql, 'additions', since, without),
        hide: (transaction, id) => endAdditions(deps, transaction, id, since),
      },
    ]
  })
}

async function expire(deps: ShareBasis, sql: Sql, id: string): Promise<string | null> {
  const share = await rows.findShare(sql, id, 'change')
  if (share?.state !== 'complete' || !isExpired(share, deps.clock.now())) return null
  await due.markExpired(sql, id)
  await deps.storage.tombstone(sql, [{ containerId: share.containerId, shareId: id }], 'contents')
  await deps.audit.record(sql, system, 'share.expired', share)
  return share.containerId
}

async function endAdditions(
  deps: ShareBasis,
  sql: Sql,
  id: string,
  since: Date,
): Promise<string | null> {
  const share = await rows.lockShareWithFiles(sql, id)
  if (!share || !(await due.isAbandoned(sql, 'additions', id, since))) return null
  await dropAdditions(sql, deps.storage, share)
  await deps.audit.record(sql, system, 'share.additions_dropped', share)
  return share.containerId
}

async function removeDraft(
  deps: ShareBasis,
  sql: Sql,
  id: string,
  since: Date,
): Promise<string | null> {
  const share = await rows.findShare(sql, id, 'change')
  if (!share || !(await due.isAbandoned(sql, 'draft', id, since))) return null
  await rows.deleteShareRow(sql, id)
  await deps.storage.tombstone(sql, [{ containerId: share.containerId, shareId: id }])
  await deps.audit.record(sql, system, 'share.draft_removed', share)
  return share.containerId
}
