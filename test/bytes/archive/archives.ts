// Helpers of the tests of layouts: archives made of contents in memory.
import { crc32 } from 'node:zlib'
import fastCheck from 'fast-check'
import type { ArchiveLayout } from '../../../src/bytes/archive/entry-table.ts'
import { EntryNames } from '../../../src/bytes/archive/names.ts'
import { TarLayoutBuilder, type TarLayout } from '../../../src/bytes/archive/tar/layout.ts'
import { ZipLayoutBuilder, type ZipLayout } from '../../../src/bytes/archive/zip/layout.ts'

export interface TestFile {
  name: string
  content: Buffer
  modifiedAt: number
}

const file = fastCheck.record({
  name: fastCheck
    .stringMatching(/^[a-cA-C .äß😀:/]{1,12}$/u)
    .filter((name) => name.split('/').every((one) => one !== '' && !/^\.{1,2}$/.test(one)))
    .chain((name) => fastCheck.constantFrom(name, name.repeat(30), `${'x/'.repeat(60)}${name}`)),
  content: fastCheck
    .uint8Array({ maxLength: 40 })
    .chain((bytes) => fastCheck.constantFrom(bytes, Buffer.alloc(512, bytes.join())))
    .map((bytes) => Buffer.from(bytes)),
  modifiedAt: fastCheck.integer({ min: -(2 ** 33), max: 2 ** 34 }),
})

/** Any files of an archive, under the names of its entries. */
export const files = fastCheck.array(file, { maxLength: 12 }).map((list): TestFile[] => {
  const names = new EntryNames()
  return list.map((one) => ({ ...one, name: names.assign(one.name) }))
})

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
