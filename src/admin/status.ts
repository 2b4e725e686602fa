import { findLastRun, type BackupRun } from '../backup/sql.ts'
import type { ClockDoubt } from '../jobs/clock-trust.ts'
import type { JobReport } from '../jobs/jobs.ts'
import { listRuns } from '../jobs/sql.ts'
import type { FailedTombstone } from '../bytes/upkeep/freeing-sql.ts'
import type { DatabaseSpaceReport } from '../bytes/upkeep/database-space.ts'
import type { StorageCheck } from '../bytes/upkeep/verify/start-check.ts'
import type { VerifyReport } from '../bytes/upkeep/verify/verify.ts'
import type { UploadState } from './health.ts'
import { countAll, type Totals } from './sql.ts'
import type { AdminDeps } from './deps.ts'

type Deps = Pick<
  AdminDeps,
  | 'database'
  | 'health'
  | 'storage'
  | 'uploads'
  | 'downloads'
  | 'emails'
  | 'jobs'
  | 'clockTrust'
  | 'verify'
  | 'startCheck'
  | 'clock'
> & {
  readonly version: string
  /** Whether the service runs its own database. */
  readonly isEmbedded: boolean
}

/** How the service is doing. */
export interface StatusReport {
  readonly now: Date
  readonly version: string
  readonly uptimeSeconds: number
  readonly isEmbedded: boolean
  readonly uploads: UploadState
  /** The disk of the database; null when the service does not run it itself. */
  readonly databaseDisk: DatabaseSpaceReport | null
  /** Bytes; null for a bucket. */
  readonly disk: { readonly free: number; readonly total: number; readonly floor: number } | null
  readonly totals: Totals
  /** Containers that could not be freed: their number and the worst of them. */
  readonly stuck: { readonly count: number; readonly first: readonly FailedTombstone[] }
  /** Null until the first check is finished. */
  readonly storageCheck: StorageCheck | null
  readonly verify: VerifyReport
  /** The last completed one; null before the first. */
  readonly lastBackup: BackupRun | null
  readonly jobs: readonly JobReport[]
  /** Why clean-ups by the clock are paused; null while it is trusted. */
  readonly clockDoubt: ClockDoubt | null
  readonly cleanUps: readonly { readonly name: string; readonly doneAt: Date }[]
  readonly mail: { readonly queued: number; readonly dead: number; readonly isHeld: boolean }
  /** Running transfers of this process. */
  readonly running: { readonly uploads: number; readonly downloads: number }
}

/** Collects the state of the service for administrators. */
export class Status {
  readonly #deps: Deps
  readonly #startedMs: number

  constructor(deps: Deps) {
    this.#deps = deps
    this.#startedMs = deps.clock.monotonic()
  }

  async report(): Promise<StatusReport> {
    const { database, storage, uploads, downloads, emails, jobs, clock, clockTrust, verify } =
      this.#deps
    const { health } = this.#deps
    const now = new Date(clock.now())
    const [
      healthReport,
      disk,
      databaseDisk,
      totals,
      stuck,
      cleanUps,
      clockDoubt,
      waiting,
      verification,
      lastBackup,
    ] = await Promise.all([
      health.check(),
      storage.space.describe(),
      storage.databaseSpace.describe(),
      countAll(database.sql, now),
      storage.freeing.report(),
      listRuns(database.sql),
      clockTrust.look(),
      emails.count(),
      verify.report(),
      findLastRun(database.sql),
    ])
    return {
      now,
      version: this.#deps.version,
      uptimeSeconds: Math.floor((clock.monotonic() - this.#startedMs) / 1000),
      isEmbedded: this.#deps.isEmbedded,
      uploads: healthReport.uploads,
      disk,
      databaseDisk,
      totals,
      stuck,
      storageCheck: this.#deps.startCheck.last,
      verify: verification,
      lastBackup,
      jobs: jobs.report(),
      clockDoubt,
      cleanUps,
      mail: { ...waiting, isHeld: emails.isHeld },
      running: countRunning({ uploads, downloads }),
    }
  }
}

/** The transfers that a stop waits for. */
export function countRunning({
  uploads,
  downloads,
}: Pick<Deps, 'uploads' | 'downloads'>): StatusReport['running'] {
  return { uploads: uploads.budget.permits, downloads: downloads.running.count }
}
