// Helpers of the tests of layouts: archives made of contents in memory.
import { crc32 } from 'node:zlib'
import type { ArchiveLayout } from '../../../src/bytes/archive/entry-table.ts'
import { TarLayoutBuilder, type TarLayout } from '../../../src/bytes/archive/tar/layout.ts'
import { ZipLayoutBuilder, type ZipLayout } from '../../../src/bytes/archive/zip/layout.ts'

export interface TestFile {
  name: string
  content: Buffer
  modifiedAt: number
}

export function layoutOf(files: TestFile[]): ZipLayout {
  const builder = new ZipLayoutBuilder()
  for (const { name, content, modifiedAt } of files) {
    builder.add({ name, size: content.length, crc: crc32(content), modifiedAt })
  }
  return builder.build()
}

export function tarLayoutOf(files: TestFile[]): TarLayout {
  const builder = new TarLayoutBuilder()
  for (const { name, content, modifiedAt } of files) {
    builder.add({ name, size: content.length, modifiedAt })
  }
  return builder.build()
}

/** Bytes `start` to `end` of the archive, contents filled in. */
export function bytesOf(
  layout: ArchiveLayout,
  files: TestFile[],
  start: number,
  end: number,
): Buffer {
  const parts: Buffer[] = []
  for (const piece of layout.pieces(start, end)) {
    if (piece.kind === 'bytes') parts.push(piece.bytes)
    else {
      const { entry, offset, length } = piece
      parts.push(files[entry]!.content.subarray(offset, offset + length))
    }
  }
  return Buffer.concat(parts)
}

/** Reads headers only: content in the range is an error, so that none is ever made. */
export function headerReader(layout: ArchiveLayout): (start: number, end: number) => Buffer {
  return (start, end) => {
    const parts: Buffer[] = []
    for (const piece of layout.pieces(start, end)) {
      if (piece.kind === 'content') throw new Error(`content between ${start} and ${end}`)
      parts.push(piece.bytes)
    }
    return Buffer.concat(parts)
  }
}
