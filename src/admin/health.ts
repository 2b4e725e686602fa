import { succeeds } from '../lib/shared-work.ts'
import type { AdminDeps } from './deps.ts'

const presentMsMax = 1_500

export const uploadStates = ['ok', 'disk_full', 'unavailable'] as const
export type UploadState = (typeof uploadStates)[number]

export interface HealthReport {
  /** Whether requests are served; on a full disk, all except uploads. */
  readonly isReady: boolean
  readonly uploads: UploadState
  readonly database: boolean
  /** Whether the storage disk is there and has space, and the database disk has. */
  readonly disk: boolean
  readonly databaseDisk: boolean
}

/** Checks what the service needs. Without disk or store, it can neither receive nor send. */
export async function checkHealth({
  database: { sql },
  storage,
  clock,
}: Pick<AdminDeps, 'database' | 'storage' | 'clock'>): Promise<HealthReport> {
  let cancel = () => {}
  // A store that hangs is as good as none: load balancers ask again every two seconds.
  const late = new Promise<false>((resolve) => {
    cancel = clock.setTimer(presentMsMax, () => resolve(false))
  })
  const isPresent = storage.root.isPresent().catch(() => false)
  const [database, isMounted, hasSpace, databaseDisk] = await Promise.all([
    succeeds(sql`select 1`),
    Promise.race([isPresent, late]).finally(() => cancel()),
    succeeds(storage.space.require(0)),
    succeeds(storage.databaseSpace.require()),
  ])
  const isReady = database && isMounted
  const disk = isMounted && hasSpace
  const uploads = !isReady ? 'unavailable' : disk && databaseDisk ? 'ok' : 'disk_full'
  return { isReady, uploads, database, disk, databaseDisk }
}
