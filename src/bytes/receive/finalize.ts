import type { Sql, Database } from '../../database/connect.ts'
import { CodedError } from '../../lib/errors.ts'
import { crc32Combine } from '../../lib/crc32.ts'
import { joinChecksums } from '../segments/block-checksums.ts'
import { freeChunks, freeTable, type ChunkPlace } from '../upkeep/freeing-sql.ts'
import type { EntryNames } from '../archive/names.ts'
import { type ExtentRow, deletePendingFolders } from '../files-sql.ts'
import { assignThumbnails, listPendingThumbnails } from '../thumbnails-sql.ts'
import type { FileList, ListedFile } from './finalize-body.ts'
import { completeFolders } from './folders.ts'
import * as rows from './finalize-sql.ts'
import { accountBytes, deleteChunksBehind, listChunkSegments, lockContainer } from './sql.ts'
import type { Log } from '../../lib/log.ts'
import { requireMounted } from '../storage-root.ts'
import type { Storage } from '../storage.ts'

const extentRows = 5000
const freedRows = 5000
const receivedRows = 2000
/** Segments looked at together: a bucket has one for each chunk, and answers from afar. */
const statsMax = 16
/** Extents are read in pages, because each has up to 2 kB of checksums. */
const extentBytesMax = 64 * 1024 * 1024
/** Listed bytes whose chunks are in memory at once, unless one file has more. */
const pageBytesMax = 8 * 1024 * 1024 * 1024

/** The received chunks of a listed file. */
interface Assembled {
  bytes: number
  /** Index after the last received chunk. */
  nextIndex: number
  hasHoles: boolean
  crc: number
  /** Null where it is not known from an archive. */
  modifiedAt: Date | null
  readonly extents: ExtentRow[]
}

export interface AssembleOptions {
  readonly discardUnlisted: boolean
  readonly createdAt: Date
  /** Gives the files their names in archives. */
  readonly names: EntryNames
}

/**
 * Proves that every listed file was received whole, and turns its chunks into its extents. No byte
 * moves: a file is the list of the places of its bytes, and its CRC-32 is combined from those of
 * its chunks. Runs inside the transaction that completes the owner, under the lock of the container
 * alone: hundreds of thousands of files take long, and downloads need the owner's row. Holds one
 * page of the list at a time. Files are inserted as they are proved; a failed proof ends the
 * transaction. The caller locks the owner then, and counts the bytes last (`setLiveBytes`).
 * @throws CodedError incomplete_upload with `missing`, size_mismatch, unlisted
 */
export async function assembleFiles(
  sql: Sql,
  containerId: string,
  list: FileList,
  options: AssembleOptions,
): Promise<void> {
  const proof = new Proof()
  const chunkCount = await rows.countChunks(sql, containerId)
  const thumbnails = await listPendingThumbnails(sql, containerId)
  let listedChunks = 0
  for (const page of pagesOf(list)) {
    const assembled = page.map(emptyFile)
    for await (const chunk of rows.readChunksOf(sql, containerId, page)) {
      listedChunks += 1
      const file = assembled[chunk.place]!
      proof.takeChunk(chunk, file)
      appendChunk(file, chunk)
    }
    for (const [place, file] of page.entries()) proof.takeFile(file, assembled[place]!)
    if (proof.isFull) break
    if (proof.isSound) {
      await insertPage(sql, containerId, page, assembled, { ...options, thumbnails })
    }
  }
  proof.check()
  if (listedChunks < chunkCount && !options.discardUnlisted) {
    throw await unlistedError(sql, containerId, list)
  }
  await deleteChunks(sql, containerId)
  // Thumbnails of files that are not listed.
  if (thumbnails.size > 0) {
    await freeTable(sql, 'thumbnails', containerId, thumbnails.size, 'pending')
  }
  if (list.count > 0) await completeFolders(sql, containerId, options)
  else await deletePendingFolders(sql, containerId)
}

/** Pages of the list, ended early where a page would have very many chunks. */
function* pagesOf(list: FileList): Generator<readonly ListedFile[]> {
  for (const page of list.pages()) {
    let start = 0
    let bytes = 0
    for (const [place, { size }] of page.entries()) {
      if (bytes + size > pageBytesMax && place > start) {
        yield page.slice(start, place)
        start = place
        bytes = 0
      }
      bytes += size
    }
    yield page.slice(start)
  }
}

/** The first 100 files that have chunks but are not listed. */
async function unlistedError(sql: Sql, containerId: string, list: FileList): Promise<CodedError> {
  const unlisted: string[] = []
  let after: string | null = ''
  while (after !== null && unlisted.length < reportedMax) {
    const page: rows.ReceivedFile[] = await rows.listReceived(sql, containerId, after, receivedRows)
    const keys = page.map(({ fileKey }) => fileKey)
    unlisted.push(...keys.filter((key) => !list.mayName(key)))
    after = keys.at(-1) ?? null
  }
  return new CodedError('unlisted', {
    details: { unlisted: unlisted.slice(0, reportedMax) },
  })
}

async function deleteChunks(sql: Sql, containerId: string): Promise<void> {
  let place: ChunkPlace = { fileKey: '', index: -1 }
  for (let freed = freedRows; freed === freedRows;) {
    const page = await freeChunks(sql, containerId, place, freedRows)
    place = page.last
    freed = page.freed
  }
}

function emptyFile(): Assembled {
  return { crc: 0, bytes: 0, nextIndex: 0, hasHoles: false, modifiedAt: null, extents: [] }
}

/** Adds a chunk to its file, to the last extent if it lies right behind that. */
function appendChunk(file: Assembled, chunk: rows.PlacedChunk): void {
  file.nextIndex = chunk.index + 1
  file.modifiedAt ??= chunk.modifiedAt
  file.bytes += chunk.length
  if (chunk.length === 0) return
  file.crc = crc32Combine(file.crc, chunk.crc, chunk.length)
  const last = file.extents.at(-1)
  const isNext =
    last !== undefined &&
    last.segmentId === chunk.segmentId &&
    last.segmentOffset + last.length === chunk.segmentOffset &&
    last.length + chunk.length <= extentBytesMax
  const joined = isNext ? joinChecksums(last, chunk) : null
  if (last && joined) {
    file.extents[file.extents.length - 1] = { ...last, ...joined }
    return
  }
  const { segmentId, segmentOffset, length, crc, blocks } = chunk
  file.extents.push({ segmentId, segmentOffset, length, crc, blocks })
}

async function insertPage(
  sql: Sql,
  containerId: string,
  page: readonly ListedFile[],
  assembled: readonly Assembled[],
  { createdAt, names, thumbnails }: AssembleOptions & { thumbnails: ReadonlySet<string> },
): Promise<void> {
  const files = page.map((file, place) => ({
    ...file,
    entryName: names.assign(file.originalName),
    crc: assembled[place]!.crc,
    modifiedAt: file.modifiedAt ?? assembled[place]!.modifiedAt,
  }))
  const ids = await rows.insertFiles(sql, containerId, files, createdAt)
  const shown = files.map(({ fileKey }, place) => ({ fileKey, id: ids[place]! }))
  await assignThumbnails(
    sql,
    containerId,
    shown.filter(({ fileKey }) => thumbnails.has(fileKey)),
  )
  let extents: rows.NewExtent[] = []
  for (const [place, fileId] of ids.entries()) {
    for (const [position, extent] of assembled[place]!.extents.entries()) {
      extents.push({ fileId, position, ...extent })
      if (extents.length < extentRows) continue
      await rows.insertExtents(sql, extents)
      extents = []
    }
  }
  if (extents.length > 0) await rows.insertExtents(sql, extents)
}

/** Reported faults of each kind. */
const reportedMax = 100

/** A range of missing chunk indexes; without `to` its end is unknown. */
interface MissingRange {
  readonly fileId: string
  readonly from: number
  readonly to?: number
  /** Bytes missing at the end of the file. */
  readonly bytes?: number
}

/** Collects faults of the list: at most 100 of each kind. */
class Proof {
  readonly #holes: MissingRange[] = []
  readonly #ends: MissingRange[] = []
  #mismatch: CodedError | null = null

  /** Whether the list has no fault so far. */
  get isSound(): boolean {
    return this.#holes.length === 0 && this.#ends.length === 0 && this.#mismatch === null
  }

  /** Whether further faults would not be reported. */
  get isFull(): boolean {
    return this.#holes.length >= reportedMax
  }

  /** Takes a chunk before it is added to its file. Chunks of a file come in order. */
  takeChunk(chunk: rows.PlacedChunk, file: Assembled): void {
    if (chunk.index <= file.nextIndex) return
    file.hasHoles = true
    if (this.isFull) return
    this.#holes.push({ fileId: chunk.fileKey, from: file.nextIndex, to: chunk.index - 1 })
  }

  /** Takes a file of the list after all of its chunks. */
  takeFile({ fileKey, size }: ListedFile, { bytes, nextIndex, hasHoles }: Assembled): void {
    if (bytes < size) {
      if (hasHoles || this.#ends.length >= reportedMax) return
      this.#ends.push({ fileId: fileKey, from: nextIndex, bytes: size - bytes })
    } else if (bytes > size) {
      this.#mismatch ??= new CodedError('size_mismatch', {
        message: `${fileKey}: ${bytes} bytes were received, but its size is given as ${size}.`,
        details: { fileId: fileKey, received: bytes, size },
      })
    }
  }

  /** @throws CodedError for the first kind of fault */
  check(): void {
    const missing = [...this.#holes.toSorted(byFile), ...this.#ends].slice(0, reportedMax)
    if (missing.length > 0) throw new CodedError('incomplete_upload', { details: { missing } })
    if (this.#mismatch) throw this.#mismatch
  }
}

/** Sorts by file id, like the list of received chunks; entries of one file keep their order. */
function byFile(one: MissingRange, other: MissingRange): number {
  return Buffer.compare(Buffer.from(one.fileId), Buffer.from(other.fileId))
}

/**
 * Drops received chunks whose bytes are no longer on disk, so that they are listed as missing and
 * the client sends them again. That happens after a restore of a database that is newer than the
 * files. Looks at sizes alone.
 * @throws CodedError unavailable when the whole disk is missing
 */
export async function dropLostChunks(
  { database, storage, log }: { database: Database; storage: Storage; log: Log },
  containerId: string,
): Promise<void> {
  const segments = await listChunkSegments(database.sql, containerId)
  const sizes: number[] = []
  while (sizes.length < segments.length) {
    const some = segments.slice(sizes.length, sizes.length + statsMax)
    const looks = some.map(({ segmentId }) => storage.files.bytesOnDisk(containerId, segmentId))
    sizes.push(...(await Promise.all(looks)).map((bytes) => bytes ?? 0))
  }
  for (const [place, { segmentId, end }] of segments.entries()) {
    const bytesOnDisk = sizes[place]!
    if (bytesOnDisk >= end) continue
    await requireMounted(storage.root)
    // Bytes appended behind the loss would hide it from a check of sizes.
    await storage.writers.closeIdleOf(containerId)
    const dropped = await database.begin(async (sql) => {
      await lockContainer(sql, containerId)
      const lost = await deleteChunksBehind(sql, { containerId, segmentId, bytesOnDisk })
      await accountBytes(sql, containerId, 0, -lost.bytes)
      return lost.count
    })
    if (dropped === 0) continue
    const what = 'dropped chunks with missing bytes: client must resend them'
    log.error(what, { segment: segmentId, left: bytesOnDisk, chunks: dropped })
  }
}
