import { crc32 } from 'node:zlib'
import { crc32Combine } from '../../lib/crc32-combine.ts'

/**
 * Bytes that are checked together. A range is served from whole blocks, so this is also the most
 * that is read beyond either end of one; and no buffer that sends is smaller for long, so that a
 * block can be checked before its first byte leaves.
 */
export const blockBytes = 128 * 1024

const checksumBytes = 4

/**
 * CRC-32s of the blocks of some bytes: each block has `blockBytes`, but the last one what is left.
 * Four bytes each, little endian. Null when the bytes are one block at most: then their own CRC-32
 * says it all.
 */
export type BlockChecksums = Buffer

/** Some bytes and their checksums. `blocks` is null for one block at most, or when not known. */
export interface Checksummed {
  readonly length: number
  readonly crc: number
  readonly blocks: BlockChecksums | null
}

/** How many blocks some bytes have. */
export function countBlocks(length: number): number {
  return Math.ceil(length / blockBytes)
}

/** Takes bytes as they come, and knows their checksums at any time. */
export class Checksums {
  readonly #done: number[] = []
  #crcOfDone = 0
  #current = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  take(data: Buffer): void {
    let start = 0
    while (start < data.length) {
      const filled = this.#length % blockBytes
      const count = Math.min(blockBytes - filled, data.length - start)
      this.#current = crc32(data.subarray(start, start + count), this.#current)
      this.#length += count
      start += count
      if (filled + count === blockBytes) this.#endBlock()
    }
  }

  /** CRC-32 of everything taken so far. */
  get crc(): number {
    return crc32Combine(this.#crcOfDone, this.#current, this.#length % blockBytes)
  }

  /** Null for one block at most. */
  get blocks(): BlockChecksums | null {
    return encode(this.#length % blockBytes === 0 ? this.#done : [...this.#done, this.#current])
  }

  #endBlock(): void {
    this.#done.push(this.#current)
    this.#crcOfDone = crc32Combine(this.#crcOfDone, this.#current, blockBytes)
    this.#current = 0
  }
}

/**
 * The checksums of each block, in order; null when they are not known, as of bytes that came in
 * before blocks were kept.
 */
export function listBlocks({ length, crc, blocks }: Checksummed): number[] | null {
  if (length <= blockBytes) return length === 0 ? [] : [crc]
  if (blocks?.length !== countBlocks(length) * checksumBytes) return null
  return Array.from({ length: countBlocks(length) }, (_, index) =>
    blocks.readUInt32LE(index * checksumBytes),
  )
}

/**
 * The checksums of two runs of bytes put together, or null when they cannot be had from those of
 * the two: the blocks of the second one must go on where those of the first end, or all of it must
 * fit into the last block of the first. Runs whose blocks are not known join each other alone.
 */
export function joinChecksums(first: Checksummed, second: Checksummed): Checksummed | null {
  const [before, behind] = [listBlocks(first), listBlocks(second)]
  const joined = {
    length: first.length + second.length,
    crc: crc32Combine(first.crc, second.crc, second.length),
  }
  if (!before && !behind) return { ...joined, blocks: null }
  if (!before || !behind) return null
  const tail = first.length % blockBytes
  if (tail + second.length <= blockBytes && tail > 0) {
    const last = crc32Combine(before.at(-1)!, second.crc, second.length)
    return { ...joined, blocks: encode([...before.slice(0, -1), last]) }
  }
  return tail === 0 ? { ...joined, blocks: encode([...before, ...behind]) } : null
}

/** Null for one block at most. */
function encode(checksums: readonly number[]): BlockChecksums | null {
  if (checksums.length <= 1) return null
  const blocks = Buffer.allocUnsafe(checksums.length * checksumBytes)
  for (const [index, checksum] of checksums.entries()) {
    blocks.writeUInt32LE(checksum, index * checksumBytes)
  }
  return blocks
}
