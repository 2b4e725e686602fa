// Layouts around the values where ZIP64 starts. Contents are never made: the reader reads headers.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  ZipLayoutBuilder,
  endRecordsLength,
  makeEndRecords,
} from '../../../../src/bytes/archive/zip/layout.ts'
import { readArchive, readWhole, type ReadArchive } from './archive-reader.ts'
import { headerReader } from '../archives.ts'
import { pluck } from '../../../helpers/lists.ts'

const modifiedAt = 1_700_000_000
/** 30 bytes, a name of one byte, the timestamp. */
const localHeaderLength = 30 + 1 + 9

function read(...sizes: number[]): ReadArchive & { size: number } {
  const builder = new ZipLayoutBuilder()
  for (const [index, size] of sizes.entries()) {
    builder.add({ name: String.fromCodePoint(97 + index), size, crc: 7, modifiedAt })
  }
  const layout = builder.build()
  const archive = readArchive(layout.size, headerReader(layout))
  assert.equal(pluck(archive.entries, 'size'), sizes)
  return { ...archive, size: layout.size }
}

const around = [2 ** 32 - 2, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1]
const isLarge = (value: number): boolean => value >= 2 ** 32 - 1

const limits = suite('ZIP64')

for (const value of around) {
  limits(`should hold an entry of ${value} bytes`, () => {
    const { entries, hasZip64End } = read(value)
    const large = isLarge(value)
    const zip64 = large ? 16 : 0
    assert.equal(entries[0]!.zip64, { local: zip64, central: zip64 })
    const version = large ? 45 : 20
    assert.equal(entries[0]!.versions, { local: version, central: version })
    assert.is(hasZip64End, true)
  })

  limits(`should hold an entry that starts at ${value}`, () => {
    const { entries } = read(value - localHeaderLength, 5)
    const central = isLarge(value) ? 8 : 0
    assert.is(entries[1]!.offset, value)
    assert.equal(entries[0]!.zip64, { local: 0, central: 0 })
    assert.equal(entries[1]!.zip64, { local: 0, central })
    assert.equal(entries[1]!.versions, { local: 20, central: central > 0 ? 45 : 20 })
  })

  limits(`should hold a large entry that starts at ${value}`, () => {
    const { entries } = read(value - localHeaderLength, 2 ** 32)
    assert.equal(entries[1]!.zip64, { local: 16, central: isLarge(value) ? 24 : 16 })
  })

  limits(`should hold a directory that starts at ${value}`, () => {
    const { hasZip64End } = read(value - localHeaderLength)
    assert.is(hasZip64End, isLarge(value))
  })

  limits(`should hold an archive of ${value} bytes`, () => {
    const { size } = read(0)
    assert.is(read(value - size).size, value)
  })
}

for (const count of [65_534, 65_535, 65_536]) {
  limits(`should hold ${count} entries`, () => {
    const builder = new ZipLayoutBuilder()
    for (let index = 0; index < count; index++) {
      builder.add({ name: `${index}`, size: 0, crc: 0, modifiedAt })
    }
    const layout = builder.build()
    assert.is(layout.count, count)
    const archive = readWhole(headerReader(layout)(0, layout.size))
    assert.is(archive.entries.length, count)
    assert.is(archive.entries.at(-1)?.name, `${count - 1}`)
    assert.is(archive.hasZip64End, count >= 65_535)
  })
}

limits('should be exact near 2^53', () => {
  const { entries } = read(2 ** 52 + 1, 2 ** 51 + 3, 1)
  assert.is(entries[2]!.offset, 2 ** 52 + 2 ** 51 + 4 + 2 * (localHeaderLength + 20))
})

limits('should find the parts of any range in an archive of terabytes', () => {
  const builder = new ZipLayoutBuilder()
  const size = 5 * 2 ** 40
  for (let index = 0; index < 100; index++) {
    builder.add({ name: `${index + 100}`, size, crc: 1, modifiedAt })
  }
  const layout = builder.build()
  const entryLength = 30 + 3 + 20 + 9 + size
  const start = 42 * entryLength + 62 + 1234
  const pieces = [...layout.pieces(start, start + 10)]
  assert.equal(pieces, [{ kind: 'content', entry: 42, offset: 1234, length: 10 }])
  const kinds = [...layout.pieces(start, start + 2 * entryLength)].map((piece) => piece.kind)
  assert.equal(kinds, ['content', 'bytes', 'content', 'bytes', 'content'])
})

for (const value of around) {
  limits(`should report a directory of ${value} bytes`, () => {
    const directory = { count: 1, directoryOffset: 0, directorySize: value }
    const records = makeEndRecords(directory)
    const large = isLarge(value)
    assert.is(records.length, large ? 98 : 22)
    assert.is(endRecordsLength(directory), records.length)
    assert.is(records.readUInt32LE(records.length - 10), Math.min(value, 0xffffffff))
    if (large) assert.is(records.readBigUInt64LE(40), BigInt(value))
  })
}
