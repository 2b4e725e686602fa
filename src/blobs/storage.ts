import type { Database, Sql } from '../database/connect.ts'
import type { DatabaseDisk } from '../database/database-disk.ts'
import type { Clock } from '../lib/clock.ts'
import { removeDurably } from '../lib/durable-file.ts'
import { CodedError, isSystemError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { Freeing } from './freeing.ts'
import * as freeingRows from './freeing-sql.ts'
import { SegmentWriters, type Durability } from './segments/segment-writers.ts'
import { segmentFile } from './segments/container-folder.ts'
import { SegmentFiles } from './segments/segment-files.ts'
import { DiskFloor } from './disk-floor.ts'
import { DatabaseSpace } from './database-space.ts'
import * as rows from './segments/sql.ts'
import type { StorageRoot } from './storage-root.ts'
import { WriteTest } from './write-test.ts'

export interface StorageOptions {
  readonly root: StorageRoot
  readonly database: Database
  /** Null when the service does not run its database itself. */
  readonly databaseDisk: DatabaseDisk | null
  readonly clock: Clock
  readonly log: Log
  readonly durability: Durability
  /** Bytes to keep free on the disk, as the settings have it now. */
  readonly diskFloorBytes: () => number
  /** This process, as other processes on the same storage know it. */
  readonly ownerId: string
  /** Whether another process that owns segments still lives. */
  readonly isAlive: (ownerId: string) => Promise<boolean>
  /** Whether a transfer of this process reads the bytes of a share now. */
  readonly isRead: (shareId: string) => boolean
}

/** Segments with bytes that no row speaks of behind those that rows do, and how many bytes. */
export interface Tails {
  readonly segments: number
  readonly bytes: number
}

/**
 * The bytes of all containers, in append-only segments on local disk.
 *
 * A segment is only ever written by the process that created it, so a restart repairs nothing, and
 * cuts nothing: bytes without rows may belong to a newer database that is about to be restored.
 * Compaction frees them later. Containers are removed in two steps: one transaction removes their
 * owner and leaves a tombstone (`tombstone`), others free their rows and bytes in pages
 * (freeing.ts); segments likewise, once their bytes lie elsewhere (`removeSegment`). What has
 * neither row nor tombstone is never touched.
 */
export class Storage {
  readonly root: StorageRoot
  readonly writers: SegmentWriters
  readonly files: SegmentFiles
  readonly space: DiskFloor
  readonly databaseSpace: DatabaseSpace
  readonly writeTest: WriteTest
  readonly freeing: Freeing
  readonly #options: StorageOptions
  #tails: Tails = { segments: 0, bytes: 0 }

  constructor(options: StorageOptions) {
    this.#options = options
    this.root = options.root
    this.writers = new SegmentWriters(options)
    this.files = new SegmentFiles(options.root)
    this.space = new DiskFloor(options.root.folder, options.clock, options.diskFloorBytes)
    this.databaseSpace = new DatabaseSpace(options.databaseDisk, options.clock)
    this.writeTest = new WriteTest({ ...options, space: this.space })
    this.freeing = new Freeing({
      ...options,
      writers: this.writers,
      databaseSpace: this.databaseSpace,
    })
  }

  /** @throws CodedError disk_full when the database has no room for what is to come */
  async createContainer(sql: Sql, containerId: string): Promise<void> {
    await this.databaseSpace.require()
    await rows.insertContainer(sql, containerId, this.root.id)
  }

  /** Part of the transaction that deletes the owners: their containers are freed after it. */
  async tombstone(sql: Sql, containers: readonly freeingRows.TombstonedContainer[]): Promise<void> {
    await this.databaseSpace.makeForDeletion()
    await freeingRows.insertTombstones(sql, containers, 'container')
  }

  /**
   * Like `tombstone`, for an owner whose row stays; running downloads of its share are waited for.
   */
  async empty(sql: Sql, container: freeingRows.TombstonedContainer): Promise<void> {
    await this.databaseSpace.makeForDeletion()
    await freeingRows.insertTombstones(sql, [container], 'contents')
  }

  /** The same for what has arrived of files that are not finalized; the rest stays. */
  async dropChunks(sql: Sql, containerId: string): Promise<void> {
    await this.databaseSpace.makeForDeletion()
    await freeingRows.insertTombstones(sql, [{ containerId, shareId: null }], 'chunks')
  }

  /** Whether something of the container waits to be freed. */
  async isBeingFreed(sql: Sql, containerId: string): Promise<boolean> {
    return freeingRows.hasTombstone(sql, containerId)
  }

  /** Frees all containers that are due; returns how many. Safe to call again after any crash. */
  async removeTombstoned(): Promise<number> {
    return this.freeing.run()
  }

  /**
   * Frees containers that were just tombstoned, as far as a request has time for it: the job does
   * the rest. Returns how many are done.
   */
  async removeNow(containerIds: readonly string[]): Promise<number> {
    return this.freeing.runInline(containerIds)
  }

  /**
   * Removes the file of a segment that was tombstoned, or what is in its place: its bytes lie
   * elsewhere. Safe to call again after any crash. Throws system errors.
   */
  async removeSegment(containerId: string, segmentId: string): Promise<void> {
    const name = segmentFile(this.root.folder, containerId, segmentId)
    // A killed process may have removed the file without a sync; the container may be gone too.
    await removeDurably(name)
    await rows.deleteSegmentTombstone(this.#options.database.sql, segmentId)
  }

  /**
   * What the segments of processes that had died before this start hold behind their committed
   * ends. A process that is killed leaves the chunks it was just receiving; after a service that
   * has ended in peace there are none, unless the database is older than the files.
   */
  get tails(): Tails {
    return this.#tails
  }

  /**
   * At start: takes over the segments of processes that died, and finishes what was tombstoned.
   * Reads and changes no segment, so that a broken one never prevents a start.
   */
  async recover(): Promise<void> {
    const { database, ownerId, isAlive, log } = this.#options
    for (const other of await rows.listSegmentOwners(database.sql)) {
      if (other === ownerId || (await isAlive(other))) continue
      // Ours until they are counted: a start that is killed in between leaves them to the next one.
      const segments = await rows.takeOverSegments(database.sql, other, ownerId)
      for (const segment of segments) {
        await this.#countTail(segment)
        await rows.disownSegment(database.sql, segment.id)
      }
      const found = { segments: segments.length, tails: this.#tails }
      log.info('took over segments of dead process', found)
    }
    await this.freeing.resume()
  }

  async close(): Promise<void> {
    await this.writers.close()
  }

  async #countTail({ id, containerId, committedEnd }: rows.OrphanedSegment): Promise<void> {
    try {
      const bytes = ((await this.files.bytesOnDisk(containerId, id)) ?? 0) - committedEnd
      if (bytes <= 0) return
      this.#tails = { segments: this.#tails.segments + 1, bytes: this.#tails.bytes + bytes }
    } catch (error) {
      this.#options.log.warn('segment check failed', { segment: id, cause: error })
    }
  }
}

/** What a failed write means to the client: a full disk is its own answer. */
export function writeFailure(error: unknown): CodedError {
  if (error instanceof CodedError) return error
  if (isSystemError(error, 'ENOSPC', 'EDQUOT', 'EFBIG')) {
    return new CodedError('disk_full', { cause: error, details: { disk: 'files' } })
  }
  return new CodedError('unavailable', { cause: error, headers: { 'Retry-After': '5' } })
}
