import { GrowingColumn } from '../../lib/growing-column.ts'
import {
  assertRange,
  clip,
  EntryTableBuilder,
  headerBytesMax,
  lastNotAbove,
  writeHeaders,
  type ArchiveLayout,
  type Entry,
  type EntryTable,
  type Piece,
} from '../archive/entry-table.ts'
import {
  centralHeaderLength,
  endRecordsLength,
  localHeaderLength,
  makeEndRecords,
  writeCentralHeader,
  writeLocalHeader,
  type ZipFields,
} from './records.ts'

/** Part of ETags: raise it whenever the bytes of an archive of the same entries change. */
export const zipLayoutVersion = 1

export interface ZipEntry extends Entry {
  /** CRC-32 of the content, unsigned. */
  readonly crc: number
}

/** One in this many central headers has its offset kept, so that a range finds its first header. */
const directoryStride = 64

export class ZipLayoutBuilder {
  readonly #entries = new EntryTableBuilder()
  readonly #crcs = new GrowingColumn((length) => new Uint32Array(length))

  /** @throws Error for a name that is unsafe in an archive, RangeError for impossible numbers */
  add(entry: ZipEntry): void {
    const { crc } = entry
    if (crc !== crc >>> 0) throw new RangeError(`no CRC-32: ${crc}`)
    this.#entries.add(entry, localHeaderLength)
    this.#crcs.push(crc)
  }

  build(): ZipLayout {
    return new ZipLayout(this.#entries.build(), this.#crcs.toArray())
  }
}

/** A ZIP of stored entries. */
export class ZipLayout implements ArchiveLayout {
  readonly count: number
  readonly size: number
  readonly memoryBytes: number
  readonly #entries: EntryTable
  readonly #crcs: Uint32Array
  readonly #endRecordsOffset: number
  /** Absolute offsets of the central headers 0, 64, 128, ... */
  readonly #directoryMarks: Float64Array

  constructor(entries: EntryTable, crcs: Uint32Array) {
    this.count = entries.count
    this.#entries = entries
    this.#crcs = crcs
    this.#directoryMarks = new Float64Array(Math.ceil(this.count / directoryStride))
    let offset = entries.end
    for (let index = 0; index < this.count; index++) {
      if (index % directoryStride === 0) this.#directoryMarks[index / directoryStride] = offset
      offset += this.#centralHeaderLength(index)
    }
    this.#endRecordsOffset = offset
    this.size = offset + endRecordsLength(this.#directory())
    if (this.size > Number.MAX_SAFE_INTEGER) throw new RangeError('the archive is too large')
    this.memoryBytes = entries.memoryBytes + crcs.byteLength + this.#directoryMarks.byteLength
  }

  entrySize(index: number): number {
    return this.#entries.size(index)
  }

  /** The header fields of an entry; `offset` is its place in the stored archive. */
  entryFields(index: number): ZipFields {
    const { names, nameStart, nameEnd, size, modifiedAt, offset } = this.#entries.fields(index)
    // Spreading them would take five times as long as the header that they are for.
    return { names, nameStart, nameEnd, size, modifiedAt, offset, crc: this.#crcs[index]! }
  }

  pieces(start: number, end: number): Generator<Piece, void, undefined> {
    assertRange(start, end, this.size)
    return this.#generate(start, end)
  }

  *#generate(start: number, end: number): Generator<Piece, void, undefined> {
    if (start === end) return
    yield* this.#entries.pieces(start, end, (target, at, index) =>
      writeLocalHeader(target, at, this.entryFields(index)),
    )
    if (end <= this.#entries.end) return
    if (start < this.#endRecordsOffset) yield* this.#directoryPieces(start, end)
    if (end <= this.#endRecordsOffset) return
    yield clip(makeEndRecords(this.#directory()), this.#endRecordsOffset, start, end)
  }

  *#directoryPieces(start: number, end: number): Generator<Piece, void, undefined> {
    let { index, offset } = this.#centralHeaderAt(Math.max(start, this.#entries.end))
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
      const bytes = writeHeaders(offset - firstOffset, first, index, (target, at, entry) =>
        writeCentralHeader(target, at, this.entryFields(entry)),
      )
      yield clip(bytes, firstOffset, start, end)
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

  #centralHeaderLength(index: number): number {
    return centralHeaderLength(this.#entries.fields(index))
  }

  #directory(): { count: number; directoryOffset: number; directorySize: number } {
    const directoryOffset = this.#entries.end
    const directorySize = this.#endRecordsOffset - directoryOffset
    return { count: this.count, directoryOffset, directorySize }
  }
}
