import { setImmediate } from 'node:timers/promises'
import type { Sql } from '../db/connect.ts'
import { CodedError } from '../lib/errors.ts'
import { joinChecksums, type Checksummed } from '../storage/block-checksums.ts'
import { crc32Combine } from '../lib/crc32-combine.ts'
import * as rows from './sql.ts'

const reportedMax = 100
const pageRows = 1000
/** Extents are read in pages: with 2 kB of checksums each, a page stays small. */
const extentBytesMax = 64 * 1024 * 1024

/** One file of the list that completes an upload, with the name it gets in archives. */
export interface ListedFile {
  readonly fileKey: string
  readonly originalName: string
  readonly entryName: string
  readonly size: number
  readonly mimeType: string
}

/** A run of chunk indexes that has not arrived; without `to` the end is not known. */
export interface MissingRange {
  readonly fileId: string
  readonly from: number
  readonly to?: number
  /** Bytes that are missing at the end of the file. */
  readonly bytes?: number
}

interface Extent extends Checksummed {
  readonly segmentId: string
  readonly segmentOffset: number
}

interface Assembled {
  crc: number
  bytes: number
  nextIndex: number
  readonly extents: Extent[]
}

export interface AssembleOptions {
  readonly discardUnlisted: boolean
  readonly createdAt: Date
  /** Bytes of the files that the parcel has already. */
  readonly keptBytes?: number
}

/**
 * Proves that every listed file has arrived whole, and turns its chunks into its extents. No byte
 * moves: a file is the list of places where its bytes lie already, and its CRC-32 is combined from
 * those of its chunks. Runs inside the transaction that completes the owner, under its lock.
 * @throws CodedError incomplete_upload with `missing`, size_mismatch, unlisted; then nothing has
 *   changed
 * @returns the sum of the listed sizes in bytes
 */
export async function assembleFiles(
  sql: Sql,
  parcelId: string,
  files: readonly ListedFile[],
  options: AssembleOptions,
): Promise<number> {
  const assembled = await readArrived(sql, parcelId, files, options.discardUnlisted)
  let totalSize = 0
  for (let start = 0; start < files.length; start += pageRows) {
    const page = files.slice(start, start + pageRows)
    totalSize += page.reduce((sum, file) => sum + file.size, 0)
    await insertPage(sql, parcelId, page, assembled, options.createdAt)
  }
  await rows.deleteChunks(sql, parcelId)
  await rows.setLiveBytes(sql, parcelId, totalSize + (options.keptBytes ?? 0))
  return totalSize
}

/** One pass over the chunks in the order of their files, holding extents only. */
async function readArrived(
  sql: Sql,
  parcelId: string,
  files: readonly ListedFile[],
  discardUnlisted: boolean,
): Promise<Map<string, Assembled>> {
  const proof = new Proof(files)
  let seen = 0
  for await (const chunk of rows.readChunks(sql, parcelId)) {
    proof.take(chunk)
    seen += 1
    if (seen % 5000 === 0) await setImmediate()
  }
  proof.check(discardUnlisted)
  return proof.assembled
}

/** Collects what speaks against the list: at most 100 entries of each kind. */
class Proof {
  readonly assembled = new Map<string, Assembled>()
  readonly #listed: ReadonlyMap<string, ListedFile>
  readonly #missing: MissingRange[] = []
  readonly #unlisted = new Set<string>()
  #filesWithHoles = new Set<string>()

  constructor(files: readonly ListedFile[]) {
    this.#listed = new Map(files.map((file) => [file.fileKey, file]))
  }

  take(chunk: rows.ChunkWithBlocks): void {
    if (!this.#listed.has(chunk.fileKey)) {
      if (this.#unlisted.size < reportedMax) this.#unlisted.add(chunk.fileKey)
      return
    }
    const file = this.assembled.get(chunk.fileKey) ?? emptyFile()
    this.assembled.set(chunk.fileKey, file)
    if (chunk.index > file.nextIndex) {
      this.#report({ fileId: chunk.fileKey, from: file.nextIndex, to: chunk.index - 1 })
    }
    appendChunk(file, chunk)
  }

  /** @throws CodedError naming the first kind of thing that is wrong */
  check(discardUnlisted: boolean): void {
    for (const file of this.#listed.values()) this.#checkEnd(file)
    if (this.#missing.length > 0) {
      throw new CodedError('incomplete_upload', { details: { missing: this.#missing } })
    }
    for (const file of this.#listed.values()) this.#checkSize(file)
    if (this.#unlisted.size > 0 && !discardUnlisted) {
      throw new CodedError('unlisted', { details: { unlisted: [...this.#unlisted] } })
    }
  }

  #checkEnd(file: ListedFile): void {
    const found = this.assembled.get(file.fileKey)
    const bytes = file.size - (found?.bytes ?? 0)
    if (bytes <= 0 || this.#filesWithHoles.has(file.fileKey)) return
    this.#report({ fileId: file.fileKey, from: found?.nextIndex ?? 0, bytes })
  }

  #checkSize(file: ListedFile): void {
    const received = this.assembled.get(file.fileKey)?.bytes ?? 0
    if (received === file.size) return
    throw new CodedError('size_mismatch', {
      message:
        `${file.fileKey}: ${received} bytes have arrived, ` +
        `but its size was given as ${file.size}.`,
      details: { fileId: file.fileKey, received, size: file.size },
    })
  }

  #report(range: MissingRange): void {
    this.#filesWithHoles.add(range.fileId)
    if (this.#missing.length < reportedMax) this.#missing.push(range)
  }
}

function emptyFile(): Assembled {
  return { crc: 0, bytes: 0, nextIndex: 0, extents: [] }
}

/** Adds a chunk to its file; one that lies right behind the last extent may become part of it. */
function appendChunk(file: Assembled, chunk: rows.ChunkWithBlocks): void {
  file.nextIndex = chunk.index + 1
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
  parcelId: string,
  page: readonly ListedFile[],
  assembled: ReadonlyMap<string, Assembled>,
  createdAt: Date,
): Promise<void> {
  const withCrc = page.map((file) => ({ ...file, crc: assembled.get(file.fileKey)?.crc ?? 0 }))
  const ids = await rows.insertFiles(sql, parcelId, withCrc, createdAt)
  let extents: rows.ExtentRow[] = []
  for (const [place, file] of page.entries()) {
    const fileId = ids[place] as number
    for (const [position, extent] of (assembled.get(file.fileKey)?.extents ?? []).entries()) {
      extents.push({ fileId, position, ...extent })
      if (extents.length < pageRows * 5) continue
      await rows.insertExtents(sql, extents)
      extents = []
    }
  }
  if (extents.length > 0) await rows.insertExtents(sql, extents)
}
