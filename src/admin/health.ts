import type { Database } from '../database/connect.ts'
import type { Storage } from '../blobs/storage.ts'
import { isMounted } from '../blobs/storage-root.ts'

/** Whether database and files match: see blobs/verify/start-check.ts. */
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

/** Checks the requirements of the service. */
export class Health {
  readonly #database: Database
  readonly #storage: Storage
  readonly #storageCheck: StorageCheck

  constructor(deps: { database: Database; storage: Storage; storageCheck: StorageCheck }) {
    this.#database = deps.database
    this.#storage = deps.storage
    this.#storageCheck = deps.storageCheck
  }

  /** Problems of the files while the service works; null without any. */
  get problems(): StorageProblems | null {
    const { isFine, last } = this.#storageCheck
    return isFine ? null : last
  }

  async check(): Promise<{ database: boolean; disk: boolean; databaseDisk: boolean }> {
    const [database, disk, databaseDisk] = await Promise.all([
      this.#hasDatabase(),
      this.#hasDisk(),
      this.#hasDatabaseSpace(),
    ])
    return { database, disk, databaseDisk }
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

  /** Whether the storage root is mounted, and the disk is above its floor. */
  async #hasDisk(): Promise<boolean> {
    try {
      const reservation = await this.#storage.space.reserve(0)
      reservation.settle()
      return await isMounted(this.#storage.root)
    } catch {
      return false
    }
  }
}
