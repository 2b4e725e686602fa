import fastCheck from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { groupEntries, HeaderGroups, KeptHeaders } from '../../../src/bytes/archive/entry-table.ts'
import { bytesOf, files, layoutOf, tarLayoutOf } from './archives.ts'

const layouts = suite('layouts of archives')

for (const [format, build] of [
  ['zip', layoutOf],
  ['tar', tarLayoutOf],
] as const) {
  layouts(`should return the same bytes of a ${format}, however it is split into ranges`, () => {
    const cuts = fastCheck.array(fastCheck.nat(), { maxLength: 30 })
    fastCheck.assert(
      fastCheck.property(files, cuts, (list, places) => {
        const layout = build(list)
        const whole = bytesOf(layout, list, 0, layout.size)
        const bounds = [0, ...places.map((place) => place % (layout.size + 1)), layout.size]
        const ascending = bounds.toSorted((one, other) => one - other)
        const parts = ascending.slice(1).map((end, at) => {
          return bytesOf(layout, list, ascending[at]!, end)
        })
        assert.ok(Buffer.concat(parts).equals(whole), ascending.join())
      }),
    )
  })

  layouts(`should cost at most 6 MB for 70,000 empty files of a ${format}`, () => {
    const list = Array.from({ length: 70_000 }, (_, index) => {
      const name = `photos/2024/a folder of some length/IMG_${index}.jpeg`
      return { name, content: Buffer.alloc(0), modifiedAt: 1_700_000_000 }
    })
    const layout = build(list)
    assert.ok(layout.memoryBytes < 6_000_000, `${layout.memoryBytes} bytes`)
    // The headers of 64 files are made together.
    const pieces = [...layout.pieces(0, layout.size)]
    const sizes = pieces.map((piece) => (piece.kind === 'bytes' ? piece.bytes.length : Infinity))
    assert.ok(pieces.length <= 2 * Math.ceil(70_000 / 64) + 1, `${pieces.length} pieces`)
    assert.ok(Math.max(...sizes) <= 64 * 1024)
  })
}

/** Each header holds the number of its list, and then of its entry. */
function makeSource(list: number, count: number) {
  return {
    count,
    bytes: count * 8,
    lengthOf: () => 8,
    write: (target: Buffer, start: number, index: number) => {
      target.writeUInt32LE(list, start)
      return target.writeUInt32LE(index, start + 4)
    },
  }
}

layouts('should keep right headers within the bound, in any order of reading', () => {
  const bytesMax = 5 * 1024
  const reading = fastCheck.record({
    list: fastCheck.nat({ max: 4 }),
    group: fastCheck.nat({ max: 3 }),
  })
  fastCheck.assert(
    fastCheck.property(fastCheck.array(reading, { maxLength: 60 }), (readings) => {
      const kept = new KeptHeaders(bytesMax)
      const lists = Array.from({ length: 5 }, (_, list) => {
        return new HeaderGroups(makeSource(list, 4 * groupEntries - 7), kept)
      })
      for (const { list, group } of readings) {
        const bytes = lists[list]!.get(group)
        const count = group === 3 ? groupEntries - 7 : groupEntries
        assert.is(bytes.length, 8 * count)
        const first = group * groupEntries
        assert.equal([bytes.readUInt32LE(0), bytes.readUInt32LE(4)], [list, first])
        assert.is(bytes.readUInt32LE(8 * count - 4), first + count - 1)
        assert.ok(kept.bytes <= bytesMax, `${kept.bytes} bytes`)
      }
    }),
  )
})

layouts('should keep the headers of few archives with a single entry', () => {
  const kept = new KeptHeaders(5 * 1024)
  const lists = Array.from({ length: 12 }, (_, list) => new HeaderGroups(makeSource(list, 1), kept))
  const first = lists.map((list) => list.get(0))
  assert.is(lists.at(-1)!.get(0), first.at(-1), 'the newest')
  assert.is.not(lists[0]!.get(0), first[0], 'the oldest')
})
