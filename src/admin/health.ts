import type { Database } from '../database/connect.ts'
import type { Clock } from '../lib/clock.ts'
import type { Storage } from '../bytes/storage.ts'

/** Whether database and files match: see bytes/upkeep/verify/start-check.ts. */
export interface StorageCheck {
  readonly isFine: boolean
  readonly last: StorageProblems | null
}

/** Segments that are missing or too short, and folders that the database does not know. */
export interface StorageProblems {
  readonly missing: number
  readonly short: number
  readonly orphaned: number
}

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

/** Checks the requirements of the service. */
export class Health {
  readonly #database: Database
  readonly #storage: Storage
  readonly #storageCheck: StorageCheck
  readonly #clock: Clock

  constructor(deps: {
    database: Database
    storage: Storage
    storageCheck: StorageCheck
    clock: Clock
  }) {
    this.#database = deps.database
    this.#storage = deps.storage
    this.#storageCheck = deps.storageCheck
    this.#clock = deps.clock
  }

  /** Problems of the files while the service works; null without any. */
  get problems(): StorageProblems | null {
    const { isFine, last } = this.#storageCheck
    return isFine ? null : last
  }

  async check(): Promise<HealthReport> {
    const [database, isMounted, hasSpace, databaseDisk] = await Promise.all([
      this.#hasDatabase(),
      this.#isMounted(),
      this.#hasSpace(),
      this.#hasDatabaseSpace(),
    ])
    const isReady = database && isMounted
    const disk = isMounted && hasSpace
    const uploads = !isReady ? 'unavailable' : disk && databaseDisk ? 'ok' : 'disk_full'
    return { isReady, uploads, database, disk, databaseDisk }
  }

  async #hasDatabase(): Promise<boolean> {
    try {
      await this.#database.sql`select 1`
      return true
    } catch {
      return false
    }
  }

  async #hasDatabaseSpace(): Promise<boolean> {
    return this.#storage.databaseSpace.require().then(
      () => true,
      () => false,
    )
  }

  async #hasSpace(): Promise<boolean> {
    return this.#storage.space.require(0).then(
      () => true,
      () => false,
    )
  }

  /** Without its disk or store, the service can neither receive nor send. */
  async #isMounted(): Promise<boolean> {
    let cancel = () => {}
    // A store that hangs is as good as none: load balancers ask again every two seconds.
    const late = new Promise<false>((resolve) => {
      cancel = this.#clock.setTimer(presentMsMax, () => resolve(false))
    })
    const found = this.#storage.root.isPresent().catch(() => false)
    return Promise.race([found, late]).finally(() => cancel())
  }
}
