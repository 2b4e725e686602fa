import type { Database } from '../../database/connect.ts'
import type { Clock } from '../../lib/clock.ts'
import { CodedError, isSystemError, unavailable } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import { randomRowId } from '../../lib/random-id.ts'
import { inOrder, Permits, wait, type Waiter } from '../../lib/permits.ts'
import type { NewSegment, SegmentWriter, StorageRoot, WriterDeps } from '../store/store.ts'
import { markShrunk } from '../upkeep/unused-segments-sql.ts'
import { deleteSegment, disownSegment, insertSegment, segmentExists } from './sql.ts'
import { UnsyncedBytes } from './file-writer.ts'

/** A chunk with a declared length makes no segment larger, unless it is alone in it. */
export const segmentBytesMax = 256 * 1024 * 1024
const writersPerContainerMax = 8
const writersMax = 256
const idleMsMax = 60_000
/** Eight slow chunks may hold all writers of a container. */
const waitMsMax = 30_000
const unsyncedBytesMax = 64 * 1024 * 1024
/** A journal merges syncs that run side by side. The other threads of 16 stay free for writes. */
const syncsMax = 12

export interface SegmentWritersOptions {
  readonly root: StorageRoot
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly ownerId: string
}

/**
 * The segment writers of all containers that this process appends to: at most 8 per container and
 * 256 in all. Parallel chunks of one container use parallel segment writers; idle ones are closed.
 */
export class SegmentWriters implements WriterDeps {
  readonly ownerId: string
  readonly unsynced = new UnsyncedBytes(unsyncedBytesMax)
  readonly syncs = new Permits(inOrder(syncsMax))
  readonly log: Log
  readonly #root: StorageRoot
  readonly #database: Database
  readonly #clock: Clock
  /** Idle segment writers with the start of their idle time, longest idle first. */
  readonly #idle = new Map<SegmentWriter, number>()
  readonly #countOfContainer = new Map<string, number>()
  readonly #waiters = new Set<Waiter>()
  readonly #closing = new Set<string>()
  #count = 0

  constructor(options: SegmentWritersOptions) {
    this.#root = options.root
    this.#database = options.database
    this.#clock = options.clock
    this.log = options.log
    this.ownerId = options.ownerId
  }

  /** See `StorageRoot.writeBytes`. */
  get writeBytes(): number {
    return this.#root.writeBytes
  }

  get count(): number {
    return this.#count
  }

  get idleCount(): number {
    return this.#idle.size
  }

  /**
   * A segment writer of the container with space for these bytes, held by the caller alone. For an
   * unknown length (0) any segment writer that is not full; its segment may then grow beyond the
   * limit. Its name is durable once `sync` has resolved.
   * @param bytes upper bound of what the caller will append
   * @throws CodedError not_found when the container is gone, unavailable after 30 s; system errors;
   *   the signal's reason
   */
  async acquire(containerId: string, bytes: number, signal: AbortSignal): Promise<SegmentWriter> {
    const until = this.#clock.monotonic() + waitMsMax
    for (;;) {
      if (signal.aborted) throw signal.reason
      const idle = this.#takeIdle(containerId, bytes)
      if (idle) {
        if (idle.sealed) await this.#retire(idle)
        else if (await idle.isIntact()) return idle
        else await this.#giveUp(idle)
        continue
      }
      if (this.#mayOpen(containerId)) return this.#open(containerId, bytes)
      const longestIdle = this.#findIdleToClose(containerId)
      // No await between the search and the wait: a segment writer released in between would wake
      // no waiter.
      if (longestIdle) await this.#retireIdle(longestIdle)
      else await this.#wait(signal, until - this.#clock.monotonic())
    }
  }

  /** Returns a segment writer, after removing bytes that were appended but not sent. */
  async release(writer: SegmentWriter): Promise<void> {
    await writer.rollBack()
    const worthKeeping =
      !writer.sealed && writer.end < segmentBytesMax && !this.#closing.has(writer.containerId)
    if (worthKeeping) {
      this.#idle.set(writer, this.#clock.monotonic())
      this.#wakeAll()
    } else {
      await this.#retire(writer)
    }
  }

  async closeIdle(): Promise<void> {
    const before = this.#clock.monotonic() - idleMsMax
    await this.#retireAll((_writer, since) => since <= before)
  }

  /**
   * Call when the container is deleted: closes its segment writers now, or when they are released.
   */
  async closeContainer(containerId: string): Promise<void> {
    if (!this.#countOfContainer.has(containerId)) return
    this.#closing.add(containerId)
    await this.closeIdleOf(containerId)
  }

  /** Closes the idle segment writers of the container, so that its segments have no owner. */
  async closeIdleOf(containerId: string): Promise<void> {
    await this.#retireAll((writer) => writer.containerId === containerId)
  }

  /** Closes every segment writer. Call when no request is running. */
  async close(): Promise<void> {
    await this.#retireAll(() => true)
  }

  /** Closes those idle segment writers. */
  async #retireAll(isDue: (writer: SegmentWriter, since: number) => boolean): Promise<void> {
    const due = [...this.#idle].filter((idle) => isDue(...idle))
    for (const [writer] of due) await this.#retireIdle(writer)
  }

  #takeIdle(containerId: string, bytes: number): SegmentWriter | null {
    for (const writer of this.#idle.keys()) {
      if (writer.containerId !== containerId || writer.end + bytes > segmentBytesMax) continue
      this.#idle.delete(writer)
      return writer
    }
    return null
  }

  #mayOpen(containerId: string): boolean {
    return (
      this.#count < writersMax &&
      (this.#countOfContainer.get(containerId) ?? 0) < writersPerContainerMax
    )
  }

  /**
   * The segment writer to close to make space: an idle one of the container (too full), otherwise
   * the longest idle one.
   */
  #findIdleToClose(containerId: string): SegmentWriter | null {
    const ownIsFull = (this.#countOfContainer.get(containerId) ?? 0) >= writersPerContainerMax
    for (const writer of this.#idle.keys()) {
      if (!ownIsFull || writer.containerId === containerId) return writer
    }
    return null
  }

  /** Closes an idle segment writer, unless it was acquired meanwhile. */
  async #retireIdle(writer: SegmentWriter): Promise<void> {
    if (this.#idle.delete(writer)) await this.#retire(writer)
  }

  async #open(containerId: string, bytesMax: number): Promise<SegmentWriter> {
    this.#count += 1
    this.#countOfContainer.set(containerId, (this.#countOfContainer.get(containerId) ?? 0) + 1)
    const segmentId = randomRowId()
    try {
      return await this.#createSegment({ containerId, segmentId, bytesMax })
    } catch (error) {
      this.#forget(containerId)
      throw error
    }
  }

  /**
   * First the row, then the file, then a second look at the row: a concurrent deletion either sees
   * the file and removes it, or is seen here.
   */
  async #createSegment(
    segment: Pick<NewSegment, 'containerId' | 'segmentId' | 'bytesMax'>,
  ): Promise<SegmentWriter> {
    const { sql } = this.#database
    const { containerId, segmentId } = segment
    if (!(await this.#root.isPresent())) {
      const what = 'the storage root has lost its marker: is its disk mounted?'
      throw unavailable(30, new Error(what))
    }
    const row = { id: segmentId, containerId, ownerId: this.ownerId }
    const rootId = await insertSegment(sql, row)
    if (rootId === null) throw new CodedError('not_found')
    const exists = () => segmentExists(sql, segmentId)
    try {
      return await this.#root.create({ ...segment, rootId, exists, deps: this })
    } catch (error) {
      // A deletion may have removed the folder between any two steps.
      const isGone = isSystemError(error, 'ENOENT') && !(await exists())
      if (isGone) throw new CodedError('not_found', { cause: error })
      // A segment with an owner is not removed.
      await disownSegment(sql, segmentId).catch(() => {})
      throw error
    }
  }

  async #retire(writer: SegmentWriter): Promise<void> {
    try {
      const { sql } = this.#database
      const end = (await writer.close()) ? disownSegment : deleteSegment
      await end(sql, writer.segmentId)
      // A store may have kept what it should have removed.
      if (end === disownSegment && writer.end === 0) await markShrunk(sql, writer.containerId)
    } catch {
      // The next start takes the row over: see storage.ts, recover().
    } finally {
      this.#forget(writer.containerId)
    }
  }

  /** Gives up a segment that was changed from outside, unless it was deleted with its container. */
  async #giveUp(writer: SegmentWriter): Promise<void> {
    await this.#retire(writer)
    if (await segmentExists(this.#database.sql, writer.segmentId)) writer.reportChange()
  }

  #forget(containerId: string): void {
    this.#count -= 1
    const left = (this.#countOfContainer.get(containerId) ?? 1) - 1
    if (left > 0) {
      this.#countOfContainer.set(containerId, left)
    } else {
      this.#countOfContainer.delete(containerId)
      this.#closing.delete(containerId)
    }
    this.#wakeAll()
  }

  /** @throws CodedError unavailable after this time; the signal's reason */
  #wait(signal: AbortSignal, ms: number): Promise<void> {
    return wait(this.#waiters, undefined, {
      signal,
      waitMsMax: Math.max(0, ms),
      clock: this.#clock,
    })
  }

  /**
   * Wakes all waiters: each checks whether its own bound now allows it (at most one per permit).
   */
  #wakeAll(): void {
    const waiters = [...this.#waiters]
    for (const waiter of waiters) waiter.admit()
  }
}
