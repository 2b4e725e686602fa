import { crc32, crc32Combine } from '../../lib/crc32.ts'

/**
 * Bytes that are checked together. A range is served from whole blocks, so at most this much is
 * read beyond each end. Send buffers are at least this large most of the time, so that a block is
 * checked before its first byte leaves.
 */
export const blockBytes = 128 * 1024

const checksumBytes = 4

/**
 * CRC-32s of consecutive blocks: each has `blockBytes`, the last one the rest. Four bytes each,
 * little endian. Null for one block at most, because the CRC-32 of the bytes is then enough.
 */
export type BlockChecksums = Buffer

export interface Checksummed {
  readonly length: number
  readonly crc: number
  readonly blocks: BlockChecksums | null
}

export function countBlocks(length: number): number {
  return Math.ceil(length / blockBytes)
}

/** Takes bytes as they come; its checksums are valid at any time. */
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

  get crc(): number {
    return crc32Combine(this.#crcOfDone, this.#current, this.#length % blockBytes)
  }

  /** Null for a single block, whose checksum is that of the whole. */
  get blocks(): BlockChecksums | null {
    return encode(this.#length % blockBytes === 0 ? this.#done : [...this.#done, this.#current])
  }

  #endBlock(): void {
    this.#done.push(this.#current)
    this.#crcOfDone = crc32Combine(this.#crcOfDone, this.#current, blockBytes)
    this.#current = 0
  }
}

export function listBlocks({ length, crc, blocks }: Checksummed): number[] {
  if (!blocks) return length === 0 ? [] : [crc]
  return Array.from({ length: countBlocks(length) }, (_, index) =>
    blocks.readUInt32LE(index * checksumBytes),
  )
}

/**
 * The checksums of two adjacent runs of bytes. Null when they cannot be derived: the first run must
 * end with a full block, or the second must fit into the last block of the first.
 */
export function joinChecksums(first: Checksummed, second: Checksummed): Checksummed | null {
  const [before, behind] = [listBlocks(first), listBlocks(second)]
  const joined = {
    length: first.length + second.length,
    crc: crc32Combine(first.crc, second.crc, second.length),
  }
  const tail = first.length % blockBytes
  if (tail + second.length <= blockBytes && tail > 0) {
    const last = crc32Combine(before.at(-1)!, second.crc, second.length)
    return { ...joined, blocks: encode([...before.slice(0, -1), last]) }
  }
  return tail === 0 ? { ...joined, blocks: encode([...before, ...behind]) } : null
}

function encode(checksums: readonly number[]): BlockChecksums | null {
  if (checksums.length <= 1) return null
  const blocks = Buffer.allocUnsafe(checksums.length * checksumBytes)
  for (const [index, checksum] of checksums.entries()) {
    blocks.writeUInt32LE(checksum, index * checksumBytes)
  }
  return blocks
}
