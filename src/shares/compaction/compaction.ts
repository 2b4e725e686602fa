import type { Database, Sql } from '../../database/connect.ts'
import type { Manifests } from '../../blobs/manifests.ts'
import type { Downloads } from '../../blobs/send/downloads.ts'
import type { Clock } from '../../lib/clock.ts'
import { CodedError, isSystemError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import { copyExtents, DamagedExtent } from '../../blobs/segments/copy.ts'
import type { SegmentWriter } from '../../blobs/segments/segment-writer.ts'
import { SegmentDamaged } from '../../blobs/segments/segment-files.ts'
import { readingMsMax } from '../../blobs/freeing.ts'
import { isRemovalHeld } from '../../blobs/removal-hold-sql.ts'
import { tombstoneSegment, segmentExists } from '../../blobs/segments/sql.ts'
import { isMounted } from '../../blobs/storage-root.ts'
import type { Storage } from '../../blobs/storage.ts'
import {
  accountBytes,
  lockOwnSegment,
  lockContainer,
  moveSegmentEnd,
} from '../../blobs/receive/sql.ts'
import { lockShareForChange } from '../sql.ts'
import * as rows from './sql.ts'

/** Limit of one transaction; a single larger extent moves alone. */
const batchBytesMax = 256 * 1024 * 1024
const batchExtentsMax = 10_000
/** Limit of one run. */
const sharesMax = 100
/** Limit of one run, so that other shares and other jobs get their turn. */
const runBytesMax = 1024 * 1024 * 1024
/** How long a download of another process, one that is not recorded, may need them. */
const graceMs = 5 * 60_000
/**
 * Bytes behind a committed end may belong to a newer database, which can be restored until then.
 */
const tailKeptMs = 7 * 24 * 60 * 60_000

export interface CompactionDeps {
  readonly database: Database
  readonly storage: Storage
  readonly manifests: Manifests
  readonly clock: Clock
  readonly log: Log
  readonly downloads: Pick<Downloads, 'reportDamage'>
}

interface Victim {
  readonly share: rows.DueShare
  readonly segment: rows.SegmentUse
}

/** By segment id. */
type Tails = Map<string, number | 'kept'>

/**
 * Gives back the disk space of removed files, replaced chunks, and uncommitted bytes of a killed
 * process. Segments of complete shares that are less than half in use are copied extent by extent
 * and then removed. In this order, so that a crash at any point loses nothing:
 *
 * 1. live extents are copied into a segment writer, checked and synced; no row names the copies
 * yet, and after a crash they are dead bytes at the end of their segment;
 * 2. one transaction points the extents to their new places, and turns the old segment's row into a
 * tombstone once nothing refers to it;
 * 3. the manifest is rewritten;
 * 4. the old file is removed five minutes later, or when the last download ends that needs it.
 *
 * Deliveries are left out: they have dead bytes only when a guest sent chunks again, and archives
 * of all deliveries open their segments one after the other, long after they were listed.
 */
export class Compaction {
  readonly #deps: CompactionDeps
  readonly #stopped = new AbortController()
  #afterId = ''
  /** Number of segments in this run. */
  #count = 0

  constructor(deps: CompactionDeps) {
    this.#deps = deps
  }

  /** Returns the number of segments emptied plus the number removed. */
  async run(): Promise<number> {
    if (!(await isMounted(this.#deps.storage.root))) return 0
    this.#count = 0
    await this.#removeTombstoned()
    await this.#compactDue()
    return this.#count
  }

  /** Ends a running copy, so that a shutdown need not wait for it. */
  stop(): void {
    this.#stopped.abort(new Error('the service stops'))
  }

  async #removeTombstoned(): Promise<void> {
    const { database, storage, clock, log } = this.#deps
    const removable = await rows.listRemovable(database.sql, {
      rootId: storage.root.id,
      before: new Date(clock.now() - graceMs),
      processId: storage.writers.ownerId,
      readingSince: new Date(clock.now() - readingMsMax),
    })
    // Asked after the list: a backup that begins later does not need these segments.
    if (removable.length > 0 && (await isRemovalHeld(database.sql))) return
    for (const { containerId, segmentId } of removable) {
      try {
        if (await storage.removeSegment(containerId, segmentId)) this.#count += 1
      } catch (error) {
        log.warn('segment removal failed: will retry', { cause: error })
      }
    }
  }

  /**
   * Continues where the last run ended, so that a share that cannot be compacted delays no other.
   */
  async #compactDue(): Promise<void> {
    const { database, storage, log } = this.#deps
    const due = await rows.listDue(database.sql, {
      rootId: storage.root.id,
      afterId: this.#afterId,
      limit: sharesMax,
    })
    let bytesLeft = runBytesMax
    for (const share of due) {
      if (bytesLeft <= 0 || this.#stopped.signal.aborted) return
      this.#afterId = share.id
      try {
        bytesLeft -= await this.#compactShare(share)
      } catch (error) {
        if (this.#stopped.signal.aborted) return
        log.warn('share compaction failed', { container: share.containerId, cause: error })
      }
    }
    if (due.length < sharesMax) this.#afterId = ''
  }

  /** Returns the number of copied bytes. */
  async #compactShare(share: rows.DueShare): Promise<number> {
    const { database, storage, manifests } = this.#deps
    const ends = await rows.listSegmentEnds(database.sql, share.containerId)
    const tails = await this.#findTails(share.containerId, ends)
    if (!share.hasDeadBytes && [...tails.values()].every((tail) => tail === 'kept')) {
      if (tails.size === 0) await rows.markCompacted(database.sql, share)
      return 0
    }
    await storage.writers.closeIdleOf(share.containerId)
    const segments = await rows.listSegmentUse(database.sql, share.containerId)
    const victims = segments.filter((segment) => !segment.isOwned && isWorthIt(segment, tails))
    let copied = 0
    for (const segment of victims) copied += await this.#compactSegment({ share, segment })
    const isSettled = segments.every(({ id, isOwned }) => !isOwned && tails.get(id) !== 'kept')
    const isOver = victims.length === 0 && isSettled
    if (isOver) await rows.markCompacted(database.sql, share)
    else manifests.wake()
    return copied
  }

  /** Bytes on disk behind committed ends, left by a killed process; `kept` for a while. */
  async #findTails(containerId: string, segments: readonly rows.SegmentEnd[]): Promise<Tails> {
    const { storage, clock } = this.#deps
    const tails: Tails = new Map()
    for (const { id, isOwned, committedEnd } of segments) {
      const found = isOwned ? null : await storage.files.look(containerId, id)
      if (!found || found.bytes <= committedEnd) continue
      const isKept = clock.now() - found.writtenAt.getTime() < tailKeptMs
      tails.set(id, isKept ? 'kept' : found.bytes - committedEnd)
    }
    return tails
  }

  async #compactSegment(victim: Victim): Promise<number> {
    if (victim.segment.liveBytes === 0) {
      await this.#deps.database.begin(async (sql) => {
        if (await this.#lock(sql, victim)) await this.#tombstoneIfEmpty(sql, victim)
      })
      return 0
    }
    let copied = 0
    for (;;) {
      const extents = await this.#nextBatch(victim)
      if (extents.length === 0) return copied
      const bytes = extents.reduce((sum, extent) => sum + extent.length, 0)
      if (!(await this.#moveBatch(victim, extents, bytes))) return copied
      copied += bytes
    }
  }

  async #nextBatch({ share, segment }: Victim): Promise<rows.PlacedExtent[]> {
    const { sql } = this.#deps.database
    const extents = await rows.listExtentsIn(sql, share.containerId, segment.id, batchExtentsMax)
    let bytes = 0
    const end = extents.findIndex((extent, place) => {
      bytes += extent.length
      return place > 0 && bytes > batchBytesMax
    })
    return end === -1 ? extents : extents.slice(0, end)
  }

  /**
   * Moves some extents of a victim; false when there is no space, or the victim cannot be moved.
   */
  async #moveBatch(
    victim: Victim,
    extents: readonly rows.PlacedExtent[],
    bytes: number,
  ): Promise<boolean> {
    const { storage } = this.#deps
    const reservation = await storage.space.reserve(bytes).catch((error: unknown) => {
      if (error instanceof CodedError && error.code === 'disk_full') return null
      throw error
    })
    if (!reservation) return false
    try {
      const { containerId } = victim.share
      const writer = await storage.writers.acquire(containerId, bytes, this.#stopped.signal)
      try {
        const offsets = await this.#copy(victim, extents, writer)
        if (offsets !== null) reservation.written()
        return offsets !== null && (await this.#commit(victim, extents, { writer, offsets }))
      } finally {
        await storage.writers.release(writer)
      }
    } finally {
      reservation.settle()
    }
  }

  /**
   * Null when the bytes fail their check: rows must keep pointing to damaged bytes, not to a copy.
   */
  async #copy(
    victim: Victim,
    extents: readonly rows.PlacedExtent[],
    writer: SegmentWriter,
  ): Promise<number[] | null> {
    const { storage } = this.#deps
    try {
      const pinned = await storage.files.pin(victim.share.containerId, victim.segment.id)
      try {
        const offsets = await copyExtents(pinned, extents, writer, this.#stopped.signal)
        await writer.sync()
        return offsets
      } finally {
        pinned.release()
      }
    } catch (error) {
      const isDamaged = error instanceof DamagedExtent || error instanceof SegmentDamaged
      if (!isDamaged && !(await this.#isLost(victim, error))) throw error
      await this.#leaveDamaged(victim, error)
      return null
    }
  }

  /** Whether an expected file is missing, while its share and the disk are still there. */
  async #isLost({ segment }: Victim, error: unknown): Promise<boolean> {
    const { database, storage } = this.#deps
    if (!isSystemError(error, 'ENOENT') || !(await isMounted(storage.root))) return false
    return segmentExists(database.sql, segment.id)
  }

  async #leaveDamaged({ share, segment }: Victim, error: unknown): Promise<void> {
    const { database, clock, log, downloads } = this.#deps
    await rows.markSegmentDamaged(database.sql, segment.id, new Date(clock.now()))
    if (error instanceof DamagedExtent) {
      await downloads.reportDamage((error.extent as rows.PlacedExtent).fileId, error)
      return
    }
    log.error('segment lost bytes: kept in place', {
      container: share.containerId,
      segment: segment.id,
      cause: error,
    })
  }

  async #commit(
    victim: Victim,
    extents: readonly rows.PlacedExtent[],
    { writer, offsets }: { writer: SegmentWriter; offsets: readonly number[] },
  ): Promise<boolean> {
    const { database, storage } = this.#deps
    return database.begin(async (sql) => {
      if (!(await this.#lock(sql, victim))) return false
      const committedEnd = await lockOwnSegment(sql, writer.segmentId, storage.writers.ownerId)
      if (committedEnd === null) {
        writer.seal()
        return false
      }
      await writer.requireIntact()
      const to = { segmentId: writer.segmentId, offsets }
      writer.advance()
      await rows.moveExtents(sql, { segmentId: victim.segment.id, extents }, to)
      await moveSegmentEnd(sql, writer.segmentId, writer.position)
      await accountBytes(sql, victim.share.containerId, writer.position - committedEnd, 0)
      await this.#tombstoneIfEmpty(sql, victim)
      await rows.markMoved(sql, victim.share.id)
      return true
    })
  }

  /** Takes the locks of every change of a share; false when there is nothing left to do. */
  async #lock(sql: Sql, { share, segment }: Victim): Promise<boolean> {
    if (!(await lockContainer(sql, share.containerId))) return false
    const locked = await lockShareForChange(sql, share.id)
    if (locked?.state !== 'complete') return false
    return (await rows.lockOwnerlessSegment(sql, segment.id)) !== null
  }

  async #tombstoneIfEmpty(sql: Sql, { share, segment }: Victim): Promise<void> {
    const { containerId } = share
    if (await rows.isReferenced(sql, containerId, segment.id)) return
    await tombstoneSegment(sql, {
      id: segment.id,
      containerId,
      at: new Date(this.#deps.clock.now()),
    })
    await accountBytes(sql, containerId, -segment.committedEnd, 0)
    this.#count += 1
  }
}

/** Worth it when less than half is in use, or nothing was ever committed. */
function isWorthIt({ id, liveBytes, committedEnd }: rows.SegmentUse, tails: Tails): boolean {
  const tail = tails.get(id) ?? 0
  if (tail === 'kept') return false
  return liveBytes * 2 < committedEnd + tail || committedEnd === 0
}
