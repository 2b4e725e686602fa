import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  blockBytes,
  Checksums,
  joinChecksums,
  listBlocks,
  type Checksummed,
} from '../../../src/bytes/segments/block-checksums.ts'
import { randomContent } from '../../helpers/client.ts'

const blocks = suite('block checksums')
const content = randomContent(6 * blockBytes, 'blocks')

function taken(pieces: readonly Buffer[]): Checksummed {
  const checksums = new Checksums()
  for (const piece of pieces) checksums.take(piece)
  const { length, crc, blocks: known } = checksums
  return { length, crc, blocks: known }
}

function expected(bytes: Buffer): number[] {
  const all: number[] = []
  for (let start = 0; start < bytes.length; start += blockBytes) {
    all.push(crc32(bytes.subarray(start, start + blockBytes)))
  }
  return all
}

const lengths = fc.oneof(
  fc.nat(3 * blockBytes),
  fc.constantFrom(0, 1, blockBytes - 1, blockBytes, blockBytes + 1, 2 * blockBytes),
)

blocks('should match the bytes, in pieces of any size', () => {
  fc.assert(
    fc.property(lengths, fc.array(fc.nat(3 * blockBytes), { maxLength: 6 }), (length, cuts) => {
      const bytes = content.subarray(0, length)
      const places = [0, ...cuts.filter((cut) => cut < length), length].toSorted((a, b) => a - b)
      const pieces = places.slice(1).map((end, place) => bytes.subarray(places[place]!, end))
      const checksums = taken(pieces)
      assert.is(checksums.length, length)
      assert.is(checksums.crc, crc32(bytes))
      assert.equal(listBlocks(checksums), expected(bytes))
      assert.is(checksums.blocks === null, length <= blockBytes)
    }),
    { numRuns: 100 },
  )
})

blocks('should be joined to those of all the bytes, or not at all', () => {
  let joinedCount = 0
  fc.assert(
    fc.property(lengths, lengths, (one, other) => {
      const bytes = content.subarray(0, one + other)
      const joined = joinChecksums(taken([bytes.subarray(0, one)]), taken([bytes.subarray(one)]))
      const isAligned = one % blockBytes === 0 || (one % blockBytes) + other <= blockBytes
      assert.is(joined !== null, isAligned)
      if (!joined) return
      joinedCount += 1
      assert.equal([joined.length, joined.crc], [bytes.length, crc32(bytes)])
      assert.equal(listBlocks(joined), expected(bytes))
    }),
    { numRuns: 200 },
  )
  assert.ok(joinedCount > 20)
})
