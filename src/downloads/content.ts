import { createHash } from 'node:crypto'
import type { Layout } from '../zip/layout.ts'
import { layoutVersion } from '../zip/layout.ts'
import type { ExtentTable, SegmentSlice } from './extent-table.ts'
import type { FileRow } from './sql.ts'

export type ContentPiece =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'slice'; readonly slice: SegmentSlice; readonly fileId: number }

/** Something that can be sent, whole or any range of it. */
export interface Content {
  readonly size: number
  /** Strong, quoted; made from what the bytes depend on, never from the bytes or their CRCs. */
  readonly etag: string
  readonly modifiedAt: Date
  readonly segmentIds: readonly string[]
  /** The parcel of each segment where they lie in several; else all are in the delivery's. */
  readonly parcelIds?: readonly string[]
  pieces(start: number, end: number): Iterable<ContentPiece>
}

/** One file as it is. Its bytes never change, so its id is enough for the ETag. */
export function fileContent(parcelId: string, file: FileRow, extents: ExtentTable): Content {
  return {
    size: file.size,
    etag: makeEtag('f1', parcelId, String(file.id)),
    modifiedAt: file.createdAt,
    segmentIds: extents.segmentIds,
    *pieces(start, end) {
      for (const slice of extents.slices(0, start, end - start)) {
        yield { kind: 'slice', slice, fileId: file.id }
      }
    },
  }
}

/** The stored archive of some files: headers made while sending, contents where they lie. */
export function archiveContent(
  etag: string,
  modifiedAt: Date,
  layout: Layout,
  extents: ExtentTable,
  fileIds: Uint32Array,
): Content {
  return {
    size: layout.size,
    etag,
    modifiedAt,
    segmentIds: extents.segmentIds,
    *pieces(start, end) {
      for (const piece of layout.pieces(start, end)) {
        if (piece.kind === 'bytes') {
          yield piece
          continue
        }
        const fileId = fileIds[piece.entry]!
        for (const slice of extents.slices(piece.entry, piece.offset, piece.length)) {
          yield { kind: 'slice', slice, fileId }
        }
      }
    },
  }
}

export function archiveEtag(revision: string, selectionKey: string): string {
  return makeEtag(`a${layoutVersion}`, revision, selectionKey)
}

function makeEtag(version: string, ...parts: string[]): string {
  const digest = createHash('sha256').update(parts.join('\n')).digest('base64url')
  return `"${version}-${digest.slice(0, 22)}"`
}
