import { crc32 } from 'node:zlib'
import fastCheck from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  endRecordsLength,
  makeEndRecords,
  ZipLayoutBuilder,
  type ZipLayout,
} from '../../../../src/bytes/archive/zip/layout.ts'
import { bytesOf, files, headerReader, layoutOf, type TestFile } from '../archives.ts'
import { readArchive, readWhole, type ReadArchive } from './archive-reader.ts'
import { pluck } from '../../../helpers/client.ts'

const someTime = Date.UTC(2024, 1, 29, 12, 34, 57) / 1000

function wholeOf(layout: ZipLayout, list: TestFile[]): Buffer {
  return bytesOf(layout, list, 0, layout.size)
}

const layouts = suite('Layout')

layouts('should be read back as it was built', () => {
  fastCheck.assert(
    fastCheck.property(files, (list) => {
      const layout = layoutOf(list)
      const whole = wholeOf(layout, list)
      assert.is(whole.length, layout.size)
      const { entries, hasZip64End } = readWhole(whole)
      assert.is(hasZip64End, false)
      assert.is(entries.length, list.length)
      for (const [index, entry] of entries.entries()) {
        const { name, content, modifiedAt } = list[index]!
        assert.is(entry.name, name)
        assert.is(entry.size, content.length)
        assert.is(entry.crc, crc32(content))
        assert.equal([entry.method, entry.descriptorLength], [0, 0])
        assert.is(entry.mode, 0o100644)
        const fits = modifiedAt >= -(2 ** 31) && modifiedAt < 2 ** 31
        assert.is(entry.modifiedAt, fits ? modifiedAt : null)
        assert.is(entry.localModifiedAt, entry.modifiedAt)
        assert.equal(entry.versions, { local: 20, central: 20 })
        const read = whole.subarray(entry.contentOffset, entry.contentOffset + entry.size)
        assert.ok(read.equals(content))
      }
    }),
  )
})

layouts('should start in the middle of a large directory without making the rest', () => {
  const list = Array.from({ length: 20_000 }, (_, index) => ({
    name: `file ${index} ${'x'.repeat(index % 90)}`,
    content: Buffer.from('.'),
    modifiedAt: someTime,
  }))
  const layout = layoutOf(list)
  const whole = wholeOf(layout, list)
  for (let start = layout.size - 1; start > 0; start -= 99_991) {
    const end = Math.min(layout.size, start + 10)
    assert.ok(bytesOf(layout, list, start, end).equals(whole.subarray(start, end)))
    const made = [...layout.pieces(start, end)].reduce((sum, piece) => {
      return sum + (piece.kind === 'bytes' ? piece.bytes.buffer.byteLength : 0)
    }, 0)
    assert.ok(made <= 64 * 1024, `${made} bytes made for 10`)
  }
})

const dosTimes: Array<[title: string, modifiedAt: number, expected: string]> = [
  ['1970, clamped', 0, '1980-01-01 00:00:00'],
  ['before 1970, clamped', -1, '1980-01-01 00:00:00'],
  ['the first second', Date.UTC(1980, 0, 1) / 1000, '1980-01-01 00:00:00'],
  ['an odd second, made even', someTime, '2024-02-29 12:34:56'],
  ['a fraction, truncated', someTime + 0.999, '2024-02-29 12:34:56'],
  ['after 2038', Date.UTC(2040, 11, 31, 23, 59, 58) / 1000, '2040-12-31 23:59:58'],
  ['the last second', Date.UTC(2107, 11, 31, 23, 59, 59) / 1000, '2107-12-31 23:59:58'],
  ['2108, clamped', Date.UTC(2108, 0, 1) / 1000, '2107-12-31 23:59:58'],
]
for (const [title, modifiedAt, expected] of dosTimes) {
  layouts(`should write ${title} as ${expected}`, () => {
    const list = [{ name: 'a', content: Buffer.alloc(1), modifiedAt }]
    const whole = wholeOf(layoutOf(list), list)
    const { entries } = readWhole(whole)
    assert.is(entries[0]!.dosTime, expected)
    const isSigned32 = Math.floor(modifiedAt) < 2 ** 31
    assert.is(entries[0]!.modifiedAt, isSigned32 ? Math.floor(modifiedAt) : null)
  })
}

// Around the values where ZIP64 starts. Contents are never made: the reader reads headers.

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

  limits(`should hold entries and a directory that start at ${value}`, () => {
    const start = value - localHeaderLength
    const isFar = isLarge(value)
    const [first, second] = read(start, 5).entries
    assert.is(second!.offset, value)
    assert.equal(first!.zip64, { local: 0, central: 0 })
    assert.equal(second!.zip64, { local: 0, central: isFar ? 8 : 0 })
    assert.equal(second!.versions, { local: 20, central: isFar ? 45 : 20 })
    const large = read(start, 2 ** 32).entries[1]!
    assert.equal(large.zip64, { local: 16, central: isFar ? 24 : 16 })
    assert.is(read(start).hasZip64End, isFar)
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
