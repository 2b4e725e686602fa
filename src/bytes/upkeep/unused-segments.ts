import type { Database } from '../../database/connect.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { readingMsMax } from './freeing.ts'
import type { Manifests } from './manifests.ts'
import { lockContainer } from '../receive/sql.ts'
import { isRemovalHeld } from './freeing-sql.ts'
import type { Storage } from '../storage.ts'
import * as rows from './unused-segments-sql.ts'

/** How long a download of another process, one that is not recorded, may need a segment. */
const graceMs = 5 * 60_000

interface Deps {
  readonly database: Database
  readonly storage: Storage
  readonly manifests: Manifests
  readonly clock: Clock
  readonly log: Log
}

/**
 * Removes segments to which neither a file nor a chunk refers any more: their files were removed,
 * or their chunks replaced or dropped. Other dead bytes stay until their container is freed.
 *
 * One transaction turns the rows of these segments into tombstones. Their files are unlinked five
 * minutes later, when the manifest no longer names them, no backup copies them, and no transfer has
 * planned to read them.
 * @returns the number of removed segments
 */
export async function removeUnusedSegments(deps: Deps): Promise<number> {
  const { database, storage, log } = deps
  if (!(await storage.root.isPresent())) return 0
  for (const containerId of await rows.listShrunk(database.sql)) {
    try {
      await tombstoneUnused(deps, containerId)
    } catch (error) {
      log.warn('search for unused segments failed: will retry', { cause: error })
    }
  }
  return removeTombstoned(deps)
}

async function tombstoneUnused(
  { database, storage, clock }: Deps,
  containerId: string,
): Promise<void> {
  // A segment with a writer may still get bytes.
  await storage.writers.closeIdleOf(containerId)
  await database.begin(async (sql) => {
    if (!(await lockContainer(sql, containerId))) return
    await rows.tombstoneUnused(sql, containerId, new Date(clock.now()))
  })
}

async function removeTombstoned({ database, storage, manifests, clock, log }: Deps) {
  const nowMs = clock.now()
  // Clocks of other processes may be a little ahead.
  await rows.restartWaits(database.sql, new Date(nowMs), new Date(nowMs + graceMs))
  const removable = await rows.listRemovable(database.sql, {
    before: new Date(nowMs - graceMs),
    processId: storage.writers.ownerId,
    readingSince: new Date(nowMs - readingMsMax),
  })
  // Asked after the list: a backup that begins later does not need these segments.
  if (removable.length > 0 && (await isRemovalHeld(database.sql))) return 0
  let count = 0
  for (const { containerId, segmentIds } of removable) {
    try {
      if (!(await manifests.isWritten(containerId))) continue
      count += await storage.removeSegments(containerId, segmentIds)
    } catch (error) {
      log.warn('segment removal failed: will retry', { cause: error })
    }
  }
  return count
}
