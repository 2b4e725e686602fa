import type { Clock } from '../lib/clock.ts'
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

/** Checks the requirements of the service. Without its disk, it can neither receive nor send. */
export async function checkHealth({
  database: { sql },
  storage,
  clock,
}: Pick<AdminDeps, 'database' | 'storage' | 'clock'>): Promise<HealthReport> {
  const [database, isMounted, hasSpace, databaseDisk] = await Promise.all([
    succeeds(sql`select 1`),
    isPresent(storage, clock),
    succeeds(storage.space.require(0)),
    succeeds(storage.databaseSpace.require()),
  ])
  const isReady = database && isMounted
  const disk = isMounted && hasSpace
  const uploads = !isReady ? 'unavailable' : disk && databaseDisk ? 'ok' : 'disk_full'
  return { isReady, uploads, database, disk, databaseDisk }
}

/** A store that hangs is as good as none: load balancers ask again every two seconds. */
async function isPresent({ root }: AdminDeps['storage'], clock: Clock): Promise<boolean> {
  let cancel = () => {}
  const late = new Promise<boolean>((resolve) => {
    cancel = clock.setTimer(presentMsMax, () => resolve(false))
  })
  const found = root.isPresent().catch(() => false)
  return Promise.race([found, late]).finally(() => cancel())
}
