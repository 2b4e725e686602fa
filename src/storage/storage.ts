import { unlink } from 'node:fs/promises'
import path from 'node:path'
import type { Database, Sql } from '../db/connect.ts'
import type { DatabaseDisk } from '../db/database-disk.ts'
import type { Clock } from '../lib/clock.ts'
import { syncFolder } from '../lib/durable-file.ts'
import { CodedError, isSystemError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { Freeing } from './freeing.ts'
import * as freeingRows from './freeing-sql.ts'
import { LanePool, type Durability } from './lanes.ts'
import { OpenFile } from './open-file.ts'
import { segmentFile } from './paths.ts'
import { SegmentFiles } from './segment-files.ts'
import { DiskFloor } from './disk-floor.ts'
import { RowRoom } from './row-room.ts'
import * as rows from './sql.ts'
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

/**
 * The bytes of all parcels, in append-only segments on local disk.
 *
 * A segment is only ever written by the process that created it, so a restart repairs nothing;
 * `recover` only cuts off tails that no row speaks of. Parcels are removed in two steps: one
 * transaction removes their owner and leaves a tombstone (`bury`), others free their rows and bytes
 * in pages (freeing.ts); segments likewise, once their bytes lie elsewhere (`removeSegment`). What
 * has neither row nor tombstone is never touched.
 */
export class Storage {
  readonly root: StorageRoot
  readonly lanes: LanePool
  readonly files: SegmentFiles
  readonly space: DiskFloor
  readonly rowRoom: RowRoom
  readonly writeTest: WriteTest
  readonly freeing: Freeing
  readonly #options: StorageOptions

  constructor(options: StorageOptions) {
    this.#options = options
    this.root = options.root
    this.lanes = new LanePool(options)
    this.files = new SegmentFiles(options.root)
    this.space = new DiskFloor(options.root.folder, options.clock, options.diskFloorBytes)
    this.rowRoom = new RowRoom(options.databaseDisk, options.clock)
    this.writeTest = new WriteTest({ ...options, space: this.space })
    this.freeing = new Freeing({ ...options, lanes: this.lanes, rowRoom: this.rowRoom })
  }

  /** @throws CodedError disk_full when the database has no room for what is to come */
  async createParcel(sql: Sql, parcelId: string): Promise<void> {
    await this.rowRoom.require()
    await rows.insertParcel(sql, parcelId, this.root.id)
  }

  /** Part of the transaction that deletes the owners: their containers are freed after it. */
  async bury(sql: Sql, containers: readonly freeingRows.BuriedContainer[]): Promise<void> {
    await this.rowRoom.makeForDeletion()
    await freeingRows.insertTombstones(sql, containers, 'container')
  }

  /** Like `bury`, for an owner whose row stays; running downloads of its share are waited for. */
  async empty(sql: Sql, container: freeingRows.BuriedContainer): Promise<void> {
    await this.rowRoom.makeForDeletion()
    await freeingRows.insertTombstones(sql, [container], 'contents')
  }

  /** The same for what has arrived of files that are not finalized; the rest stays. */
  async dropChunks(sql: Sql, parcelId: string): Promise<void> {
    await this.rowRoom.makeForDeletion()
    await freeingRows.insertTombstones(sql, [{ parcelId, shareId: null }], 'chunks')
  }

  /** Whether something of the container waits to be freed. */
  async isBeingFreed(sql: Sql, parcelId: string): Promise<boolean> {
    return freeingRows.hasTombstone(sql, parcelId)
  }

  /** Frees all containers that are due; returns how many. Safe to call again after any crash. */
  async removeBuried(): Promise<number> {
    return this.freeing.run()
  }

  /**
   * Frees containers that were just buried, as far as a request has time for it: the job does the
   * rest. Returns how many are done.
   */
  async removeNow(parcelIds: readonly string[]): Promise<number> {
    return this.freeing.runInline(parcelIds)
  }

  /**
   * Removes the file of a segment that was buried: its bytes lie elsewhere. Safe to call again
   * after any crash. Throws system errors.
   */
  async removeSegment(parcelId: string, segmentId: string): Promise<void> {
    const name = segmentFile(this.root.folder, parcelId, segmentId)
    // A killed process may have removed the file without a sync; the parcel may be gone too.
    await unlessMissing(unlink(name))
    await unlessMissing(syncFolder(path.dirname(name)))
    await rows.deleteSegmentTombstone(this.#options.database.sql, segmentId)
  }

  /** At start: cuts the tails of segments whose process died, and finishes what was buried. */
  async recover(): Promise<void> {
    const { database, ownerId, isAlive, log } = this.#options
    for (const other of await rows.listSegmentOwners(database.sql)) {
      if (other === ownerId || (await isAlive(other))) continue
      // Ours until they are cut: a start that is killed in between leaves them to the next one.
      const segments = await rows.takeOverSegments(database.sql, other, ownerId)
      for (const segment of segments) {
        await this.#truncateTail(segment)
        await rows.disownSegment(database.sql, segment.id)
      }
      log.info('took over the segments of a process that ended', { segments: segments.length })
    }
    await this.freeing.resume()
  }

  async close(): Promise<void> {
    await this.lanes.close()
  }

  async #truncateTail(segment: rows.OrphanedSegment): Promise<void> {
    const name = segmentFile(this.root.folder, segment.parcelId, segment.id)
    try {
      const file = await OpenFile.open(name, 'r+')
      try {
        if ((await file.size()) > segment.committedEnd) await file.truncate(segment.committedEnd)
        // Always: the dead process may have truncated it without a sync. A power cut would bring
        // the tail back, and a segment without an owner is never looked at again.
        await this.lanes.syncs.run(() => file.sync())
      } finally {
        await file.close()
      }
    } catch (error) {
      // The row is written before the file: a crash in between leaves no file to cut.
      if (!isSystemError(error, 'ENOENT')) throw error
    }
  }
}

async function unlessMissing(call: Promise<void>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error
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
