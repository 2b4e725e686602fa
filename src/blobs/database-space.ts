import type { DatabaseDisk } from '../database/database-disk.ts'
import type { Clock } from '../lib/clock.ts'
import { DiskFloor } from './disk-floor.ts'

/** How the disk of the database is doing, in bytes. */
export interface DatabaseSpaceReport {
  readonly free: number
  readonly total: number
  readonly floor: number
  readonly reserve: number
}

/**
 * Room for rows on the disk of the database, which may be another disk than that of the files.
 * Uploads need rows and are refused below the floor; deletions may use what is left, and the
 * reserve beyond it. Without a disk to look at (DATABASE_URL) there is always room.
 */
export class DatabaseSpace {
  readonly #disk: DatabaseDisk | null
  readonly #floor: DiskFloor | null

  constructor(disk: DatabaseDisk | null, clock: Clock) {
    this.#disk = disk
    this.#floor = disk && new DiskFloor(disk.folder, clock, () => 0, { name: 'database' })
  }

  /** Before rows are added in bulk. @throws CodedError disk_full below the floor */
  async require(): Promise<void> {
    const reservation = await this.#floor?.reserve(0)
    reservation?.settle()
  }

  /** Before rows are deleted, which takes room at first. */
  async makeForDeletion(): Promise<void> {
    await this.#disk?.freeWhenLow()
  }

  /** Null when there is no disk to look at. */
  async describe(): Promise<DatabaseSpaceReport | null> {
    if (!this.#disk || !this.#floor) return null
    return { ...(await this.#floor.describe()), reserve: this.#disk.reserveBytes() }
  }
}
