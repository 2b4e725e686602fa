import fastCheck from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { HeaderGroups, KeptHeaders, groupEntries } from '../../../src/bytes/archive/entry-table.ts'

const groups = suite('headers of archives')

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

groups('should be right and within the bound, in any order of reading', () => {
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

groups('should keep few lists of a single header', () => {
  const kept = new KeptHeaders(5 * 1024)
  const lists = Array.from({ length: 12 }, (_, list) => new HeaderGroups(makeSource(list, 1), kept))
  const first = lists.map((list) => list.get(0))
  assert.is(lists.at(-1)!.get(0), first.at(-1), 'the newest')
  assert.is.not(lists[0]!.get(0), first[0], 'the oldest')
})
