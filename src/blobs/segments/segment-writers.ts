import { rmdir, unlink } from 'node:fs/promises'
import type { Database } from '../../database/connect.ts'
import type { Clock } from '../../lib/clock.ts'
import { syncFolder } from '../../lib/durable-file.ts'
import { CodedError, isSystemError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import { randomRowId } from '../../lib/random-id.ts'
import { Semaphore } from '../../lib/semaphore.ts'
import { Lane } from './segment-writer.ts'
import { makeParcelFolder, segmentFile } from './parcel-folder.ts'
import { OpenFile } from './open-file.ts'
import { disownSegment, insertSegment, segmentExists } from './sql.ts'
import { isMounted, type StorageRoot } from '../storage-root.ts'
import { UnsyncedBytes } from './unsynced-bytes.ts'

/** `disk`: synced before it is acknowledged. `os`: the kernel syncs when it likes. */
export type Durability = 'disk' | 'os'

/** No chunk of declared length makes a segment larger: docs/segments.md. */
export const segmentBytesMax = 1024 * 1024 * 1024
const lanesPerParcelMax = 8
const lanesMax = 256
const idleMsMax = 60_000
const unsyncedBytesMax = 64 * 1024 * 1024
const syncsMax = 4

export interface LanePoolOptions {
  readonly root: StorageRoot
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly ownerId: string
  readonly durability: Durability
}

interface Waiter {
  readonly wake: () => void
}

/**
 * The lanes of all parcels that this process appends to: at most 8 a parcel and 256 in all.
 * Parallel chunks of one parcel take parallel lanes; a lane that stays idle is closed.
 */
export class LanePool {
  readonly ownerId: string
  readonly unsynced: UnsyncedBytes
  readonly syncs = new Semaphore(syncsMax)
  readonly log: Log
  readonly #root: StorageRoot
  readonly #database: Database
  readonly #clock: Clock
  /** Idle lanes with the time since when, longest idle first. */
  readonly #idle = new Map<Lane, number>()
  readonly #countOfParcel = new Map<string, number>()
  readonly #waiters = new Set<Waiter>()
  readonly #condemned = new Set<string>()
  #count = 0

  constructor(options: LanePoolOptions) {
    // Under DURABILITY=os the kernel decides when to write, and how much to keep.
    this.unsynced = new UnsyncedBytes(options.durability === 'os' ? Infinity : unsyncedBytesMax)
    this.#root = options.root
    this.#database = options.database
    this.#clock = options.clock
    this.log = options.log
    this.ownerId = options.ownerId
  }

  get count(): number {
    return this.#count
  }

  get idleCount(): number {
    return this.#idle.size
  }

  /**
   * A lane of the parcel with room for these bytes, for the caller alone. For bytes of unknown
   * number (0) any lane that is not full: its segment gets larger by them.
   * @param bytes what the caller is going to append at most, not what anybody might
   * @throws CodedError not_found when the parcel is gone; system errors; the signal's reason
   */
  async acquire(parcelId: string, bytes: number, signal: AbortSignal): Promise<Lane> {
    for (;;) {
      if (signal.aborted) throw signal.reason
      const idle = this.#takeIdle(parcelId, bytes)
      if (idle) {
        if (await idle.isIntact()) return idle
        await this.#giveUp(idle)
        continue
      }
      if (this.#mayOpen(parcelId)) return this.#open(parcelId)
      const victim = this.#findVictim(parcelId)
      // Between the look and the wait lies no await: a lane given back meanwhile would wake nobody.
      if (victim) await this.#retireIdle(victim)
      else await this.#wait(signal)
    }
  }

  /** Gives a lane back; what was appended and not sent is taken back first. */
  async release(lane: Lane): Promise<void> {
    await lane.rollBack()
    const worthKeeping =
      !lane.sealed && lane.end < segmentBytesMax && !this.#condemned.has(lane.parcelId)
    if (worthKeeping) {
      this.#idle.set(lane, this.#clock.monotonic())
      this.#wakeAll()
    } else {
      await this.#retire(lane)
    }
  }

  /** Closes lanes that nobody has used for a minute. */
  async closeIdle(): Promise<void> {
    const before = this.#clock.monotonic() - idleMsMax
    const due = [...this.#idle].filter(([, since]) => since <= before).map(([lane]) => lane)
    for (const lane of due) await this.#retireIdle(lane)
  }

  /** The parcel is being deleted: its lanes close now, or as soon as they are given back. */
  async closeParcel(parcelId: string): Promise<void> {
    if (!this.#countOfParcel.has(parcelId)) return
    this.#condemned.add(parcelId)
    await this.closeIdleOf(parcelId)
  }

  /** Closes what lanes of the parcel are idle now, so that its segments are nobody's. */
  async closeIdleOf(parcelId: string): Promise<void> {
    const due = [...this.#idle.keys()].filter((lane) => lane.parcelId === parcelId)
    for (const lane of due) await this.#retireIdle(lane)
  }

  /** Closes every lane. Call when no request runs any more. */
  async close(): Promise<void> {
    const lanes = [...this.#idle.keys()]
    for (const lane of lanes) await this.#retireIdle(lane)
  }

  #takeIdle(parcelId: string, bytes: number): Lane | null {
    for (const lane of this.#idle.keys()) {
      if (lane.parcelId !== parcelId || lane.end + bytes > segmentBytesMax) continue
      this.#idle.delete(lane)
      return lane
    }
    return null
  }

  #mayOpen(parcelId: string): boolean {
    return this.#count < lanesMax && (this.#countOfParcel.get(parcelId) ?? 0) < lanesPerParcelMax
  }

  /** Whom to close for room: an idle lane of the parcel (too full), else the longest idle one. */
  #findVictim(parcelId: string): Lane | null {
    const ownIsFull = (this.#countOfParcel.get(parcelId) ?? 0) >= lanesPerParcelMax
    for (const lane of this.#idle.keys()) {
      if (!ownIsFull || lane.parcelId === parcelId) return lane
    }
    return null
  }

  /** Closes an idle lane, unless somebody took it meanwhile. */
  async #retireIdle(lane: Lane): Promise<void> {
    if (this.#idle.delete(lane)) await this.#retire(lane)
  }

  async #open(parcelId: string): Promise<Lane> {
    this.#count += 1
    this.#countOfParcel.set(parcelId, (this.#countOfParcel.get(parcelId) ?? 0) + 1)
    const segmentId = randomRowId()
    try {
      return await this.#createSegment(parcelId, segmentId)
    } catch (error) {
      this.#forget(parcelId)
      throw error
    }
  }

  /**
   * The row first, then the file, then a second look at the row: a deletion in between either sees
   * the file and removes it, or is seen here.
   */
  async #createSegment(parcelId: string, segmentId: string): Promise<Lane> {
    const { sql } = this.#database
    const ownerId = this.ownerId
    if (!(await isMounted(this.#root))) {
      throw new CodedError('unavailable', {
        headers: { 'Retry-After': '30' },
        cause: new Error('the storage root has lost its marker: is its disk mounted?'),
      })
    }
    if (!(await insertSegment(sql, { id: segmentId, parcelId, ownerId }))) {
      throw new CodedError('not_found')
    }
    try {
      return await this.#createFile(parcelId, segmentId)
    } catch (error) {
      // The deletion may have taken the folder between any two steps.
      const isGone = isSystemError(error, 'ENOENT') && !(await segmentExists(sql, segmentId))
      if (isGone) throw new CodedError('not_found', { cause: error })
      // Else compaction would wait until this process ends.
      await disownSegment(sql, segmentId).catch(() => {})
      throw error
    }
  }

  async #createFile(parcelId: string, segmentId: string): Promise<Lane> {
    const folder = await makeParcelFolder(this.#root.folder, parcelId)
    const name = segmentFile(this.#root.folder, parcelId, segmentId)
    const file = await OpenFile.open(name, 'wx+', 0o600)
    try {
      const inode = await file.inode()
      await syncFolder(folder)
      if (!(await segmentExists(this.#database.sql, segmentId))) throw new CodedError('not_found')
      return new Lane({ parcelId, segmentId, inode }, file, this)
    } catch (error) {
      await file.close()
      await unlink(name).catch(() => {})
      // The folder may have been made again behind the deletion; a used one is not empty.
      await rmdir(folder).catch(() => {})
      throw error
    }
  }

  async #retire(lane: Lane): Promise<void> {
    try {
      await lane.close()
      await disownSegment(this.#database.sql, lane.segmentId)
    } catch {
      // The next start finds the row and takes it over: see storage.ts, recover().
    } finally {
      this.#forget(lane.parcelId)
    }
  }

  /** A segment that was changed from outside, unless it was deleted with its container. */
  async #giveUp(lane: Lane): Promise<void> {
    await this.#retire(lane)
    if (await segmentExists(this.#database.sql, lane.segmentId)) lane.reportChange()
  }

  #forget(parcelId: string): void {
    this.#count -= 1
    const left = (this.#countOfParcel.get(parcelId) ?? 1) - 1
    if (left > 0) {
      this.#countOfParcel.set(parcelId, left)
    } else {
      this.#countOfParcel.delete(parcelId)
      this.#condemned.delete(parcelId)
    }
    this.#wakeAll()
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const settle = () => {
        this.#waiters.delete(waiter)
        signal.removeEventListener('abort', settle)
        resolve()
      }
      const waiter: Waiter = { wake: settle }
      this.#waiters.add(waiter)
      signal.addEventListener('abort', settle)
    })
  }

  /** All of them: each looks again whether its own bound allows it now (at most one a seat). */
  #wakeAll(): void {
    const waiters = [...this.#waiters]
    for (const waiter of waiters) waiter.wake()
  }
}
