// Bytes and rows kept in little memory.
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { GatheredBytes } from '../../src/http/body.ts'

const gathering = suite('GatheredBytes')
const kibibyte = 1024

/** The memory behind some buffers, each once. */
function memoryOf(buffers: readonly Buffer[]): number {
  const memories = new Set(buffers.map(({ buffer }) => buffer))
  return [...memories].reduce((sum, { byteLength }) => sum + byteLength, 0)
}

gathering('should return what was added, and know its memory (property)', () => {
  const sizes = fc.oneof(fc.constant(1), fc.nat(3000), fc.integer({ min: 0, max: 70_000 }))
  fc.assert(
    fc.property(fc.array(sizes, { maxLength: 60 }), fc.nat(60), (lengths, takeAt) => {
      const gathered = new GatheredBytes()
      const pieces = lengths.map((length, index) => Buffer.alloc(length, index))
      const taken: Buffer[] = []
      for (const [index, piece] of pieces.entries()) {
        gathered.add(piece)
        if (index !== takeAt) continue
        taken.push(...gathered.take())
        assert.equal([gathered.length, gathered.memoryBytes], [0, 0])
      }
      const { length, memoryBytes } = gathered
      const rest = gathered.take()
      assert.is(Buffer.concat(rest).length, length)
      assert.ok(memoryOf(rest) <= memoryBytes)
      assert.ok(memoryBytes <= 2 * length + 4 * kibibyte || memoryBytes <= length + 32 * kibibyte)
      assert.ok(Buffer.concat([...taken, ...rest]).equals(Buffer.concat(pieces)))
    }),
  )
})
