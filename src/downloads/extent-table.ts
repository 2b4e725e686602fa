import { GrowingColumn } from '../lib/growing-column.ts'
import type { ExtentRow } from './sql.ts'

/** Some bytes of a segment. `crc` is that of all of them, when they are a whole extent. */
export interface SegmentSlice {
  readonly segmentId: string
  readonly position: number
  readonly length: number
  readonly crc: number | null
}

/** Takes the extents of files one by one; keeps no object for any of them. */
export class ExtentTableBuilder {
  readonly #starts = new GrowingColumn((length) => new Uint32Array(length))
  readonly #segments = new GrowingColumn((length) => new Uint32Array(length))
  readonly #positions = new GrowingColumn((length) => new Float64Array(length))
  readonly #lengths = new GrowingColumn((length) => new Float64Array(length))
  readonly #crcs = new GrowingColumn((length) => new Uint32Array(length))
  readonly #segmentNumbers = new Map<string, number>()
  #count = 0

  /** The extents added next belong to the next file. */
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
    })
  }
}

interface Columns {
  /** Of each file, the number of its first extent; one more at the end. */
  readonly starts: Uint32Array
  readonly segments: Uint32Array
  readonly positions: Float64Array
  readonly lengths: Float64Array
  readonly crcs: Uint32Array
}

/** Where the bytes of some files lie: about 24 bytes an extent, whatever the size of the files. */
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
  *slices(file: number, offset: number, length: number): Generator<SegmentSlice, void, undefined> {
    const { starts, segments, positions, lengths, crcs } = this.#columns
    let skip = offset
    let left = length
    for (let extent = starts[file]!; extent < starts[file + 1]! && left > 0; extent++) {
      const size = lengths[extent]!
      if (skip >= size) {
        skip -= size
        continue
      }
      const taken = Math.min(size - skip, left)
      yield {
        segmentId: this.segmentIds[segments[extent]!]!,
        position: positions[extent]! + skip,
        length: taken,
        crc: taken === size ? crcs[extent]! : null,
      }
      left -= taken
      skip = 0
    }
    if (left > 0) throw new Error('the extents of a file are shorter than the file')
  }
}
