import { rm, unlink } from 'node:fs/promises'
import path from 'node:path'
import type { Database, Sql } from '../db/connect.ts'
import type { Clock } from '../lib/clock.ts'
import { syncFolder } from '../lib/durable-file.ts'
import { CodedError, isSystemError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { LanePool, type Durability } from './lanes.ts'
import { OpenFile } from './open-file.ts'
import { parcelFolder, segmentFile } from './paths.ts'
import { SegmentFiles } from './segment-files.ts'
import { DiskFloor } from './disk-floor.ts'
import * as rows from './sql.ts'
import { isMounted, type StorageRoot } from './storage-root.ts'
import { WriteTest } from './write-test.ts'

export interface StorageOptions {
  readonly root: StorageRoot
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly durability: Durability
  /** Bytes to keep free on the disk, as the settings have it now. */
  readonly diskFloorBytes: () => number
  /** This process, as other processes on the same storage know it. */
  readonly ownerId: string
  /** Whether another process that owns segments still lives. */
  readonly isAlive: (ownerId: string) => Promise<boolean>
}

/**
 * The bytes of all parcels, in append-only segments on local disk.
 *
 * A segment is only ever written by the process that created it, so a restart repairs nothing;
 * `recover` only cuts off tails that no row speaks of. Parcels are removed in two steps: their rows
 * with a tombstone in one transaction (`bury`), their bytes after it (`removeBuried`); segments
 * likewise, once their bytes lie elsewhere (`removeSegment`). Whatever has neither row nor
 * tombstone is never touched.
 */
export class Storage {
  readonly root: StorageRoot
  readonly lanes: LanePool
  readonly files: SegmentFiles
  readonly space: DiskFloor
  readonly writeTest: WriteTest
  readonly #options: StorageOptions

  constructor(options: StorageOptions) {
    this.#options = options
    this.root = options.root
    this.lanes = new LanePool(options)
    this.files = new SegmentFiles(options.root)
    this.space = new DiskFloor(options.root.folder, options.clock, options.diskFloorBytes)
    this.writeTest = new WriteTest({ ...options, space: this.space })
  }

  async createParcel(sql: Sql, parcelId: string): Promise<void> {
    await rows.insertParcel(sql, parcelId, this.root.id)
  }

  /** Part of the deleting transaction, after the rows that refer to the parcels are gone. */
  async bury(sql: Sql, parcelIds: readonly string[]): Promise<void> {
    await rows.buryParcels(sql, parcelIds)
  }

  /** Like `bury`, for parcels whose owner's row stays. */
  async empty(sql: Sql, parcelIds: readonly string[]): Promise<void> {
    await rows.emptyParcels(sql, parcelIds)
  }

  /**
   * Removes the bytes of tombstoned parcels, and returns of how many. Safe to call again after any
   * crash.
   */
  async removeBuried(): Promise<number> {
    if (!(await isMounted(this.root))) return 0
    return this.removeNow(await rows.listTombstones(this.#options.database.sql, this.root.id))
  }

  /**
   * Removes the bytes of parcels that were just buried. When that fails now, their tombstones have
   * the job do it: what was deleted is deleted. Returns how many went.
   */
  async removeNow(parcelIds: readonly string[]): Promise<number> {
    let removed = 0
    for (const parcelId of parcelIds) {
      try {
        await this.removeParcel(parcelId)
        removed += 1
      } catch (error) {
        const text = 'deleted bytes are still on disk: the next sweep removes them'
        this.#options.log.warn(text, { parcel: parcelId, cause: error })
      }
    }
    return removed
  }

  /** Removes the bytes of one parcel that was buried. */
  async removeParcel(parcelId: string): Promise<void> {
    await this.lanes.closeParcel(parcelId)
    await this.#removeFolder(parcelId)
    await rows.deleteTombstone(this.#options.database.sql, parcelId)
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
    await this.removeBuried()
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

  async #removeFolder(parcelId: string): Promise<void> {
    const folder = parcelFolder(this.root.folder, parcelId)
    await rm(folder, { recursive: true, force: true })
    await unlessMissing(syncFolder(path.dirname(folder)))
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
    return new CodedError('disk_full', { cause: error })
  }
  return new CodedError('unavailable', { cause: error, headers: { 'Retry-After': '5' } })
}
