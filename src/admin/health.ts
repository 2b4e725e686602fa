import { inTime } from '../lib/clock.ts'
import { succeeds } from '../lib/shared-work.ts'
import type { AdminDeps } from './deps.ts'

/** A store that hangs is as good as none: load balancers ask again every two seconds. */
export const presentMsMax = 1_500

export const uploadStates = ['ok', 'disk_full', 'unavailable'] as const

/**
 * Checks what the service needs. Without its disk or store it can neither receive nor send; on a
 * full disk it does all except uploads.
 */
export async function checkHealth({
  database: { sql },
  storage,
  clock,
}: Pick<AdminDeps, 'database' | 'storage' | 'clock'>) {
  const [database, isMounted, hasSpace, databaseDisk] = await Promise.all([
    succeeds(sql`select 1`),
    inTime(clock, storage.root.isPresent(), false, presentMsMax).catch(() => false),
    inTime(clock, succeeds(storage.space.require(0)), false, presentMsMax),
    succeeds(storage.databaseSpace.require()),
  ])
  const isReady = database && isMounted
  const disk = isMounted && hasSpace
  const room = disk && databaseDisk ? 'ok' : 'disk_full'
  const uploads: (typeof uploadStates)[number] = isReady ? room : 'unavailable'
  return { isReady, uploads, database, disk, databaseDisk }
}
