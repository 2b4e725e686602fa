import { GrowingColumn } from '../archive/entry-table.ts'
import { blockBytes, countBlocks, listBlocks } from '../segments/block-checksums.ts'
import type { ExtentRow } from '../files-sql.ts'

/** A block of a segment, which is checked as a whole, and the requested part of it. */
export interface SegmentSlice {
  readonly segmentId: string
  readonly position: number
  readonly length: number
  /** CRC-32 of all `length` bytes. */
  readonly crc: number
  /** The requested bytes [from, to) of these. */
  readonly from: number
  readonly to: number
}

/** Takes the extents of files one by one, without keeping an object for each. */
export class ExtentTableBuilder {
  readonly #starts = new GrowingColumn((length) => new Uint32Array(length))
  readonly #segments = new GrowingColumn((length) => new Uint32Array(length))
  readonly #positions = new GrowingColumn((length) => new Float64Array(length))
  readonly #lengths = new GrowingColumn((length) => new Float64Array(length))
  readonly #crcs = new GrowingColumn((length) => new Uint32Array(length))
  readonly #firstBlocks = new GrowingColumn((length) => new Uint32Array(length))
  readonly #blocks = new GrowingColumn((length) => new Uint32Array(length))
  readonly #segmentNumbers = new Map<string, number>()
  #count = 0
  #blockCount = 0

  /** Extents added from now on belong to the next file. */
  startFile(): void {
    this.#starts.push(this.#count)
  }

  add(extent: ExtentRow): void {
    const number = this.#segmentNumbers.get(extent.segmentId) ?? this.#segmentNumbers.size
    this.#segmentNumbers.set(extent.segmentId, number)
    this.#segments.push(number)
    this.#positions.push(extent.segmentOffset)
    this.#lengths.push(extent.length)
    this.#crcs.push(extent.crc)
    this.#firstBlocks.push(this.#addBlocks(extent))
    this.#count += 1
  }

  build(): ExtentTable {
    this.#starts.push(this.#count)
    return new ExtentTable([...this.#segmentNumbers.keys()], {
      starts: this.#starts.toArray(),
      segments: this.#segments.toArray(),
      positions: this.#positions.toArray(),
      lengths: this.#lengths.toArray(),
      crcs: this.#crcs.toArray(),
      firstBlocks: this.#firstBlocks.toArray(),
      blocks: this.#blocks.toArray(),
    })
  }

  /** A single block needs no row: its checksum is the extent's. */
  #addBlocks(extent: ExtentRow): number {
    if (extent.length <= blockBytes) return noBlocks
    const blocks = listBlocks(extent)
    const first = this.#blockCount
    for (const checksum of blocks) this.#blocks.push(checksum)
    this.#blockCount += blocks.length
    return first
  }
}

const noBlocks = 0xffffffff

interface Columns {
  /** By file: the number of its first extent; one more at the end. */
  readonly starts: Uint32Array
  readonly segments: Uint32Array
  readonly positions: Float64Array
  readonly lengths: Float64Array
  readonly crcs: Uint32Array
  /** By extent: the index of its first checksum in `blocks`; `noBlocks` for a single block. */
  readonly firstBlocks: Uint32Array
  readonly blocks: Uint32Array
}

/** Where the bytes of some files are stored: about 32 bytes per extent, and 4 per 128 KiB. */
export class ExtentTable {
  readonly segmentIds: readonly string[]
  readonly memoryBytes: number
  readonly #columns: Columns

  constructor(segmentIds: readonly string[], columns: Columns) {
    this.segmentIds = segmentIds
    this.#columns = columns
    const arrays = Object.values(columns) as (Uint32Array | Float64Array)[]
    this.memoryBytes = arrays.reduce(
      (sum, array) => sum + array.byteLength,
      segmentIds.length * 100,
    )
  }

  /** The places of `length` bytes of a file from `offset`, in order. */
  slices(file: number, offset: number, length: number): Iterable<SegmentSlice> {
    const { starts, lengths } = this.#columns
    const extent = starts[file]!
    const isSmall = starts[file + 1] === extent + 1 && lengths[extent]! <= blockBytes
    if (!isSmall || offset + length > lengths[extent]!) return this.#slices(file, offset, length)
    return [this.#blockOf(extent, 0, offset, offset + length)]
  }

  *#slices(file: number, offset: number, length: number): Generator<SegmentSlice> {
    const { starts, lengths } = this.#columns
    let skip = offset
    let left = length
    for (let extent = starts[file]!; extent < starts[file + 1]! && left > 0; extent++) {
      const size = lengths[extent]!
      if (skip >= size) {
        skip -= size
        continue
      }
      const taken = Math.min(size - skip, left)
      yield* this.#slicesOf(extent, skip, skip + taken)
      left -= taken
      skip = 0
    }
    if (left > 0) throw new Error('the extents of a file are shorter than the file')
  }

  #blockCrc(extent: number, block: number): number {
    const { lengths, crcs, firstBlocks, blocks } = this.#columns
    if (lengths[extent]! <= blockBytes) return crcs[extent]!
    return blocks[firstBlocks[extent]! + block]!
  }

  *#slicesOf(extent: number, from: number, to: number): Generator<SegmentSlice> {
    for (let block = Math.floor(from / blockBytes); block < countBlocks(to); block++) {
      yield this.#blockOf(extent, block, from, to)
    }
  }

  /** A block of an extent, and the part of it that belongs to bytes [from, to) of the extent. */
  #blockOf(extent: number, block: number, from: number, to: number): SegmentSlice {
    const { segments, positions, lengths } = this.#columns
    const offset = block * blockBytes
    const length = Math.min(blockBytes, lengths[extent]! - offset)
    return {
      segmentId: this.segmentIds[segments[extent]!]!,
      position: positions[extent]! + offset,
      length,
      crc: this.#blockCrc(extent, block),
      from: Math.max(0, from - offset),
      to: Math.min(length, to - offset),
    }
  }
}
