import { crc32 } from 'node:zlib'
import fastCheck from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { crc32Combine } from '../../src/lib/crc32-combine.ts'

const combine = suite('crc32Combine')
const lengthMax = Number.MAX_SAFE_INTEGER
const bytes = fastCheck.uint8Array({ maxLength: 300 })
// The definition in big integers: bit n is x^n, reflected only at input and output.
const generator = 0x104c11db7n
const reflect = (value: bigint): bigint =>
  BigInt(`0b${value.toString(2).padStart(32, '0').split('').toReversed().join('')}`)

function remainder(value: bigint): bigint {
  let rest = value
  for (let bit = 63n; bit >= 32n; bit--) {
    if ((rest >> bit) & 1n) rest ^= generator << (bit - 32n)
  }
  return rest
}

function product(left: bigint, right: bigint): bigint {
  let sum = 0n
  for (let bit = 0n; bit < 32n; bit++) if ((left >> bit) & 1n) sum ^= right << bit
  return remainder(sum)
}

function combineByDefinition(first: number, second: number, secondLength: number): number {
  let moved = reflect(BigInt(first))
  let square = 2n // x
  for (let bits = BigInt(secondLength) * 8n; bits > 0n; bits >>= 1n) {
    if (bits & 1n) moved = product(moved, square)
    square = product(square, square)
  }
  return Number(reflect(moved) ^ BigInt(second))
}

const checksum = fastCheck.nat({ max: 0xffffffff })

combine('should equal the CRC-32 of both together', () => {
  fastCheck.assert(
    fastCheck.property(bytes, bytes, (first, second) => {
      const whole = crc32(Buffer.concat([first, second]))
      assert.is(crc32Combine(crc32(first), crc32(second), second.length), whole)
    }),
  )
})

combine('should combine many chunks in order', () => {
  fastCheck.assert(
    fastCheck.property(fastCheck.array(bytes, { maxLength: 20 }), (chunks) => {
      let sum = 0
      for (const chunk of chunks) sum = crc32Combine(sum, crc32(chunk), chunk.length)
      assert.is(sum, crc32(Buffer.concat(chunks)))
    }),
  )
})

combine('should agree with plain polynomial arithmetic for lengths beyond any shift', () => {
  const length = fastCheck.oneof(
    fastCheck.nat({ max: lengthMax }),
    fastCheck.integer({ min: 2 ** 32 - 9, max: 2 ** 32 + 9 }),
    fastCheck.constantFrom(2 ** 31, 2 ** 33 - 1, 2 ** 52, lengthMax),
  )
  fastCheck.assert(
    fastCheck.property(checksum, checksum, length, (first, second, secondLength) => {
      const expected = combineByDefinition(first, second, secondLength)
      assert.is(crc32Combine(first, second, secondLength), expected)
    }),
  )
})

combine('should not depend on how the following bytes are split', () => {
  const split = fastCheck
    .tuple(fastCheck.nat({ max: lengthMax }), fastCheck.nat({ max: lengthMax }))
    .map(([one, two]) => [Math.min(one, two), Math.max(one, two)] as const)
  fastCheck.assert(
    fastCheck.property(checksum, checksum, checksum, split, (first, second, third, [cut, end]) => {
      const behind = crc32Combine(second, third, end - cut)
      const rightFirst = crc32Combine(first, behind, end)
      const leftFirst = crc32Combine(crc32Combine(first, second, cut), third, end - cut)
      assert.is(leftFirst, rightFirst)
    }),
  )
})

combine('should know the period of the polynomial: 2^32 - 1 bits', () => {
  // x^(2^32 - 1) = 1, so that many bytes (eight times as many bits) change nothing either.
  assert.is(crc32Combine(0x12345678, 0, 2 ** 32 - 1), 0x12345678)
  assert.is(crc32Combine(0x12345678, 0, 2 ** 20 * (2 ** 32 - 1)), 0x12345678)
  assert.is.not(crc32Combine(0x12345678, 0, 2 ** 32), 0x12345678)
})

combine('should refuse an invalid length', () => {
  for (const length of [-1, 0.5, NaN, Infinity, 2 ** 53]) {
    assert.throws(() => crc32Combine(1, 2, length), /no length/)
  }
})

combine.run()
