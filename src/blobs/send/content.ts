import { createHash } from 'node:crypto'
import type { Sql } from '../../database/connect.ts'
import type { Layout } from '../zip/layout.ts'
import { layoutVersion } from '../zip/layout.ts'
import { fileDamaged } from './damage.ts'
import {
  ExtentTableBuilder,
  type BlocklessExtent,
  type ExtentTable,
  type SegmentSlice,
} from './extent-table.ts'
import { findFile, listExtents, type FileRow } from './files-sql.ts'

/** Goes into tags: raise it whenever compressed archives look different. */
const compressedVersion = 1

export type ContentPiece =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'slice'; readonly slice: SegmentSlice; readonly fileId: number }

/**
 * A content is no longer what the share is, or where its bytes are: make it again. Its cause, if
 * any, is the DamagedContent that it is if this does not help.
 */
export class StaleContent extends Error {}

/** Something that can be sent, whole or any range of it. */
export interface Content {
  readonly size: number
  /**
   * Quoted, strong unless it is compressed; made from what the bytes depend on, never from the
   * bytes or their CRCs.
   */
  readonly etag: string
  readonly modifiedAt: Date
  /** Its segments, with the container of each. */
  readonly segments: ReadonlyMap<string, string>
  pieces(start: number, end: number): Iterable<ContentPiece>
  /**
   * Extents without checksums of blocks that a range takes a part of: its pieces can be had once
   * these have learned them.
   */
  clipExtents(start: number, end: number): Iterable<BlocklessExtent & { readonly fileId: number }>
  /** What an archive is made of, for sending it compressed. */
  readonly entries?: ArchiveEntries
  /** Sent compressed: always whole, its length unknown beforehand; `size` is that stored. */
  readonly isCompressed?: true
}

export interface ArchiveEntries {
  readonly layout: Layout
  /** Whether deflating an entry is worth the while. */
  shrinks(entry: number): boolean
  /** The whole content of an entry. */
  pieces(entry: number): Iterable<ContentPiece>
}

export interface FileWithContent {
  readonly file: FileRow
  readonly content: Content
}

/** Null when the container has no such file. Throws CodedError file_damaged. */
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
  // Deleted between the two looks.
  if (bytes !== file.size) return null
  return { file, content: fileContent(containerId, file, extents.build()) }
}

/** One file as it is. Its bytes never change, so what names the file is enough for the ETag. */
export function fileContent(containerId: string, file: FileRow, extents: ExtentTable): Content {
  return {
    size: file.size,
    etag: fileEtag(containerId, file),
    modifiedAt: file.createdAt,
    segments: new Map(extents.segmentIds.map((id) => [id, containerId])),
    *pieces(start, end) {
      for (const slice of extents.slices(0, start, end - start)) {
        yield { kind: 'slice', slice, fileId: file.id }
      }
    },
    *clipExtents(start, end) {
      const found = findClipped(extents, { start, end }, (at) => ({ file: 0, offset: at }))
      for (const extent of found) yield { ...extent, fileId: file.id }
    },
  }
}

/** What an archive knows beside its layout and extents. */
interface ArchiveColumns {
  /** Of each entry. */
  readonly fileIds: Uint32Array
  /** Of each entry, 1 where deflating it is worth the while. */
  readonly shrinking: Uint8Array
  readonly segments: Content['segments']
}

/** The stored archive of some files: headers made while sending, contents where they lie. */
export function archiveContent(
  etag: string,
  modifiedAt: Date,
  layout: Layout,
  extents: ExtentTable,
  { fileIds, shrinking, segments }: ArchiveColumns,
): Content {
  function* slicesOf(entry: number, offset: number, length: number): Generator<ContentPiece> {
    const fileId = fileIds[entry]!
    for (const slice of extents.slices(entry, offset, length)) {
      yield { kind: 'slice', slice, fileId }
    }
  }
  const entries: ArchiveEntries = {
    layout,
    shrinks: (entry) => shrinking[entry] === 1,
    pieces: (entry) => slicesOf(entry, 0, layout.entrySize(entry)),
  }
  return {
    // Where nothing shrinks, the stored archive is the better one: it can be resumed.
    ...(shrinking.includes(1) ? { entries } : {}),
    size: layout.size,
    etag,
    modifiedAt,
    segments,
    *pieces(start, end) {
      for (const piece of layout.pieces(start, end)) {
        if (piece.kind === 'bytes') yield piece
        else yield* slicesOf(piece.entry, piece.offset, piece.length)
      }
    },
    *clipExtents(start, end) {
      const found = findClipped(extents, { start, end }, (at) => {
        const [piece] = layout.pieces(at, at + 1)
        return piece?.kind === 'content' ? { file: piece.entry, offset: piece.offset } : null
      })
      for (const extent of found) yield { ...extent, fileId: fileIds[extent.file]! }
    },
  }
}

/**
 * Only the first and the last extent of a range can be cut.
 * @param placeOf where a byte of the content is in a file; null where it is in none
 */
function* findClipped(
  extents: ExtentTable,
  { start, end }: { start: number; end: number },
  placeOf: (at: number) => { file: number; offset: number } | null,
): Generator<BlocklessExtent & { readonly file: number }> {
  if (start === end) return
  for (const at of new Set([start, end - 1])) {
    const place = placeOf(at)
    const extent = place && extents.findBlockless(place.file, place.offset)
    if (!extent) continue
    // The range, in bytes of the file.
    const [first, last] = [place.offset - (at - start), place.offset + (end - at)]
    const isClipped = extent.start < first || extent.start + extent.length > last
    if (isClipped) yield { ...extent, file: place.file }
  }
}

/**
 * The same archive as it is sent compressed; any other content as it is. Its tag is weak: what a
 * deflater makes of the same bytes may be different tomorrow (RFC 9110, 8.8.1).
 */
export function compressed(content: Content): Content {
  if (!content.entries) return content
  const etag = `W/"z${compressedVersion}${content.etag.slice(1)}`
  return { ...content, etag, isCompressed: true }
}

export function archiveEtag(revision: string, selectionKey: string): string {
  return makeEtag(`a${layoutVersion}`, revision, selectionKey)
}

/** An id alone may come again for other bytes, after an older backup was restored. */
function fileEtag(containerId: string, { id, tagSeed }: FileRow): string {
  if (tagSeed === null) return makeEtag('f1', containerId, String(id))
  return makeEtag('f2', containerId, String(id), tagSeed)
}

function makeEtag(version: string, ...parts: string[]): string {
  const digest = createHash('sha256').update(parts.join('\n')).digest('base64url')
  return `"${version}-${digest.slice(0, 22)}"`
}
