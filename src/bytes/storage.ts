import { RemovedBytes } from './send/running.ts'
import type { Database, Sql } from '../database/connect.ts'
import type { DatabaseDisk } from '../database/database-disk.ts'
import type { Clock } from '../lib/clock.ts'
import type { TakeJob } from '../jobs/jobs.ts'
import { CodedError, isSystemError, unavailable } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { Freeing } from './upkeep/freeing.ts'
import { insertTombstones, type Frees, type TombstonedContainer } from './upkeep/freeing-sql.ts'
import { SegmentWriters } from './segments/segment-writers.ts'
import { SegmentFiles } from './segments/segment-files.ts'
import { DatabaseSpace, DiskFloor, type FloorSettings } from './upkeep/free-space.ts'
import * as rows from './segments/sql.ts'
import type { StorageRoot } from './store/store.ts'
import { WriteTest } from './write-test.ts'

export interface StorageOptions {
  readonly root: StorageRoot
  readonly database: Database
  /** Null when the service does not run its own database. */
  readonly databaseDisk: DatabaseDisk | null
  readonly clock: Clock
  readonly log: Log
  readonly settings: FloorSettings
  /** Id of this process for others on the same storage. */
  readonly ownerId: string
  readonly takeJob: TakeJob
  /** Whether another process that owns segments is alive. */
  readonly isAlive: (ownerId: string) => Promise<boolean>
  /** Whether a transfer of this process reads, or will read, the bytes of a share or a segment. */
  readonly isRead: (id: string) => boolean
}

/**
 * The bytes of all containers, in append-only segments on local disk.
 *
 * A segment is only ever written by the process that created it, so a restart repairs and truncates
 * nothing: bytes without rows may belong to a newer database that is about to be restored.
 * Containers are removed in two steps: one transaction removes their owner and leaves a tombstone
 * (`tombstone`), others free their rows and bytes in pages (upkeep/freeing.ts). Segments that
 * nothing refers to are removed likewise (upkeep/unused-segments.ts). Files without row and
 * tombstone are never touched.
 */
export class Storage {
  readonly root: StorageRoot
  readonly writers: SegmentWriters
  readonly files: SegmentFiles
  readonly space: DiskFloor
  readonly databaseSpace: DatabaseSpace
  readonly writeTest: WriteTest
  readonly freeing: Freeing
  readonly removed = new RemovedBytes()
  readonly #options: StorageOptions

  constructor(options: StorageOptions) {
    this.#options = options
    this.root = options.root
    this.writers = new SegmentWriters(options)
    this.files = new SegmentFiles(options.root)
    this.space = new DiskFloor(options.root, options.clock, options.settings)
    this.databaseSpace = new DatabaseSpace(options.databaseDisk, options.clock)
    this.writeTest = new WriteTest({ ...options, space: this.space, writers: this.writers })
    this.freeing = new Freeing({
      ...options,
      writers: this.writers,
      databaseSpace: this.databaseSpace,
      removed: this.removed,
    })
  }

  /** @throws CodedError disk_full when the database has no space for the rows of an upload */
  async createContainer(sql: Sql, containerId: string): Promise<void> {
    await this.databaseSpace.require()
    await rows.insertContainer(sql, containerId)
  }

  /**
   * Part of the transaction that hides what is freed after it. `contents`, for an owner that keeps
   * its row, waits for running downloads of its share.
   */
  async tombstone(
    sql: Sql,
    containers: readonly TombstonedContainer[],
    frees: Frees = 'container',
  ): Promise<void> {
    await this.databaseSpace.makeForDeletion()
    await insertTombstones(sql, containers, frees)
  }

  /**
   * Frees newly tombstoned containers, as far as a request has time; the job does the rest. Returns
   * the number of finished ones.
   */
  async removeNow(containerIds: readonly string[]): Promise<number> {
    return this.freeing.runInline(containerIds)
  }

  /**
   * Removes tombstoned segments, or anything in their place, except those that a transfer reads.
   * Safe to repeat after any crash. Returns the number of removed ones. Throws system errors.
   */
  async removeSegments(containerId: string, segmentIds: readonly string[]): Promise<number> {
    const unread = segmentIds.filter((id) => !this.#options.isRead(id))
    for (const id of unread) this.removed.add(id)
    // A killed process may have removed a file without a sync; the container may be gone too.
    await this.root.remove(containerId, unread)
    await rows.deleteSegmentTombstones(this.#options.database.sql, unread)
    return unread.length
  }

  /**
   * Call at start: takes over the segments of dead processes, and finishes removals. Neither reads
   * nor changes a segment, so that a broken one never prevents a start.
   */
  async recover(): Promise<void> {
    await this.takeOver()
    await this.freeing.resume()
  }

  /** Marks segments of dead processes as having no appender. */
  async takeOver(): Promise<void> {
    const { database, ownerId, isAlive, log } = this.#options
    for (const other of await rows.listSegmentOwners(database.sql)) {
      if (other === ownerId || (await isAlive(other))) continue
      const segments = await rows.disownSegmentsOf(database.sql, other)
      log.info('took over segments of dead process', { segments })
    }
  }

  async close(): Promise<void> {
    await this.writers.close()
  }
}

/** The error for a failed write; a full disk has its own code. */
export function writeFailure(error: unknown): CodedError {
  if (error instanceof CodedError) return error
  if (isSystemError(error, 'ENOSPC', 'EDQUOT', 'EFBIG')) {
    return new CodedError('disk_full', { cause: error, details: { disk: 'files' } })
  }
  return unavailable(5, error)
}
