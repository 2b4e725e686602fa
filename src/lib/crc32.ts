import { createRequire } from 'node:module'

type Crc32 = typeof import('@node-rs/crc32').crc32

let calculate: Crc32 | null = null

/**
 * CRC-32 as in ZIP (ISO 3309), unsigned. Five times as fast as that of `node:zlib`; loaded by the
 * first bytes, because an idle service saves 4 MB without it.
 * @param before the CRC-32 of what stands before the data
 */
export function crc32(data: Uint8Array, before = 0): number {
  calculate ??= load()
  return calculate(data, before)
}

function load(): Crc32 {
  return (createRequire(import.meta.url)('@node-rs/crc32') as { crc32: Crc32 }).crc32
}
