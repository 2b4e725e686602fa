import fastCheck from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  HeaderGroups,
  KeptHeaders,
  groupEntries,
} from '../../../src/bytes/archive/header-groups.ts'
import { until } from '../../helpers/until.ts'

const groups = suite('headers of archives')

/** Each header holds the number of its list, and then of its entry. */
function makeSource(list: number, count: number) {
  const made = { groups: 0 }
  const source = {
    count,
    bytes: count * 8,
    lengthOf: () => 8,
    write: (target: Buffer, start: number, index: number) => {
      if (index % groupEntries === 0) made.groups += 1
      target.writeUInt32LE(list, start)
      return target.writeUInt32LE(index, start + 4)
    },
  }
  return { source, made }
}

groups('should be right and within the bound, in any order of reading', () => {
  const bytesMax = 8 * groupEntries * 5
  const reading = fastCheck.record({
    list: fastCheck.nat({ max: 4 }),
    group: fastCheck.nat({ max: 3 }),
  })
  fastCheck.assert(
    fastCheck.property(fastCheck.array(reading, { maxLength: 60 }), (readings) => {
      const kept = new KeptHeaders(bytesMax)
      const lists = Array.from({ length: 5 }, (_, list) => {
        return new HeaderGroups(makeSource(list, 4 * groupEntries - 7).source, kept)
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

groups('should be made once while there is room, and again when they have gone', () => {
  const kept = new KeptHeaders(8 * groupEntries * 2)
  const [first, second] = [makeSource(1, 2 * groupEntries), makeSource(2, groupEntries)]
  const large = new HeaderGroups(first.source, kept)
  const small = new HeaderGroups(second.source, kept)
  for (let round = 0; round < 3; round++) assert.is(large.get(0), large.get(0))
  assert.is(first.made.groups, 1)
  large.get(1)
  assert.is(first.made.groups, 2)
  small.get(0)
  assert.is(kept.bytes, 8 * groupEntries, 'the list that was read before has gone')
  small.get(0)
  assert.is(second.made.groups, 1)
  large.get(0)
  assert.is(first.made.groups, 3)
})

groups('should not be kept of a very long list', () => {
  const kept = new KeptHeaders(64 * 1024 * 1024)
  const { source, made } = makeSource(1, 600_000)
  const list = new HeaderGroups(source, kept)
  list.get(7)
  list.get(7)
  assert.equal([made.groups, kept.bytes], [2, 0])
})

groups('should not keep the layout that they belong to', async () => {
  const kept = new KeptHeaders(1024 * 1024)
  const read = () => {
    const { source } = makeSource(1, groupEntries)
    new HeaderGroups(source, kept).get(0)
    return new WeakRef(source)
  }
  const source = read()
  await until('the layout is collected', () => {
    globalThis.gc!()
    return source.deref() === undefined
  })
  assert.is(kept.bytes, 8 * groupEntries)
})
