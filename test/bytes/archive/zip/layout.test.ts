import { crc32 } from 'node:zlib'
import fastCheck from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ZipLayout } from '../../../../src/bytes/archive/zip/layout.ts'
import { readWhole } from './archive-reader.ts'
import { bytesOf, files, layoutOf } from '../archives.ts'
import type { TestFile } from '../archives.ts'

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
