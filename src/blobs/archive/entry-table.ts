import { GrowingColumn } from '../../lib/growing-column.ts'
import { assertSafeEntryName } from './names.ts'

export interface Entry {
  /**
   * Path with `/`, unique in the archive (see `EntryNames`); its safety is checked again when
   * added. A folder's ends with `/`, and it has no content.
   */
  readonly name: string
  /** Bytes of the content. */
  readonly size: number
  /** Unix seconds, UTC; a fraction is cut off. */
  readonly modifiedAt: number
}

/** What the headers of an entry are made from. */
export interface EntryFields {
  /** Holds the UTF-8 name, from `nameStart` to `nameEnd`. */
  readonly names: Buffer
  readonly nameStart: number
  readonly nameEnd: number
  /** Bytes of the content. */
  readonly size: number
  /** Unix seconds, UTC. */
  readonly modifiedAt: number
  /** Where the bytes before the content start, in bytes from the start of the archive. */
  readonly offset: number
}

export type Piece =
  | { kind: 'bytes'; bytes: Buffer }
  /** `length` bytes of the content of the entry with this index, from `offset` in that content. */
  | { kind: 'content'; entry: number; offset: number; length: number }

/** Where every byte of an archive comes from. Headers are made on demand. */
export interface ArchiveLayout {
  /** Number of entries. */
  readonly count: number
  /** Bytes of the whole archive. */
  readonly size: number
  /** Memory that it takes. */
  readonly memoryBytes: number
  /** Bytes of the content of an entry. */
  entrySize(index: number): number
  /**
   * The pieces of bytes `start` to `end` (exclusive) of the archive, in order. Pieces of bytes are
   * new buffers that belong to the caller. Empty contents yield nothing.
   *
   * @throws RangeError when the range is not inside the archive
   */
  pieces(start: number, end: number): Generator<Piece, void, undefined>
}

export function isFolder({ names, nameEnd }: EntryFields): boolean {
  return names[nameEnd - 1] === slash
}

/** Writes what stands before the content of an entry from `start` on; returns its end. */
export type HeaderWriter = (target: Buffer, start: number, index: number) => number

/**
 * One number per entry, in the order of the entries; names are stored as their ends in one buffer.
 */
interface Columns {
  readonly sizes: Float64Array
  readonly modifiedAt: Float64Array
  readonly offsets: Float64Array
  readonly nameEnds: Uint32Array
  readonly names: Buffer
}

const slash = 0x2f
const entriesMax = 2 ** 22
const nameBytesMax = 2 ** 30
/** Limit of a `Date` in seconds. */
const secondsMax = 8_640_000_000_000
/** Adjacent headers are made together up to this size; only a single longer header exceeds it. */
export const headerBytesMax = 64 * 1024

/** Takes entries one by one, without keeping an object for each. */
export class EntryTableBuilder {
  readonly #sizes = new GrowingColumn((length) => new Float64Array(length))
  readonly #modifiedAt = new GrowingColumn((length) => new Float64Array(length))
  readonly #offsets = new GrowingColumn((length) => new Float64Array(length))
  readonly #nameEnds = new GrowingColumn((length) => new Uint32Array(length))
  #names = Buffer.alloc(4096)
  #namesLength = 0
  #count = 0
  #offset = 0

  /**
   * @param headerLength bytes that stand before the content of an entry with these fields
   * @throws Error for a name that is unsafe in an archive, RangeError for impossible numbers
   */
  add(entry: Entry, headerLength: (fields: EntryFields) => number): void {
    const { name, size } = entry
    const hasSlash = name.endsWith('/')
    assertSafeEntryName(hasSlash ? name.slice(0, -1) : name)
    if (hasSlash && size > 0) throw new RangeError(`a folder with content: ${size}`)
    const modifiedAt = Math.floor(entry.modifiedAt)
    if (!Number.isSafeInteger(size) || size < 0) throw new RangeError(`no size: ${size}`)
    if (!(Math.abs(modifiedAt) <= secondsMax)) throw new RangeError(`no time: ${entry.modifiedAt}`)
    if (this.#count >= entriesMax) throw new RangeError(`more than ${entriesMax} entries`)

    const [nameStart, offset] = [this.#namesLength, this.#offset]
    const nameEnd = this.#writeName(name)
    const fields = { names: this.#names, nameStart, nameEnd, size, modifiedAt, offset }
    const nextOffset = offset + headerLength(fields) + size
    if (nextOffset > Number.MAX_SAFE_INTEGER) throw new RangeError('the archive is too large')

    this.#namesLength = nameEnd
    this.#nameEnds.push(nameEnd)
    this.#sizes.push(size)
    this.#modifiedAt.push(modifiedAt)
    this.#offsets.push(offset)
    this.#offset = nextOffset
    this.#count++
  }

  build(): EntryTable {
    const names = Buffer.alloc(this.#namesLength)
    this.#names.copy(names)
    const columns = {
      sizes: this.#sizes.toArray(),
      modifiedAt: this.#modifiedAt.toArray(),
      offsets: this.#offsets.toArray(),
      nameEnds: this.#nameEnds.toArray(),
      names,
    }
    return new EntryTable(columns, this.#offset)
  }

  /** Behind the other names, where the next one replaces it unless it is counted in. */
  #writeName(name: string): number {
    const end = this.#namesLength + Buffer.byteLength(name)
    if (end > nameBytesMax) throw new RangeError(`more than ${nameBytesMax} bytes of names`)
    if (end > this.#names.length) {
      const larger = Buffer.alloc(Math.max(end, this.#names.length * 2))
      this.#names.copy(larger)
      this.#names = larger
    }
    this.#names.write(name, this.#namesLength)
    return end
  }
}

/** Names, sizes, times and places of the entries of an archive, whatever its format. */
export class EntryTable {
  readonly count: number
  /** Where the last content ends. */
  readonly end: number
  readonly memoryBytes: number
  readonly #columns: Columns

  constructor(columns: Columns, end: number) {
    this.count = columns.sizes.length
    this.end = end
    this.#columns = columns
    const bytes = Object.values(columns).map((column) => column.byteLength)
    this.memoryBytes = bytes.reduce((sum, length) => sum + length, 1024)
  }

  size(index: number): number {
    const size = this.#columns.sizes[index]
    if (size === undefined) throw new RangeError(`no entry ${index}`)
    return size
  }

  fields(index: number): EntryFields {
    const { sizes, modifiedAt, offsets, nameEnds, names } = this.#columns
    return {
      names,
      nameStart: index === 0 ? 0 : nameEnds[index - 1]!,
      nameEnd: nameEnds[index]!,
      size: sizes[index]!,
      modifiedAt: modifiedAt[index]!,
      offset: offsets[index]!,
    }
  }

  /** The part of a range before `end`. Headers with only empty contents between are one piece. */
  *pieces(start: number, end: number, write: HeaderWriter): Generator<Piece, void, undefined> {
    const { sizes, offsets } = this.#columns
    if (start >= Math.min(end, this.end)) return
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
        const bytes = writeHeaders(contentOffset - headersOffset, first, index + 1, write)
        yield clip(bytes, headersOffset, start, end)
      }
      const from = Math.max(start, contentOffset)
      const length = Math.min(end, contentOffset + sizes[index]!) - from
      if (length > 0) yield { kind: 'content', entry: index, offset: from - contentOffset, length }
      index++
    }
  }

  #contentOffset(index: number): number {
    const { sizes, offsets } = this.#columns
    return (offsets[index + 1] ?? this.end) - sizes[index]!
  }
}

/** The headers of entries `first` to `end` (exclusive), which take `length` bytes. */
export function writeHeaders(
  length: number,
  first: number,
  end: number,
  write: HeaderWriter,
): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let at = 0
  for (let index = first; index < end; index++) at = write(bytes, at, index)
  // A wrong length would shift every later byte, or send memory that was never written.
  if (at !== length) throw new Error('a header differs from its computed length')
  return bytes
}

/** The part of `bytes`, which are at `offset` of the archive, within `start` to `end`. */
export function clip(bytes: Buffer, offset: number, start: number, end: number): Piece {
  const from = Math.max(0, start - offset)
  return { kind: 'bytes', bytes: bytes.subarray(from, Math.min(bytes.length, end - offset)) }
}

/** Index of the last of the ascending values that is at most `limit`; the first one always is. */
export function lastNotAbove(values: Float64Array, limit: number): number {
  let low = 0
  let high = values.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (values[middle]! <= limit) low = middle
    else high = middle - 1
  }
  return low
}

/** @throws RangeError unless it is a range of `size` bytes */
export function assertRange(start: number, end: number, size: number): void {
  const isRange = Number.isSafeInteger(start) && Number.isSafeInteger(end)
  if (!isRange || start < 0 || start > end || end > size) {
    throw new RangeError(`no range of ${size} bytes: ${start} to ${end}`)
  }
}
