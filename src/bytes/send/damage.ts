import { listDamaged, type DamagedFile } from '../files-sql.ts'
import * as rows from './damage-sql.ts'
import type { Database, Sql } from '../../database/connect.ts'
import { maskLink } from '../../http/ended-requests.ts'
import type { Clock } from '../../lib/clock.ts'
import { CodedError, isSystemError, unavailable } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import { isLost } from '../segments/segment-files.ts'
import { lookWhileMounted } from '../storage-root.ts'
import type { Storage } from '../storage.ts'
import { blockBytes } from '../segments/block-checksums.ts'

/** Bytes of a file and their place. */
export interface FileBytes {
  readonly fileId: number
  readonly segmentId: string
  readonly position: number
  readonly length: number
}

/**
 * Bytes of a file differ from those received, so none of them are sent. Without a cause their
 * checksum is wrong, which is proof; with a cause it must still be examined whether they are lost.
 */
export class DamagedContent extends Error {
  readonly fileId: number
  readonly segmentId: string
  /** The bytes that could not be read. */
  readonly bytes: FileBytes | null

  constructor(fileId: number, segmentId: string, cause?: unknown, bytes: FileBytes | null = null) {
    const what = bytes ? 'could not be read' : 'have changed on disk'
    super(`the bytes of file ${fileId} ${what}`, { cause })
    this.fileId = fileId
    this.segmentId = segmentId
    this.bytes = bytes
  }
}

/**
 * The error for bytes that could not be read: DamagedContent when they may be lost. Other errors
 * say nothing about the bytes: too many open files, no memory, no permission.
 */
export function blame({ fileId, segmentId, position, length }: FileBytes, error: unknown): unknown {
  return isLost(error) || isSystemError(error, 'EIO')
    ? new DamagedContent(fileId, segmentId, error, { fileId, segmentId, position, length })
    : error
}

const pageFiles = 5000

/** Notified about damaged files, once for each. */
export interface DamageNotices {
  /** Files of one container. Called inside the transaction that marks them. */
  filesDamaged(sql: Sql, fileIds: readonly number[]): Promise<void>
  /** Called after the commit. */
  send(): void
}

export interface DamageDeps {
  readonly database: Database
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  readonly damageNotices: DamageNotices
}

/**
 * Marks files with bytes that differ from those received, refuses them from then on, and notifies
 * their owner. Changed bytes damage the file they belong to; a missing or short segment damages
 * every file in the lost part.
 */
export class Damage {
  readonly #deps: DamageDeps

  constructor(deps: DamageDeps) {
    this.#deps = deps
  }

  /** Reports proven damage that ended a transfer; ignores other errors. Never rejects. */
  async report(error: unknown): Promise<void> {
    if (!(error instanceof DamagedContent)) return
    try {
      if (isLost(error.cause)) await this.#findLost(error.fileId)
      else if (await this.#isProven(error)) await this.markFiles([error.fileId], error)
    } catch (failure) {
      const { fileId: file } = error
      this.#deps.log.warn('could not mark damaged file', { file, cause: failure })
    }
  }

  /** Marks files of one container with changed bytes; their owner gets one notice for all. */
  async markFiles(fileIds: readonly number[], cause: unknown): Promise<void> {
    const { database, clock, log, damageNotices } = this.#deps
    const at = new Date(clock.now())
    const marked = await database.begin(async (sql) => {
      const isNew = await rows.markDamaged(sql, fileIds, at)
      if (isNew.length === 0) return []
      await damageNotices.filesDamaged(sql, isNew)
      return rows.listPlaces(sql, isNew)
    })
    if (marked.length === 0) return
    damageNotices.send()
    for (const place of marked) {
      log.error('file damaged on disk', { ...logged(place, cause), ...reasonOf(cause) })
    }
  }

  /**
   * Checks the length of a segment on disk, and marks the files in a lost part.
   * @param end the expected length in bytes
   * @returns the actual length when it is too short, otherwise null
   */
  async checkSegment({ containerId, segmentId, end }: rows.NeededSegment): Promise<number | null> {
    const { storage } = this.#deps
    // A disk that is not mounted has lost nothing.
    const bytesOnDisk = await lookWhileMounted(storage.root, async () => {
      return (await storage.files.bytesOnDisk(containerId, segmentId)) ?? 0
    })
    if (bytesOnDisk === null || bytesOnDisk >= end) return null
    await this.#markLost({ containerId, segmentId, bytesOnDisk })
    return bytesOnDisk
  }

  /**
   * @param selection null checks all files of the containers
   * @throws CodedError file_damaged when one of these files is damaged
   */
  async refuse(containerIds: readonly string[], selection: readonly number[] | null) {
    const damaged = await listDamaged(this.#deps.database.sql, containerIds, selection)
    if (damaged.length > 0) throw fileDamaged(damaged)
  }

  /**
   * Awaits a read before the head of an answer, and turns its failure into a refusal.
   * @throws CodedError file_damaged; not_found when the file is gone; unavailable when the bytes
   *   cannot be read now; other errors unchanged
   */
  async orRefuse<T>(reading: Promise<T>): Promise<T> {
    try {
      return await reading
    } catch (error) {
      if (error instanceof DamagedContent) throw await this.explain(error)
      if (!(error instanceof Error && 'syscall' in error)) throw error
      throw unavailable(5, error)
    }
  }

  /** Investigates unreadable bytes and returns the error to answer. */
  async explain(error: DamagedContent): Promise<CodedError> {
    const { database, storage } = this.#deps
    await this.report(error)
    const file = await rows.findMark(database.sql, error.fileId)
    if (!file) return new CodedError('not_found', { cause: error })
    if (file.isDamaged) return fileDamaged([file])
    return unavailable((await storage.root.isPresent()) ? 1 : 30, error)
  }

  /** A wrong checksum is proof; a disk error only when it occurs again. */
  async #isProven({ fileId, bytes }: DamagedContent): Promise<boolean> {
    const { database, storage } = this.#deps
    if (!bytes) return true
    const needed = await rows.listNeededSegments(database.sql, fileId)
    const segment = needed.find(({ segmentId }) => segmentId === bytes.segmentId)
    if (!segment) return false
    const look = () => failsAgain(storage, segment.containerId, bytes)
    return (await lookWhileMounted(storage.root, look)) ?? false
  }

  /** A file that was deleted while being sent no longer needs its segments. */
  async #findLost(fileId: number): Promise<void> {
    const { sql } = this.#deps.database
    for (const needed of await rows.listNeededSegments(sql, fileId)) await this.checkSegment(needed)
  }

  async #markLost(lost: rows.LostBytes): Promise<void> {
    const { database, clock, log, damageNotices } = this.#deps
    const at = new Date(clock.now())
    let afterId = 0
    const found: number[] = []
    for (;;) {
      const { lastId, markedIds } = await database.begin(async (sql) => {
        const page = await rows.markLostPage(sql, lost, { afterId, limit: pageFiles, at })
        if (page.markedIds.length === 0) return page
        await damageNotices.filesDamaged(sql, page.markedIds)
        return page
      })
      found.push(...markedIds)
      if (lastId === null) break
      afterId = lastId
    }
    if (found.length === 0) return
    damageNotices.send()
    const [place] = await rows.listPlaces(database.sql, found.slice(0, 1))
    log.error('segment lost bytes: its files are damaged', {
      ...(place && loggedOwner(place)),
      container: lost.containerId,
      segment: lost.segmentId,
      left: lost.bytesOnDisk,
      files: found.length,
    })
  }
}

/** File names and whole links are kept out of the log. */
function logged(place: rows.FilePlace, cause: unknown): object {
  const { fileId: file, containerId: container, segmentIds } = place
  const segment = cause instanceof DamagedContent ? cause.segmentId : segmentIds.join(' ')
  return { ...loggedOwner(place), container, segment, file }
}

function loggedOwner({ shareId, reverseShareId, deliveryId }: rows.FilePlace): object {
  if (shareId) return { share: maskLink(shareId) }
  if (!deliveryId) return {}
  return { reverse: maskLink(reverseShareId ?? ''), delivery: deliveryId }
}

/** A failing disk gives a reason; changed bytes give none. */
function reasonOf(cause: unknown): object {
  const reason = cause instanceof DamagedContent ? cause.cause : cause
  return reason instanceof Error && 'errno' in reason ? { cause: reason } : {}
}

export function fileDamaged(files: readonly DamagedFile[]): CodedError {
  const [first] = files
  const [what, it] =
    files.length === 1
      ? [`“${first!.name}” is damaged`, 'it']
      : [`${files.length} files are damaged`, 'them']
  return new CodedError('file_damaged', {
    message: `${what} on the server and cannot be downloaded. Ask the sender to send ${it} again.`,
    details: { damaged: files.map(({ id, name }) => ({ id, name })) },
  })
}

/** Whether unreadable bytes are also unreadable in a newly opened file. */
async function failsAgain(
  { files }: Storage,
  containerId: string,
  { segmentId, position, length }: FileBytes,
): Promise<boolean> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(length, blockBytes))
  try {
    const segment = await files.pin(containerId, segmentId)
    try {
      for (let done = 0; done < length;) {
        const count = Math.min(buffer.length, length - done)
        await segment.read(buffer, 0, count, position + done)
        done += count
      }
    } finally {
      segment.release()
    }
    return false
  } catch (error) {
    if (isSystemError(error, 'EIO')) return true
    throw error
  }
}
