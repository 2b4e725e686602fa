import { type Clock, inTime } from '../../lib/clock.ts'
import { CodedError, isSystemError, unavailable } from '../../lib/errors.ts'
import { diskSpace } from '../storage-root.ts'
import type { DatabaseDisk } from '../../database/database-disk.ts'

const floorBytesMin = 512 * 1024 * 1024
const floorShare = 0.03
const measuredForMs = 1_000
const measureMsMax = 10_000

export interface FloorSettings {
  readonly values: { readonly diskFloor: number }
}

/** Bytes free, in all, and kept free. */
export interface DiskSpace {
  readonly free: number
  readonly total: number
  readonly floor: number
}

/** The disk of the files or of the database, for messages. */
export type DiskName = 'files' | 'database'

/**
 * Keeps a part of the disk free: a full disk stops the database, and with it deletions. Counts free
 * bytes minus those that are promised to running writes. Announced bytes are not promised: slow or
 * silent clients could keep all others out.
 */
export class DiskFloor {
  readonly #place: { readonly folder: string | null }
  readonly #name: DiskName
  readonly #settings: FloorSettings
  readonly #clock: Clock
  #promisedBytes = 0
  #measured: { free: number; total: number } | null = null
  #measuredAtMs = 0
  #measuring: Promise<{ free: number; total: number }> | null = null

  /**
   * @param place without a disk there is always space
   * @param settings the floor in bytes; it is never below 512 MiB and 3 %
   */
  constructor(
    place: { readonly folder: string | null },
    clock: Clock,
    settings: FloorSettings,
    name: DiskName = 'files',
  ) {
    this.#name = name
    this.#settings = settings
    this.#place = place
    this.#clock = clock
  }

  /**
   * Checks that the disk has space for these bytes now, and promises nothing.
   * @throws CodedError disk_full with the numbers
   */
  async require(bytes: number): Promise<void> {
    const room = (await this.#roomAboveFloor()) - this.#promisedBytes
    if (bytes > room) throw diskFull(this.#name, bytes, room)
  }

  /**
   * Runs a write of these bytes, which are in memory, and promises them to it meanwhile.
   * @throws CodedError disk_full with the numbers; errors of the write
   */
  async during<T>(bytes: number, write: () => Promise<T>): Promise<T> {
    await this.require(bytes)
    this.#promisedBytes += bytes
    try {
      const result = await write()
      this.written(bytes)
      return result
    } finally {
      this.#promisedBytes -= bytes
    }
  }

  /** Until the next measurement, these bytes count as used. */
  written(bytes: number): void {
    if (this.#measured) this.#measured.free -= bytes
  }

  /** Null without a disk. */
  async describe(): Promise<DiskSpace | null> {
    const found = await this.#measure()
    if (!found) return null
    const { free, total } = found
    return { free: Math.max(0, free), total, floor: this.#floorOf(total) }
  }

  async #roomAboveFloor(): Promise<number> {
    const found = await this.#measure()
    return found ? found.free - this.#floorOf(found.total) : Infinity
  }

  #floorOf(total: number): number {
    return Math.max(floorBytesMin, Math.floor(total * floorShare), this.#settings.values.diskFloor)
  }

  /** @throws CodedError unavailable while the disk is not mounted, or hangs */
  async #measure(): Promise<{ free: number; total: number } | null> {
    const { folder } = this.#place
    if (folder === null) return null
    if (this.#measured && this.#clock.monotonic() - this.#measuredAtMs < measuredForMs) {
      return this.#measured
    }
    // Only one at a time: each keeps a thread while a disk hangs.
    this.#measuring ??= this.#lookAtDisk(folder).finally(() => (this.#measuring = null))
    const found = await inTime(this.#clock, this.#measuring, null, measureMsMax)
    if (!found) throw diskAway(new Error('the disk does not answer'))
    return found
  }

  async #lookAtDisk(folder: string): Promise<{ free: number; total: number }> {
    const beganAtMs = this.#clock.monotonic()
    try {
      this.#measured = await diskSpace(folder)
    } catch (error) {
      throw isSystemError(error, ...awayCodes) ? diskAway(error) : error
    }
    this.#measuredAtMs = beganAtMs
    return this.#measured
  }
}

function diskAway(cause: unknown): CodedError {
  return unavailable(30, cause)
}

/** Errors of statfs when the disk was removed under its folder. */
const awayCodes = ['ENOENT', 'ENOTDIR', 'ENOTCONN', 'ESTALE', 'EIO', 'ENODEV', 'ENXIO']

function diskFull(disk: DiskName, needed: number, room: number): CodedError {
  const available = Math.max(0, room)
  const message =
    disk === 'database'
      ? 'The disk of the database is nearly full. The operator has to free up space.'
      : `The disk of the service has no space for ${needed} more bytes (${available} left).`
  return new CodedError('disk_full', { message, details: { disk, needed, available } })
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
    this.#floor = disk && new DiskFloor(disk, clock, { values: { diskFloor: 0 } }, 'database')
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
  async describe(): Promise<(DiskSpace & { reserve: number }) | null> {
    const found = await this.#floor?.describe()
    return this.#disk && found ? { ...found, reserve: this.#disk.reserveBytes() } : null
  }
}
