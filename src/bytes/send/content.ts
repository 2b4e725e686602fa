import { createHash } from 'node:crypto'
import type { Sql } from '../../database/connect.ts'
import type { ArchiveLayout } from '../archive/entry-table.ts'
import { ZipLayout, ZipLayoutBuilder, zipLayoutVersion } from '../archive/zip/layout.ts'
import { fileDamaged } from './damage.ts'
import { ExtentTableBuilder, type ExtentTable, type SegmentSlice } from './extent-table.ts'
import { findFile, listExtents, type FileRow } from '../files-sql.ts'
import * as v from 'valibot'
import { noted } from '../../http/schema.ts'
import { tarContentType } from '../archive/tar/header.ts'
import { TarLayoutBuilder, tarLayoutVersion } from '../archive/tar/layout.ts'

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
  /** The whole content of an entry. */
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

/** Query field: the format of an archive. */
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
