import type { DatabaseDisk } from '../../database/database-disk.ts'
import type { Clock } from '../../lib/clock.ts'
import { DiskFloor } from './disk-floor.ts'

/** Space on the disk of the database, in bytes. */
export interface DatabaseSpaceReport {
  readonly free: number
  readonly total: number
  readonly floor: number
  readonly reserve: number
}

/**
 * Space for rows on the disk of the database, which may differ from the disk of the files. Uploads
 * need rows and are refused below the floor; deletions may use the rest and the reserve. Without a
 * known disk (DATABASE_URL) there is always space.
 */
export class DatabaseSpace {
  readonly #disk: DatabaseDisk | null
  readonly #floor: DiskFloor | null

  constructor(disk: DatabaseDisk | null, clock: Clock) {
    this.#disk = disk
    this.#floor = disk && new DiskFloor(disk, clock, () => 0, 'database')
  }

  /** Call before rows are added in bulk. @throws CodedError disk_full below the floor */
  async require(): Promise<void> {
    await this.#floor?.require(0)
  }

  /** Call before rows are deleted, because that needs space at first. */
  async makeForDeletion(): Promise<void> {
    await this.#disk?.freeWhenLow()
  }

  /** Null when the disk is unknown. */
  async describe(): Promise<DatabaseSpaceReport | null> {
    const found = await this.#floor?.describe()
    return this.#disk && found ? { ...found, reserve: this.#disk.reserveBytes() } : null
  }
}
