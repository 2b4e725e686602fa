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

/** The fields that the headers of an entry are made from. */
export interface EntryFields {
  /** Holds the UTF-8 name, from `nameStart` to `nameEnd`. */
  readonly names: Buffer
  readonly nameStart: number
  readonly nameEnd: number
  readonly size: number
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
  readonly count: number
  readonly size: number
  /** Memory that it takes. */
  readonly memoryBytes: number
  /** Bytes of the content of an entry. */
  entrySize(index: number): number
  /**
   * The pieces of bytes `start` to `end` (exclusive) of the archive, in order. Others read the same
   * pieces of bytes: do not change them. Empty contents yield nothing. The range is inside.
   */
  pieces(start: number, end: number): Generator<Piece, void, undefined>
}

export function isFolder({ names, nameEnd }: EntryFields): boolean {
  return names[nameEnd - 1] === slash
}

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
const nameBytesMax = 2 ** 30

/** Takes entries one by one, without keeping an object for each. */
export class EntryTableBuilder {
  readonly #sizes = new GrowingColumn((length) => new Float64Array(length))
  readonly #modifiedAt = new GrowingColumn((length) => new Float64Array(length))
  readonly #offsets = new GrowingColumn((length) => new Float64Array(length))
  readonly #nameEnds = new GrowingColumn((length) => new Uint32Array(length))
  #names = Buffer.alloc(4096)
  #namesLength = 0
  #offset = 0

  /**
   * @param headerLength bytes that stand before the content of an entry with these fields
   * @throws Error for a name that is unsafe in an archive, RangeError when the archive is too large
   */
  add(entry: Entry, headerLength: (fields: EntryFields) => number): void {
    const { name, size } = entry
    assertSafeEntryName(name.endsWith('/') ? name.slice(0, -1) : name)
    const modifiedAt = Math.floor(entry.modifiedAt)
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
    this.memoryBytes = bytes.reduce((sum, length) => sum + length, 0)
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

  get headerBytes(): number {
    return this.end - this.#columns.sizes.reduce((sum, size) => sum + size, 0)
  }

  /** Bytes that stand before the content of an entry. */
  headerLength(index: number): number {
    const { sizes, offsets } = this.#columns
    return (offsets[index + 1] ?? this.end) - offsets[index]! - sizes[index]!
  }

  /**
   * The part of a range before `end`. Headers of a group with only empty contents between are one
   * piece.
   */
  *pieces(start: number, end: number, headers: HeaderGroups): Generator<Piece, void, undefined> {
    const { sizes, offsets } = this.#columns
    if (start >= Math.min(end, this.end)) return
    let index = lastNotAbove(offsets, start)
    let group = Math.floor(index / groupEntries)
    let bytes = headers.get(group)
    // Where the headers of the entry stand in the bytes of its group.
    let at = 0
    for (let before = group * groupEntries; before < index; before++) {
      at += this.headerLength(before)
    }
    while (index < this.count && offsets[index]! < end) {
      const groupEnd = Math.min((group + 1) * groupEntries, this.count)
      if (index === groupEnd) {
        group += 1
        bytes = headers.get(group)
        at = 0
        continue
      }
      const headersOffset = offsets[index]!
      const from = at
      at += this.headerLength(index)
      while (sizes[index] === 0 && index + 1 < groupEnd) at += this.headerLength(++index)
      const contentOffset = headersOffset + at - from
      if (contentOffset > start) yield clip(bytes.subarray(from, at), headersOffset, start, end)
      const skipped = Math.max(start, contentOffset)
      const length = Math.min(end, contentOffset + sizes[index]!) - skipped
      if (length > 0) {
        yield { kind: 'content', entry: index, offset: skipped - contentOffset, length }
      }
      index++
    }
  }
}

/** The part of `bytes`, which are at `offset` of the archive, within `start` to `end`. */
export function clip(bytes: Buffer, offset: number, start: number, end: number): Piece {
  if (start <= offset && end >= offset + bytes.length) return { kind: 'bytes', bytes }
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

type Column = Float64Array | Uint32Array | Uint8Array

/** A growing list of numbers in one typed array, which doubles when it is full. */
export class GrowingColumn<Values extends Column> {
  #values: Values
  #length = 0
  readonly #make: (length: number) => Values

  constructor(make: (length: number) => Values) {
    this.#make = make
    this.#values = make(64)
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = this.#make(this.#length * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.#length++] = value
  }

  /** A copy without the unused rest. */
  toArray(): Values {
    const exact = this.#make(this.#length)
    exact.set(this.#values.subarray(0, this.#length))
    return exact
  }
}

/** Entries whose headers are made together. */
export const groupEntries = 64
/** Headers of all archives together: those of the least recently read one go first. */
const keptBytesMax = 8 * 1024 * 1024
/** Memory of a kept group beside its bytes. */
const groupBytes = 512
/** Longer lists are made again for each reader. */
const listBytesMax = 4 * 1024 * 1024

/** Writes what an archive says of an entry from `start` on; returns its end. */
export type HeaderWriter = (target: Buffer, start: number, index: number) => number

export interface HeaderGroupsSource {
  readonly count: number
  /** Bytes of all headers. */
  readonly bytes: number
  readonly lengthOf: (index: number) => number
  readonly write: HeaderWriter
}

/**
 * The headers of an archive's entries, 64 at a time. Made when they are first read and then kept
 * for a while, unless they are many: an archive of small files is a third headers by work, and is
 * read again for each range and each recipient.
 */
export class HeaderGroups {
  readonly #source: HeaderGroupsSource
  readonly #kept: KeptHeaders | null
  readonly #groups: Buffer[] = []

  /** @param kept that it shares with other archives */
  constructor(source: HeaderGroupsSource, kept = keptHeaders) {
    this.#source = source
    this.#kept = source.bytes <= listBytesMax ? kept : null
  }

  /**
   * The headers of entries 64 × `group` to the next group. Others read them too: do not change
   * them.
   */
  get(group: number): Buffer {
    const known = this.#groups[group]
    const bytes = known ?? this.#make(group)
    if (!known && this.#kept) this.#groups[group] = bytes
    this.#kept?.read(this.#groups, known ? 0 : bytes.length + groupBytes)
    return bytes
  }

  #make(group: number): Buffer {
    const { count, lengthOf, write } = this.#source
    const first = group * groupEntries
    const end = Math.min(first + groupEntries, count)
    let length = 0
    for (let index = first; index < end; index++) length += lengthOf(index)
    const bytes = Buffer.allocUnsafeSlow(length)
    let at = 0
    for (let index = first; index < end; index++) at = write(bytes, at, index)
    // A wrong length would shift every later byte, or send memory that was never written.
    if (at !== length) throw new Error('a header differs from its computed length')
    return bytes
  }
}

/**
 * Bounds the headers that are kept: a layout lives as long as its slowest reader, and readers can
 * ask for any number of layouts. Holds lists of groups alone, so that no layout lives longer.
 */
export class KeptHeaders {
  readonly #bytesMax: number
  /** Bytes of each list, the least recently read one first. */
  readonly #bytesOf = new Map<Buffer[], number>()
  #newest: Buffer[] | null = null
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#bytes
  }

  /**
   * @param groups emptied when others need the room
   * @param addedBytes that were made for this reading
   */
  read(groups: Buffer[], addedBytes: number): void {
    if (groups !== this.#newest || addedBytes > 0) {
      const bytes = (this.#bytesOf.get(groups) ?? 0) + addedBytes
      this.#bytesOf.delete(groups)
      this.#bytesOf.set(groups, bytes)
      this.#newest = groups
    }
    this.#bytes += addedBytes
    for (const [oldest, bytes] of this.#bytesOf) {
      if (this.#bytes <= this.#bytesMax) return
      this.#bytesOf.delete(oldest)
      this.#bytes -= bytes
      oldest.length = 0
    }
  }
}

const keptHeaders = new KeptHeaders(keptBytesMax)
