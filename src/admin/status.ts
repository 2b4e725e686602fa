import { findLastRun } from '../backup/sql.ts'
import { listRuns } from '../jobs/sql.ts'
import { inTime } from '../lib/clock.ts'
import { checkHealth, presentMsMax } from './health.ts'
import { readFigures } from './sql.ts'
import type { AdminDeps } from './deps.ts'

type Deps = Pick<
  AdminDeps,
  | 'database'
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

export type StatusReport = Awaited<ReturnType<Status['report']>>

/** Collects the state of the service for administrators. */
export class Status {
  readonly #deps: Deps
  readonly #startedMs: number

  constructor(deps: Deps) {
    this.#deps = deps
    this.#startedMs = deps.clock.monotonic()
  }

  async report() {
    const { database, storage, uploads, downloads, emails, jobs, clock, clockTrust, verify } =
      this.#deps
    const now = new Date(clock.now())
    const [
      healthReport,
      disk,
      databaseDisk,
      figures,
      stuck,
      cleanUps,
      clockDoubt,
      verification,
      lastBackup,
    ] = await Promise.all([
      checkHealth(this.#deps),
      inTime(clock, storage.space.describe(), null, presentMsMax).catch(() => null),
      storage.databaseSpace.describe(),
      readFigures(database.sql, now),
      storage.freeing.report(),
      listRuns(database.sql),
      clockTrust.look(),
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
      figures,
      stuck,
      storageCheck: this.#deps.startCheck.last,
      verify: verification,
      lastBackup,
      jobs: jobs.report(),
      clockDoubt,
      cleanUps,
      isHeld: emails.isHeld,
      running: countRunning({ uploads, downloads }),
    }
  }
}

/** The transfers that a stop waits for. */
export function countRunning({ uploads, downloads }: Pick<Deps, 'uploads' | 'downloads'>) {
  return { uploads: uploads.budget.permits, downloads: downloads.running.count }
}
