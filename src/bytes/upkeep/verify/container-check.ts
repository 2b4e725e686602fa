import { CodedError, isSystemError } from '../../../lib/errors.ts'
import { isLost } from '../../segments/segment-files.ts'
import { accountBytes, lockContainer } from '../../receive/sql.ts'
import { ExtentReader, isSamePlace } from './extent-reader.ts'
import { confirmLoss, diskAway, findLosses, type CheckBasis, type LostSegment } from './losses.ts'
import type { Pace } from './pace.ts'
import { firstChunk, firstFile, type ChunksPlace, type FilesPlace } from './place.ts'
import type { Run } from './run.ts'
import type { ExtentRow } from '../../files-sql.ts'
import * as rows from './sql.ts'

const pageRows = 500

export interface CheckDeps extends CheckBasis {
  readonly run: Run
  readonly pace: Pace
  readonly signal: AbortSignal
}

type Verdict =
  | { readonly state: 'whole' }
  | { readonly state: 'rotten' | 'lost'; readonly cause: unknown }
  /** Deleted, sent again, or turned into something else. */
  | { readonly state: 'gone' }

/** Checks everything in one container: segments, chunks and files. */
export class ContainerCheck {
  readonly #deps: CheckDeps
  readonly #reader: ExtentReader
  #containerId = ''
  /** The file whose changed bytes were reported last: once, whatever the number of its extents. */
  #reportedFileId = 0
  /** Segments of this container that have lost bytes, with the length of the rest. */
  readonly #lost = new Map<string, number>()
  /** Files to mark before their place is saved: their owner gets one email for many. */
  #rotten: { readonly fileId: number; readonly cause: unknown }[] = []
  /** Progress since the place was saved. */
  #reached: ChunksPlace | FilesPlace | null = null
  #reachedBytes = 0

  constructor(deps: CheckDeps) {
    this.#deps = deps
    this.#reader = new ExtentReader(deps.storage.files)
  }

  /** @param from where to continue; null for the beginning */
  async check(containerId: string, from: ChunksPlace | FilesPlace | null): Promise<void> {
    this.#containerId = containerId
    this.#lost.clear()
    this.#rotten = []
    this.#reached = null
    this.#reachedBytes = 0
    this.#reportedFileId = from?.step === 'files' && !from.isWhole ? from.fileId : 0
    try {
      // Segments were reported before a run was interrupted inside the container.
      await this.#checkSegments(from === null)
      if (from === null) await this.#advance(firstChunk, 0)
      // Chunks first: those that become files meanwhile are checked again there.
      if (from?.step !== 'files') await this.#checkChunks(from ?? firstChunk)
      await this.#checkFiles(from?.step === 'files' ? from : firstFile)
    } catch (error) {
      // Saves the progress, so that these bytes need not be read again.
      await this.#save().catch(() => {})
      throw error
    } finally {
      this.#reader.release()
    }
  }

  async #checkSegments(isReported: boolean): Promise<void> {
    const { sql } = this.#deps.database
    for await (const segments of rows.pagesOfSegments(sql, this.#containerId)) {
      for (const lost of await findLosses(this.#deps, segments)) {
        this.#lost.set(lost.segmentId, lost.bytesOnDisk)
        if (isReported) await this.#report(lost)
      }
    }
  }

  async #report(lost: LostSegment): Promise<void> {
    const { database, run } = this.#deps
    const { containerId, segmentId } = lost
    const files = await rows.countLostFiles(database.sql, lost)
    await run.find({
      kind: lost.isMissing ? 'missing' : 'short',
      containerId,
      segmentId,
      fileId: files.firstId,
      files: files.count,
    })
  }

  async #checkChunks(from: ChunksPlace): Promise<void> {
    const { database } = this.#deps
    for (let at = from; ;) {
      const chunks = await rows.listChunks(database.sql, this.#containerId, at, pageRows)
      for (const chunk of chunks) {
        await this.#checkChunk(chunk)
        at = { step: 'chunks', fileKey: chunk.fileKey, index: chunk.index }
        await this.#advance(at, chunk.length)
      }
      await this.#save()
      if (chunks.length < pageRows) return
    }
  }

  async #checkChunk(chunk: rows.ChunkExtent): Promise<void> {
    const { database, run, storage } = this.#deps
    const { fileKey, index } = chunk
    const verdict = await this.#judge(chunk, () => rows.findChunk(database.sql, chunk))
    if (verdict.state === 'gone' || verdict.state === 'whole') return
    // Repeated chunks go to another segment.
    await storage.writers.closeIdleOf(this.#containerId)
    if (!(await this.#dropChunk(chunk)) || verdict.state === 'lost') return
    await run.find({
      kind: 'rotten',
      containerId: this.#containerId,
      segmentId: chunk.segmentId,
      files: 0,
      chunk: { fileKey, index },
    })
  }

  /**
   * Drops a chunk as if it had never come: it is listed as missing, and sent again. Counting its
   * bytes locks the owner, after the container, like a commit.
   */
  #dropChunk(chunk: rows.ChunkExtent): Promise<boolean> {
    return this.#deps.database.begin(async (sql) => {
      if (!(await lockContainer(sql, chunk.containerId))) return false
      if (!(await rows.deleteChunk(sql, chunk))) return false
      await accountBytes(sql, chunk.containerId, 0, -chunk.length)
      return true
    })
  }

  async #checkFiles(from: FilesPlace): Promise<void> {
    const { database } = this.#deps
    let at = from
    let damagedAt = await rows.findDamagedAt(database.sql, from.fileId)
    for (;;) {
      const extents = await rows.listFileExtents(database.sql, this.#containerId, at, pageRows)
      for (const extent of extents) {
        const isNext = extent.fileId !== at.fileId
        if (isNext) await this.#settleFile(at, damagedAt)
        damagedAt = extent.damagedAt
        const isWhole = await this.#checkFileExtent(extent)
        const { fileId, position } = extent
        at = { step: 'files', fileId, position, isWhole: isWhole && (isNext || at.isWhole) }
        await this.#advance(at, extent.length)
      }
      if (extents.length < pageRows) await this.#settleFile(at, damagedAt)
      await this.#save()
      if (extents.length < pageRows) return
    }
  }

  /**
   * Unmarks a file that is whole again, for example from a backup, so that it can be downloaded.
   */
  async #settleFile({ fileId, isWhole }: FilesPlace, damagedAt: Date | null): Promise<void> {
    if (damagedAt === null || !isWhole) return
    const { database, log } = this.#deps
    if (!(await rows.clearDamage(database.sql, fileId, damagedAt))) return
    log.warn('damaged file is intact again', { file: fileId })
  }

  /** Whether its bytes are those received. */
  async #checkFileExtent(extent: rows.FileExtent): Promise<boolean> {
    const { database, run } = this.#deps
    const { fileId } = extent
    const verdict = await this.#judge(extent, () => rows.findFileExtent(database.sql, extent))
    if (verdict.state === 'gone') return false
    if (verdict.state === 'whole') return true
    // The loss was found with its segment, and its files were marked.
    if (verdict.state === 'lost') return false
    if (this.#reportedFileId === fileId) return false
    this.#reportedFileId = fileId
    this.#rotten.push({ fileId, cause: verdict.cause })
    await run.find({
      kind: 'rotten',
      containerId: this.#containerId,
      segmentId: extent.segmentId,
      fileId,
      files: 1,
    })
    return false
  }

  /** Reads an extent; if that fails, looks whether its row still names the same bytes. */
  async #judge(extent: ExtentRow, look: () => Promise<ExtentRow | null>): Promise<Verdict> {
    const verdict = await this.#read(extent)
    if (verdict.state === 'whole') return verdict
    // A restored file must be opened again.
    this.#reader.release()
    const now = await look()
    // Bytes that were sent again were compared when they were received.
    if (!now || !isSamePlace(now, extent)) return { state: 'gone' }
    if (verdict.state !== 'lost' || (await this.#isLost(extent))) return verdict
    const { segmentId } = extent
    const { sql } = this.#deps.database
    const end = await rows.findNeededEnd(sql, this.#containerId, segmentId)
    if (end === null) return { state: 'gone' }
    throw new CodedError('unavailable', {
      cause: new Error(`bytes of segment ${segmentId} could not be checked`),
    })
  }

  async #read(extent: ExtentRow): Promise<Verdict> {
    const { pace, run, storage } = this.#deps
    const left = this.#lost.get(extent.segmentId)
    if (left !== undefined && extent.segmentOffset + extent.length > left) {
      return { state: 'lost', cause: null }
    }
    try {
      const took = async (bytes: number) => {
        await pace.took(bytes)
        if (run.isSaveDue) await this.#save()
      }
      const found = await this.#reader.checksums(this.#containerId, extent, took)
      const { crc, blocks } = extent
      const isWhole = found.crc === crc && (!blocks || blocks.equals(found.blocks!))
      return isWhole ? { state: 'whole' } : { state: 'rotten', cause: null }
    } catch (error) {
      if (isLost(error)) return { state: 'lost', cause: error }
      if (!isSystemError(error, 'EIO')) throw error
      // An unreadable sector, unless the whole disk is gone.
      if (!(await storage.root.isPresent())) throw diskAway()
      return { state: 'rotten', cause: error }
    }
  }

  /** Whether its segment has lost it; reports the loss for that segment. */
  async #isLost(extent: ExtentRow): Promise<boolean> {
    const { segmentId, segmentOffset, length } = extent
    if (this.#lost.has(segmentId)) return true
    const segment = { containerId: this.#containerId, segmentId }
    const lost = await confirmLoss(this.#deps, segment, segmentOffset + length)
    if (!lost) return false
    this.#lost.set(segmentId, lost.bytesOnDisk)
    await this.#report(lost)
    return true
  }

  async #advance(at: ChunksPlace | FilesPlace, bytes: number): Promise<void> {
    this.#reached = at
    this.#reachedBytes += bytes
    if (this.#deps.run.isSaveDue) await this.#save()
  }

  async #save(): Promise<void> {
    const [first] = this.#rotten
    if (first) {
      const fileIds = this.#rotten.map(({ fileId }) => fileId)
      await this.#deps.damage.markFiles(fileIds, first.cause)
      this.#rotten = []
    }
    const { run } = this.#deps
    if (this.#reached) {
      const inside = { containerId: this.#containerId, at: this.#reached }
      run.advance({ ...run.place, inside }, this.#reachedBytes)
      this.#reached = null
      this.#reachedBytes = 0
    }
    await run.save()
  }
}
