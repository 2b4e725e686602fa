import { GrowingColumn } from '../../lib/growing-column.ts'
import { assertSafeEntryName } from './names.ts'
import {
  centralHeaderLength,
  endRecordsLength,
  localHeaderLength,
  makeEndRecords,
  writeCentralHeader,
  writeLocalHeader,
} from './records.ts'
import type { EntryFields } from './records.ts'

/** Part of ETags: raise it whenever the bytes of an archive of the same entries change. */
export const layoutVersion = 1

export interface Entry {
  /**
   * Path with `/`, unique in the archive (see `EntryNames`); its safety is checked again when
   * added.
   */
  name: string
  /** Bytes of the content. */
  size: number
  /** CRC-32 of the content, unsigned. */
  crc: number
  /** Unix seconds, UTC; a fraction is cut off. */
  modifiedAt: number
}

export type Piece =
  | { kind: 'bytes'; bytes: Buffer }
  /** `length` bytes of the content of the entry with this index, from `offset` in that content. */
  | { kind: 'content'; entry: number; offset: number; length: number }

/**
 * One number per entry, in the order of the entries; names are stored as their ends in one buffer.
 */
interface Columns {
  sizes: Float64Array
  crcs: Uint32Array
  modifiedAt: Float64Array
  offsets: Float64Array
  nameEnds: Uint32Array
  names: Buffer
}

const entriesMax = 2 ** 22
const nameBytesMax = 2 ** 30
/** Limit of a `Date` in seconds. */
const secondsMax = 8_640_000_000_000
/** Adjacent headers are made together up to this size; only a single longer header exceeds it. */
const headerBytesMax = 64 * 1024
/** One in this many central headers has its offset kept, so that a range finds its first header. */
const directoryStride = 64

/** Takes entries one by one, without keeping an object for each. */
export class LayoutBuilder {
  readonly #sizes = new GrowingColumn((length) => new Float64Array(length))
  readonly #crcs = new GrowingColumn((length) => new Uint32Array(length))
  readonly #modifiedAt = new GrowingColumn((length) => new Float64Array(length))
  readonly #offsets = new GrowingColumn((length) => new Float64Array(length))
  readonly #nameEnds = new GrowingColumn((length) => new Uint32Array(length))
  #names = Buffer.alloc(4096)
  #namesLength = 0
  #count = 0
  #offset = 0

  /** @throws Error for a name that is unsafe in an archive, RangeError for impossible numbers */
  add(entry: Entry): void {
    assertSafeEntryName(entry.name)
    const { size, crc } = entry
    const modifiedAt = Math.floor(entry.modifiedAt)
    if (!Number.isSafeInteger(size) || size < 0) throw new RangeError(`no size: ${size}`)
    if (crc !== crc >>> 0) throw new RangeError(`no CRC-32: ${crc}`)
    if (!(Math.abs(modifiedAt) <= secondsMax)) throw new RangeError(`no time: ${entry.modifiedAt}`)
    if (this.#count >= entriesMax) throw new RangeError(`more than ${entriesMax} entries`)

    const nameLength = Buffer.byteLength(entry.name)
    const nextOffset = this.#offset + localHeaderLength(nameLength, size, modifiedAt) + size
    if (nextOffset > Number.MAX_SAFE_INTEGER) throw new RangeError('the archive is too large')

    this.#appendName(entry.name, nameLength)
    this.#nameEnds.push(this.#namesLength)
    this.#sizes.push(size)
    this.#crcs.push(crc)
    this.#modifiedAt.push(modifiedAt)
    this.#offsets.push(this.#offset)
    this.#offset = nextOffset
    this.#count++
  }

  build(): Layout {
    const names = Buffer.alloc(this.#namesLength)
    this.#names.copy(names)
    const columns = {
      sizes: this.#sizes.toArray(),
      crcs: this.#crcs.toArray(),
      modifiedAt: this.#modifiedAt.toArray(),
      offsets: this.#offsets.toArray(),
      nameEnds: this.#nameEnds.toArray(),
      names,
    }
    return new Layout(columns, this.#offset)
  }

  #appendName(name: string, nameLength: number): void {
    const length = this.#namesLength + nameLength
    if (length > nameBytesMax) throw new RangeError(`more than ${nameBytesMax} bytes of names`)
    if (length > this.#names.length) {
      const larger = Buffer.alloc(Math.max(length, this.#names.length * 2))
      this.#names.copy(larger)
      this.#names = larger
    }
    this.#names.write(name, this.#namesLength)
    this.#namesLength = length
  }
}

/** Where every byte of a stored archive comes from. Headers are made on demand. */
export class Layout {
  readonly count: number
  /** Bytes of the whole archive. */
  readonly size: number
  /** Memory that it takes. */
  readonly memoryBytes: number
  readonly #columns: Columns
  readonly #directoryOffset: number
  readonly #endRecordsOffset: number
  /** Absolute offsets of the central headers 0, 64, 128, ... */
  readonly #directoryMarks: Float64Array

  constructor(columns: Columns, directoryOffset: number) {
    this.count = columns.sizes.length
    this.#columns = columns
    this.#directoryOffset = directoryOffset
    this.#directoryMarks = new Float64Array(Math.ceil(this.count / directoryStride))
    let offset = directoryOffset
    for (let index = 0; index < this.count; index++) {
      if (index % directoryStride === 0) this.#directoryMarks[index / directoryStride] = offset
      offset += this.#centralHeaderLength(index)
    }
    this.#endRecordsOffset = offset
    this.size = offset + endRecordsLength(this.#directory())
    if (this.size > Number.MAX_SAFE_INTEGER) throw new RangeError('the archive is too large')
    this.memoryBytes = [...Object.values(columns), this.#directoryMarks].reduce(
      (sum, column) => sum + column.byteLength,
      1024,
    )
  }

  /** Bytes of the content of an entry. */
  entrySize(index: number): number {
    const size = this.#columns.sizes[index]
    if (size === undefined) throw new RangeError(`no entry ${index}`)
    return size
  }

  /** The header fields of an entry; `offset` is its place in the stored archive. */
  entryFields(index: number): EntryFields {
    const { sizes, crcs, modifiedAt, offsets, nameEnds, names } = this.#columns
    return {
      names,
      nameStart: this.#nameStart(index),
      nameEnd: nameEnds[index]!,
      size: sizes[index]!,
      crc: crcs[index]!,
      modifiedAt: modifiedAt[index]!,
      offset: offsets[index]!,
    }
  }

  /**
   * The pieces of bytes `start` to `end` (exclusive) of the archive, in order. Pieces of bytes are
   * new buffers that belong to the caller. Empty contents yield nothing.
   *
   * @throws RangeError when the range is not inside the archive
   */
  pieces(start: number, end: number): Generator<Piece, void, undefined> {
    const isRange = Number.isSafeInteger(start) && Number.isSafeInteger(end)
    if (!isRange || start < 0 || start > end || end > this.size) {
      throw new RangeError(`no range of ${this.size} bytes: ${start} to ${end}`)
    }
    return this.#generate(start, end)
  }

  *#generate(start: number, end: number): Generator<Piece, void, undefined> {
    if (start === end) return
    if (start < this.#directoryOffset) yield* this.#entryPieces(start, end)
    if (end <= this.#directoryOffset) return
    if (start < this.#endRecordsOffset) yield* this.#directoryPieces(start, end)
    if (end <= this.#endRecordsOffset) return
    yield piece(makeEndRecords(this.#directory()), this.#endRecordsOffset, start, end)
  }

  /** Local headers and contents. Headers with only empty contents between them are one piece. */
  *#entryPieces(start: number, end: number): Generator<Piece, void, undefined> {
    const { sizes, offsets } = this.#columns
    let index = lastNotAbove(offsets, start)
    while (index < this.count && offsets[index]! < end) {
      const first = index
      const headersOffset = offsets[first]!
      let contentOffset = this.#contentOffset(index)
      while (sizes[index] === 0 && index + 1 < this.count && contentOffset < end) {
        const nextOffset = this.#contentOffset(index + 1)
        if (nextOffset - headersOffset > headerBytesMax) break
        contentOffset = nextOffset
        index++
      }
      if (contentOffset > start) {
        const bytes = Buffer.allocUnsafe(contentOffset - headersOffset)
        this.#write(writeLocalHeader, bytes, first, index + 1)
        yield piece(bytes, headersOffset, start, end)
      }
      const from = Math.max(start, contentOffset)
      const length = Math.min(end, contentOffset + sizes[index]!) - from
      if (length > 0) yield { kind: 'content', entry: index, offset: from - contentOffset, length }
      index++
    }
  }

  *#directoryPieces(start: number, end: number): Generator<Piece, void, undefined> {
    let { index, offset } = this.#centralHeaderAt(Math.max(start, this.#directoryOffset))
    while (index < this.count && offset < end) {
      const first = index
      const firstOffset = offset
      offset += this.#centralHeaderLength(index++)
      while (index < this.count && offset < end) {
        const nextOffset = offset + this.#centralHeaderLength(index)
        if (nextOffset - firstOffset > headerBytesMax) break
        offset = nextOffset
        index++
      }
      const bytes = Buffer.allocUnsafe(offset - firstOffset)
      this.#write(writeCentralHeader, bytes, first, index)
      yield piece(bytes, firstOffset, start, end)
    }
  }

  /** The central header that holds the byte at `position`, and its start. */
  #centralHeaderAt(position: number): { index: number; offset: number } {
    const mark = lastNotAbove(this.#directoryMarks, position)
    let index = mark * directoryStride
    let offset = this.#directoryMarks[mark]!
    for (;;) {
      const nextOffset = offset + this.#centralHeaderLength(index)
      if (nextOffset > position) return { index, offset }
      offset = nextOffset
      index++
    }
  }

  /** Fills `bytes` with the headers of entries `first` to `end` (exclusive). */
  #write(writeHeader: typeof writeLocalHeader, bytes: Buffer, first: number, end: number): void {
    let at = 0
    for (let index = first; index < end; index++) {
      at = writeHeader(bytes, at, this.entryFields(index))
    }
    // A wrong length would shift every later byte, or send memory that was never written.
    if (at !== bytes.length) throw new Error('a header differs from its computed length')
  }

  #nameStart(index: number): number {
    return index === 0 ? 0 : this.#columns.nameEnds[index - 1]!
  }

  #nameLength(index: number): number {
    return this.#columns.nameEnds[index]! - this.#nameStart(index)
  }

  #contentOffset(index: number): number {
    const { sizes, modifiedAt, offsets } = this.#columns
    const nameLength = this.#nameLength(index)
    return offsets[index]! + localHeaderLength(nameLength, sizes[index]!, modifiedAt[index]!)
  }

  #centralHeaderLength(index: number): number {
    const { sizes, modifiedAt, offsets } = this.#columns
    const nameLength = this.#nameLength(index)
    return centralHeaderLength(nameLength, sizes[index]!, modifiedAt[index]!, offsets[index]!)
  }

  #directory(): { count: number; directoryOffset: number; directorySize: number } {
    return {
      count: this.count,
      directoryOffset: this.#directoryOffset,
      directorySize: this.#endRecordsOffset - this.#directoryOffset,
    }
  }
}

/** The part of `bytes`, which are at `offset` of the archive, within `start` to `end`. */
function piece(bytes: Buffer, offset: number, start: number, end: number): Piece {
  const from = Math.max(0, start - offset)
  return { kind: 'bytes', bytes: bytes.subarray(from, Math.min(bytes.length, end - offset)) }
}

/** Index of the last of the ascending values that is at most `limit`; the first one always is. */
function lastNotAbove(values: Float64Array, limit: number): number {
  let low = 0
  let high = values.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (values[middle]! <= limit) low = middle
    else high = middle - 1
  }
  return low
}
