import { setTimeout as delay } from 'node:timers/promises'
import * as rootRows from '../bytes/segments/roots-sql.ts'
import { isUnreadable } from '../bytes/segments/segment-files.ts'
import { segmentExists } from '../bytes/segments/sql.ts'
import { requireMounted } from '../bytes/storage-root.ts'
import { isMissing, type StorageRoot } from '../bytes/store/store.ts'
import type { DiskFloor } from '../bytes/upkeep/free-space.ts'
import type { Pace } from '../bytes/upkeep/verify/pace.ts'
import type { Bulk } from '../database/bulk.ts'
import type { Database } from '../database/connect.ts'
import { ByteCheck, type Damage } from './byte-check.ts'
import { BackupProblem } from './problem.ts'
import { SegmentList, type ListedSegment } from './segment-list.ts'
import { Spool } from './spool.ts'
import * as rows from './sql.ts'

const readBytes = 1024 * 1024
const waitMs = 200

export interface StorageCopyOptions {
  readonly database: Database
  readonly openBulk: () => Bulk
  readonly from: StorageRoot
  readonly to: StorageRoot
  readonly isAlive: (processId: string) => Promise<boolean>
  /** Lets this process follow the roots that the database knows. */
  readonly follow: () => Promise<void>
  /** Space in the place to which files move. */
  readonly space: Pick<DiskFloor, 'require'>
  readonly pace: Pace
  readonly signal: AbortSignal
  /** Where a list of segments goes that may be too large for memory: DATA_DIR. */
  readonly spoolFolder: string
  readonly onDamage: (damage: Damage) => void
  readonly onProgress: (movedBytes: number, totalBytes: number) => void
  /** For people: what the command waits for. */
  readonly onWait: (what: string) => void
}

export interface StorageCopied {
  readonly segments: number
  readonly bytes: number
  /** Places of files that were damaged before. */
  readonly damaged: number
  /** Segments that could not be read: they and the former root stay. */
  readonly unreadable: number
}

/**
 * Moves all segments to another storage root while the service goes on working. In this order, each
 * step of which can be repeated after a crash (docs/decisions/0032-moving-files.md):
 *
 * 1. wait until each process that has the former root open has the new one open too;
 * 2. the new one becomes the current one: new segments go there;
 * 3. each other segment is copied once it has no writer, checked, and made durable; then its row
 * names the new root. The former copy stays;
 * 4. when no row names the former root any more, its row is deleted;
 * 5. wait until each process has let go of it, and let manifests be written again.
 */
export class StorageCopy {
  readonly #options: StorageCopyOptions
  #segments = 0
  #bytes = 0
  #damaged = 0
  /** Found by the last look: a failing disk is not read again while uploads go on. */
  #unreadable: ReadonlySet<string> = new Set()
  #totalBytes = 0

  constructor(options: StorageCopyOptions) {
    this.#options = options
  }

  /** @throws the signal's reason; CodedError unavailable, disk_full; system errors */
  async run(): Promise<StorageCopied> {
    const { database, from, to, follow } = this.#options
    const { sql } = database
    for (let isCurrent = false; !isCurrent;) {
      await this.#waitForProcesses(to.id, 'open both places: reload or restart it')
      isCurrent = await this.#makeCurrent()
    }
    await follow()
    this.#totalBytes = (await rootRows.countSegments(sql, from.id)).bytes
    for (let isDone = false; !isDone;) {
      const before = this.#segments
      await this.#moveClosed()
      const left = await rootRows.countSegments(sql, from.id)
      if (left.count > 0 && left.count === this.#unreadable.size) return this.#result()
      isDone = left.count === 0 && (await this.#forgetFormer())
      if (isDone || this.#segments > before) continue
      this.#options.onWait('uploads to end')
      await this.#pause()
    }
    await follow()
    await this.#waitForProcesses(null, 'let go of the former place')
    // A process may have written some in the former place.
    await rows.forgetManifests(sql)
    return this.#result()
  }

  #result(): StorageCopied {
    return {
      segments: this.#segments,
      bytes: this.#bytes,
      damaged: this.#damaged,
      unreadable: this.#unreadable.size,
    }
  }

  async #waitForProcesses(withoutRootId: string | null, what: string): Promise<void> {
    const { database, from, isAlive } = this.#options
    for (;;) {
      const openers = await rootRows.listOpeners(database.sql, from.id, withoutRootId)
      let living = 0
      for (const id of openers) {
        if (await isAlive(id)) living += 1
        else await rootRows.deleteOpenings(database.sql, id)
      }
      if (living === 0) return
      this.#options.onWait(`the service or a command to ${what}`)
      await this.#pause()
    }
  }

  /** False when a process has opened only the former root meanwhile. */
  #makeCurrent(): Promise<boolean> {
    const { database, from, to } = this.#options
    return database.begin(async (sql) => {
      await rootRows.lockOpenings(sql)
      if ((await rootRows.listOpeners(sql, from.id, to.id)).length > 0) return false
      await rootRows.makeCurrent(sql, to.id)
      return true
    })
  }

  async #pause(): Promise<void> {
    const { signal } = this.#options
    await delay(waitMs, null, { signal }).catch(() => signal.throwIfAborted())
  }

  /** Moves the segments that have no writer. */
  async #moveClosed(): Promise<void> {
    const { database, from, to, signal, onDamage } = this.#options
    const unreadable = new Set<string>()
    await rootRows.moveEmptySegments(database.sql, { fromId: from.id, toId: to.id })
    const spool = await this.#listSegments()
    const list = new SegmentList(spool.read())
    const check = new ByteCheck(list, (damage) => {
      this.#damaged += 1
      onDamage(damage)
    })
    try {
      for await (const segment of list) {
        signal.throwIfAborted()
        if (this.#unreadable.has(segment.segmentId)) unreadable.add(segment.segmentId)
        else await this.#move(segment, check, unreadable)
      }
    } finally {
      await spool.close()
    }
    this.#unreadable = unreadable
  }

  async #listSegments(): Promise<Spool> {
    const spool = await Spool.open(this.#options.spoolFolder)
    const bulk = this.#options.openBulk()
    try {
      const source = await bulk.copyOut(rows.copyUnmovedList(this.#options.from.id))
      for await (const data of source) await spool.append(data)
      return spool
    } catch (error) {
      await spool.close()
      throw error
    } finally {
      await bulk.close()
    }
  }

  /** @param unreadable gets the segment if it cannot be read */
  async #move(segment: ListedSegment, check: ByteCheck, unreadable: Set<string>): Promise<void> {
    const { sql } = this.#options.database
    const { segmentId } = segment
    await check.begin(segment, 0)
    let isThere: boolean
    try {
      isThere = await this.#copy(segment, check)
    } catch (error) {
      const isRemoved = isMissing(error) && !(await segmentExists(sql, segmentId))
      if (isRemoved) return this.#removeCopy(segment)
      if (!(error instanceof Unreadable)) throw error
      unreadable.add(segmentId)
      return
    }
    const isMoved = isThere
      ? await rootRows.moveSegment(sql, segmentId, this.#options.to.id)
      : await this.#moveMissing(segment)
    // What was removed, or is there by now, is not damaged.
    if (!isMoved) return this.#removeCopy(segment)
    await check.end()
    this.#segments += 1
  }

  /**
   * Moves the row of a segment without bytes: they are lost, or about to be linked by a copy of
   * files, which is refused then. False when they are there by now: the next look copies them.
   */
  #moveMissing({ containerId, segmentId }: ListedSegment): Promise<boolean> {
    const { database, from, to } = this.#options
    return database.begin(async (sql) => {
      await rootRows.lockSegment(sql, segmentId)
      if ((await from.sizeOf(containerId, segmentId)) !== null) return false
      return rootRows.moveSegment(sql, segmentId, to.id)
    })
  }

  /** For a segment that was removed before its copy was there. */
  async #removeCopy({ containerId, segmentId }: ListedSegment): Promise<void> {
    const { database, to } = this.#options
    await to.remove(containerId, [segmentId])
    const isOpen = await rootRows.isOpenContainer(database.sql, containerId)
    if (!isOpen) await to.removeContainer(containerId, () => true)
  }

  /**
   * Stores as many bytes as there are; those that lack are damage that the check reports. False
   * without the segment.
   */
  async #copy(segment: ListedSegment, check: ByteCheck): Promise<boolean> {
    const { from, to, space } = this.#options
    const { containerId, segmentId, end } = segment
    const present = await from.sizeOf(containerId, segmentId)
    if (present === null) await this.#requireNone(segment)
    const bytes = Math.min(end, present ?? 0)
    if (bytes === 0) return present !== null
    await space.require(bytes)
    await to.put(containerId, segmentId, this.#read(segment, bytes, check))
    const isKept = ((await to.sizeOf(containerId, segmentId)) ?? 0) >= bytes
    if (!isKept && (await segmentExists(this.#options.database.sql, segmentId))) {
      throw new BackupProblem(`${to.name} has not kept segment ${segmentId}`)
    }
    return true
  }

  /** @throws Unreadable for a file that a failing disk shows as none */
  async #requireNone({ containerId, segmentId }: ListedSegment): Promise<void> {
    const { from } = this.#options
    await requireMounted(from)
    const reader = await from.open(containerId, segmentId).catch((error: unknown) => {
      return isMissing(error) ? null : refuseUnreadable(error)
    })
    await reader?.close()
  }

  async *#read(
    { containerId, segmentId }: ListedSegment,
    bytes: number,
    check: ByteCheck,
  ): AsyncGenerator<Buffer> {
    const { from, pace, signal, onProgress } = this.#options
    const reader = await from.open(containerId, segmentId)
    try {
      for (let position = 0; position < bytes;) {
        signal.throwIfAborted()
        const buffer = Buffer.allocUnsafeSlow(Math.min(readBytes, bytes - position))
        const count = await reader.read(buffer, 0, buffer.length, position).catch(refuseUnreadable)
        if (count === 0) return
        const data = buffer.subarray(0, count)
        await check.take(data)
        yield data
        position += count
        this.#bytes += count
        onProgress(this.#bytes, this.#totalBytes)
        await pace.took(count)
      }
    } finally {
      await reader.close()
    }
  }

  /** False when segments were added to it meanwhile, by copies of files. */
  #forgetFormer(): Promise<boolean> {
    const { database, from } = this.#options
    return database.begin(async (sql) => {
      await rootRows.lockRoot(sql, from.id)
      return rootRows.deleteStorageRoot(sql, from.id)
    })
  }
}

/** A segment has bad sectors, or is not a file. */
class Unreadable extends Error {}

function refuseUnreadable(error: unknown): never {
  throw isUnreadable(error) ? new Unreadable('', { cause: error }) : error
}
