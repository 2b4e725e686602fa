import fastCheck from 'fast-check'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { crc32 as expected } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { crc32Combine, crc32 } from '../../src/lib/crc32.ts'
import { randomContent } from '../helpers/client.ts'

const crc = suite('crc32')

crc('should be that of node:zlib, also over parts and slices', () => {
  const data = randomContent(300_001, 1)
  for (const length of [0, 1, 7, 64, 4096, 300_000]) {
    for (const start of [0, 1, 3]) {
      const part = data.subarray(start, start + length)
      assert.is(crc32(part), expected(part))
      const middle = Math.floor(part.length / 3)
      assert.is(crc32(part.subarray(middle), crc32(part.subarray(0, middle))), expected(part))
    }
  }
})

crc('should be calculated, and say so once, where the library has no binary', () => {
  const built = path.join(import.meta.dirname, '../../src/lib/crc32.js')
  const program = `
    import module from 'node:module'
    const resolve = module._resolveFilename
    module._resolveFilename = (name, ...rest) => {
      if (name.includes('crc32-linux')) throw new Error('no binary')
      return resolve(name, ...rest)
    }
    const { crc32: sum } = await import(${JSON.stringify(pathToFileURL(built).href)})
    console.log(sum(Buffer.from('123456789')), sum(Buffer.from('789'), sum(Buffer.from('123456'))))`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { encoding: 'utf8', timeout: 30_000 },
  )
  assert.is(stdout.trim(), '3421780262 3421780262')
  assert.is(stderr.match(/@node-rs\/crc32 could not be loaded/g)?.length, 1)
})

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
