import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { Sql } from '../../database/connect.ts'
import { type ArchiveLayout, GrowingColumn } from '../archive/entry-table.ts'
import { ZipLayout, ZipLayoutBuilder, zipLayoutVersion } from '../archive/zip/layout.ts'
import { fileDamaged } from './damage.ts'
import { findFile, listExtents, type FileRow, type ExtentRow } from '../files-sql.ts'
import type { AnswerSpec } from '../../http/operation.ts'
import { noted } from '../../http/schema.ts'
import { tarContentType } from '../archive/tar/header.ts'
import { TarLayoutBuilder, tarLayoutVersion } from '../archive/tar/layout.ts'
import { blockBytes, countBlocks, listBlocks } from '../segments/block-checksums.ts'

/** Part of ETags: raise it whenever compressed archives look different. */
const compressedVersion = 2

export interface SlicePiece {
  readonly kind: 'slice'
  readonly slice: SegmentSlice
  readonly fileId: number
}

export type ContentPiece = { readonly kind: 'bytes'; readonly bytes: Buffer } | SlicePiece

/** Bytes that can be sent, whole or in any range. */
export interface Content {
  readonly size: number
  /** Bytes of its first file that is not empty: who took fewer has no file whole. */
  readonly firstFileSize: number
  /**
   * Quoted; strong unless compressed. Derived from what determines the bytes, never from the bytes
   * or their CRCs.
   */
  readonly etag: string
  readonly modifiedAt: Date
  /** Its segments, each with its container. */
  readonly segments: ReadonlyMap<string, string>
  pieces(start: number, end: number): Iterable<ContentPiece>
  /** The entries of a ZIP, for sending it compressed. */
  readonly entries?: ArchiveEntries
  /** Memory of a selection of files: few readers share it, so each counts it. */
  readonly layoutBytes?: number
  /** Sent compressed: always whole and of unknown length; `size` is the stored size. */
  readonly isCompressed?: true
}

export interface ArchiveEntries {
  readonly layout: ZipLayout
  /** Whether deflating an entry is worthwhile. */
  shrinks(entry: number): boolean
  pieces(entry: number): Iterable<ContentPiece>
}

export interface FileWithContent {
  readonly file: FileRow
  readonly content: Content
}

/** Null when the container does not have the file. Throws CodedError file_damaged. */
export async function findFileContent(
  sql: Sql,
  containerId: string,
  fileId: number,
): Promise<FileWithContent | null> {
  const file = await findFile(sql, containerId, fileId)
  if (!file) return null
  if (file.damagedAt) throw fileDamaged([{ id: file.id, name: file.originalName }])
  const extents = new ExtentTableBuilder()
  extents.startFile()
  let bytes = 0
  for (const extent of await listExtents(sql, fileId)) {
    extents.add(extent)
    bytes += extent.length
  }
  // Deleted between the two queries.
  if (bytes !== file.size) return null
  return { file, content: fileContent(containerId, file, extents.build()) }
}

/** One file. Its bytes never change, so its identity is enough for the ETag. */
export function fileContent(containerId: string, file: FileRow, extents: ExtentTable): Content {
  return {
    size: file.size,
    firstFileSize: file.size,
    etag: fileEtag(containerId, file),
    modifiedAt: file.createdAt,
    segments: new Map(extents.segmentIds.map((id) => [id, containerId])),
    *pieces(start, end) {
      for (const slice of extents.slices(0, start, end - start)) {
        yield { kind: 'slice', slice, fileId: file.id }
      }
    },
  }
}

/** Facts about an archive beside its layout and extents. */
interface ArchiveColumns {
  /** By entry. */
  readonly fileIds: Uint32Array
  /** By entry: 1 where deflating is worthwhile. */
  readonly shrinking: Uint8Array
  readonly segments: Content['segments']
}

/**
 * The stored archive of some files: headers are made while sending, contents read from segments.
 */
export function archiveContent(
  { etag, modifiedAt }: Pick<Content, 'etag' | 'modifiedAt'>,
  layout: ArchiveLayout,
  extents: ExtentTable,
  { fileIds, shrinking, segments }: ArchiveColumns,
): Content {
  function* slicesOf(entry: number, offset: number, length: number): Generator<ContentPiece> {
    const fileId = fileIds[entry]!
    for (const slice of extents.slices(entry, offset, length)) {
      yield { kind: 'slice', slice, fileId }
    }
  }
  // If no entry shrinks, the stored archive is better: it can be resumed.
  const isCompressible = layout instanceof ZipLayout && shrinking.includes(1)
  const entries = isCompressible && {
    layout,
    shrinks: (entry: number) => shrinking[entry] === 1,
    pieces: (entry: number) => slicesOf(entry, 0, layout.entrySize(entry)),
  }
  return {
    ...(entries ? { entries } : {}),
    size: layout.size,
    firstFileSize: firstFileSizeOf(layout),
    etag,
    modifiedAt,
    segments,
    *pieces(start, end) {
      for (const piece of layout.pieces(start, end)) {
        if (piece.kind === 'bytes') {
          yield piece
          continue
        }
        const fileId = fileIds[piece.entry]!
        // Not `slicesOf`: another generator for each small file is a tenth of the work.
        for (const slice of extents.slices(piece.entry, piece.offset, piece.length)) {
          yield { kind: 'slice', slice, fileId }
        }
      }
    },
  }
}

function firstFileSizeOf(layout: ArchiveLayout): number {
  for (let entry = 0; entry < layout.count; entry++) {
    if (layout.entrySize(entry) > 0) return layout.entrySize(entry)
  }
  return 0
}

/**
 * The compressed form of an archive; other contents unchanged. Its tag is weak: a deflater may
 * produce different bytes from the same input tomorrow (RFC 9110, 8.8.1).
 */
export function compressed(content: Content): Content {
  if (!content.entries) return content
  const etag = `W/"z${compressedVersion}${content.etag.slice(1)}`
  return { ...content, etag, isCompressed: true }
}

export function archiveEtag(format: ArchiveFormat, revision: string, selectionKey: string): string {
  return makeEtag(archiveFormats[format].tagVersion, revision, selectionKey)
}

/** After a restore of a backup, a new file may get the id of another one. */
function fileEtag(containerId: string, { id, tagSeed }: FileRow): string {
  return makeEtag('f2', containerId, String(id), tagSeed)
}

function makeEtag(version: string, ...parts: string[]): string {
  const digest = createHash('sha256').update(parts.join('\n')).digest('base64url')
  return `"${version}-${digest.slice(0, 22)}"`
}

export type ArchiveFormat = 'zip' | 'tar'

/** The first part of ETags differs between formats, and between versions of a layout. */
export const archiveFormats = {
  zip: {
    contentType: 'application/zip',
    tagVersion: `a${zipLayoutVersion}`,
    makeBuilder: () => new ZipLayoutBuilder(),
  },
  tar: {
    contentType: tarContentType,
    tagVersion: `t${tarLayoutVersion}`,
    makeBuilder: () => new TarLayoutBuilder(),
  },
} as const

/** The content types of an answer with an archive, for its declaration. */
export const archiveTypes = {
  contentType: archiveFormats.zip.contentType,
  alternative: archiveFormats.tar.contentType,
} as const

/** The answers of a download, for its declaration. */
export const answersWith = (
  description: string,
  types: Pick<AnswerSpec, 'alternative' | 'headers'> & { readonly contentType: string },
) => ({
  200: { description, ...types },
  206: { description: 'The requested range', ...types },
  304: { description: 'Not modified' },
})

export const formatQuery = noted(
  v.nullish(v.picklist(['zip', 'tar']), 'zip'),
  'Format of the archive. A `tar` is never compressed, and fits into a pipe: `| tar x`',
  'tar',
)

/**
 * Names a selection in cache keys, ETags and download targets: the same files always have the same
 * name. Ids are sorted and unique.
 */
export function selectionKey(selection: readonly number[] | null): string {
  if (selection === null) return 'all'
  const ranges: { first: number; last: number }[] = []
  for (const id of selection) {
    const range = ranges.at(-1)
    if (range && id === range.last + 1) range.last = id
    else ranges.push({ first: id, last: id })
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join()
}

/** A block of a segment, which is checked as a whole, and the requested part of it. */
export interface SegmentSlice {
  readonly segmentId: string
  readonly position: number
  readonly length: number
  /** CRC-32 of all `length` bytes. */
  readonly crc: number
  /** The requested bytes [from, to) of these. */
  readonly from: number
  readonly to: number
}

/** Takes the extents of files one by one, without keeping an object for each. */
export class ExtentTableBuilder {
  readonly #starts = new GrowingColumn((length) => new Uint32Array(length))
  readonly #segments = new GrowingColumn((length) => new Uint32Array(length))
  readonly #positions = new GrowingColumn((length) => new Float64Array(length))
  readonly #lengths = new GrowingColumn((length) => new Float64Array(length))
  readonly #crcs = new GrowingColumn((length) => new Uint32Array(length))
  readonly #firstBlocks = new GrowingColumn((length) => new Uint32Array(length))
  readonly #blocks = new GrowingColumn((length) => new Uint32Array(length))
  readonly #segmentNumbers = new Map<string, number>()
  #count = 0
  #blockCount = 0

  /** Extents added from now on belong to the next file. */
  startFile(): void {
    this.#starts.push(this.#count)
  }

  add(extent: ExtentRow): void {
    const number = this.#segmentNumbers.get(extent.segmentId) ?? this.#segmentNumbers.size
    this.#segmentNumbers.set(extent.segmentId, number)
    this.#segments.push(number)
    this.#positions.push(extent.segmentOffset)
    this.#lengths.push(extent.length)
    this.#crcs.push(extent.crc)
    this.#firstBlocks.push(this.#addBlocks(extent))
    this.#count += 1
  }

  build(): ExtentTable {
    this.#starts.push(this.#count)
    return new ExtentTable([...this.#segmentNumbers.keys()], {
      starts: this.#starts.toArray(),
      segments: this.#segments.toArray(),
      positions: this.#positions.toArray(),
      lengths: this.#lengths.toArray(),
      crcs: this.#crcs.toArray(),
      firstBlocks: this.#firstBlocks.toArray(),
      blocks: this.#blocks.toArray(),
    })
  }

  /** A single block needs no row: its checksum is the extent's. */
  #addBlocks(extent: ExtentRow): number {
    if (extent.length <= blockBytes) return noBlocks
    const blocks = listBlocks(extent)
    const first = this.#blockCount
    for (const checksum of blocks) this.#blocks.push(checksum)
    this.#blockCount += blocks.length
    return first
  }
}

const noBlocks = 0xffffffff

interface Columns {
  /** By file: the number of its first extent; one more at the end. */
  readonly starts: Uint32Array
  readonly segments: Uint32Array
  readonly positions: Float64Array
  readonly lengths: Float64Array
  readonly crcs: Uint32Array
  /** By extent: the index of its first checksum in `blocks`; `noBlocks` for a single block. */
  readonly firstBlocks: Uint32Array
  readonly blocks: Uint32Array
}

/** Where the bytes of some files are stored: about 32 bytes per extent, and 4 per 128 KiB. */
export class ExtentTable {
  readonly segmentIds: readonly string[]
  readonly memoryBytes: number
  readonly #columns: Columns

  constructor(segmentIds: readonly string[], columns: Columns) {
    this.segmentIds = segmentIds
    this.#columns = columns
    const arrays = Object.values(columns) as (Uint32Array | Float64Array)[]
    this.memoryBytes = arrays.reduce(
      (sum, array) => sum + array.byteLength,
      segmentIds.length * 100,
    )
  }

  /** The places of `length` bytes of a file from `offset`, in order. */
  slices(file: number, offset: number, length: number): Iterable<SegmentSlice> {
    const { starts, lengths } = this.#columns
    const extent = starts[file]!
    const isSmall = starts[file + 1] === extent + 1 && lengths[extent]! <= blockBytes
    if (!isSmall || offset + length > lengths[extent]!) return this.#slices(file, offset, length)
    return [this.#blockOf(extent, 0, offset, offset + length)]
  }

  *#slices(file: number, offset: number, length: number): Generator<SegmentSlice> {
    const { starts, lengths } = this.#columns
    let skip = offset
    let left = length
    for (let extent = starts[file]!; extent < starts[file + 1]! && left > 0; extent++) {
      const size = lengths[extent]!
      if (skip >= size) {
        skip -= size
        continue
      }
      const taken = Math.min(size - skip, left)
      yield* this.#slicesOf(extent, skip, skip + taken)
      left -= taken
      skip = 0
    }
    if (left > 0) throw new Error('the extents of a file are shorter than the file')
  }

  #blockCrc(extent: number, block: number): number {
    const { lengths, crcs, firstBlocks, blocks } = this.#columns
    if (lengths[extent]! <= blockBytes) return crcs[extent]!
    return blocks[firstBlocks[extent]! + block]!
  }

  *#slicesOf(extent: number, from: number, to: number): Generator<SegmentSlice> {
    for (let block = Math.floor(from / blockBytes); block < countBlocks(to); block++) {
      yield this.#blockOf(extent, block, from, to)
    }
  }

  /** A block of an extent, and the part of it that belongs to bytes [from, to) of the extent. */
  #blockOf(extent: number, block: number, from: number, to: number): SegmentSlice {
    const { segments, positions, lengths } = this.#columns
    const offset = block * blockBytes
    const length = Math.min(blockBytes, lengths[extent]! - offset)
    return {
      segmentId: this.segmentIds[segments[extent]!]!,
      position: positions[extent]! + offset,
      length,
      crc: this.#blockCrc(extent, block),
      from: Math.max(0, from - offset),
      to: Math.min(length, to - offset),
    }
  }
}
