import type { Database } from '../database/connect.ts'
import type { Storage } from '../blobs/storage.ts'
import { isMounted } from '../blobs/storage-root.ts'

/** Whether database and files fit together: see blobs/verify/start-check.ts. */
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

/** What the service needs in order to work, looked at now. */
export class Health {
  readonly #database: Database
  readonly #storage: Storage
  readonly #storageCheck: StorageCheck

  constructor(deps: { database: Database; storage: Storage; storageCheck: StorageCheck }) {
    this.#database = deps.database
    this.#storage = deps.storage
    this.#storageCheck = deps.storageCheck
  }

  /** What is wrong with the files, though the service works; null when nothing is. */
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

  /**
   * The storage root is there, and the floor that keeps the disk from filling up is not reached.
   */
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
