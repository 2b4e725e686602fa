import {
  GrowingColumn,
  clip,
  EntryTableBuilder,
  isFolder,
  lastNotAbove,
  type ArchiveLayout,
  type Entry,
  type EntryTable,
  type Piece,
} from '../entry-table.ts'
import { groupEntries, HeaderGroups } from '../header-groups.ts'
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

export class ZipLayoutBuilder {
  readonly #entries = new EntryTableBuilder()
  readonly #crcs = new GrowingColumn((length) => new Uint32Array(length))

  /** @throws Error for an unsafe name, RangeError when the archive is too large */
  add(entry: ZipEntry): void {
    this.#entries.add(entry, localHeaderLength)
    this.#crcs.push(entry.crc)
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
  readonly #localHeaders: HeaderGroups
  readonly #centralHeaders: HeaderGroups
  /** Where the central headers of each group start in the archive. */
  readonly #directoryMarks: Float64Array

  constructor(entries: EntryTable, crcs: Uint32Array) {
    this.count = entries.count
    this.#entries = entries
    this.#crcs = crcs
    this.#directoryMarks = new Float64Array(Math.ceil(this.count / groupEntries))
    let offset = entries.end
    for (let index = 0; index < this.count; index++) {
      if (index % groupEntries === 0) this.#directoryMarks[index / groupEntries] = offset
      offset += this.#centralHeaderLength(index)
    }
    this.#endRecordsOffset = offset
    this.size = offset + endRecordsLength(this.#directory())
    if (this.size > Number.MAX_SAFE_INTEGER) throw new RangeError('the archive is too large')
    this.#localHeaders = new HeaderGroups({
      count: this.count,
      bytes: entries.headerBytes,
      lengthOf: (index) => entries.headerLength(index),
      write: (target, at, index) => writeLocalHeader(target, at, this.#entryFields(index)),
    })
    this.#centralHeaders = new HeaderGroups({
      count: this.count,
      bytes: this.#endRecordsOffset - entries.end,
      lengthOf: (index) => this.#centralHeaderLength(index),
      write: (target, at, index) => writeCentralHeader(target, at, this.#entryFields(index)),
    })
    this.memoryBytes = entries.memoryBytes + crcs.byteLength + this.#directoryMarks.byteLength
  }

  entrySize(index: number): number {
    return this.#entries.size(index)
  }

  /** What another writer of archives needs to know of an entry; a folder's name ends with `/`. */
  entry(index: number): Entry & { readonly isFolder: boolean } {
    const fields = this.#entries.fields(index)
    const { names, nameStart, nameEnd, size, modifiedAt } = fields
    const name = names.toString('utf8', nameStart, nameEnd)
    return { name, size, modifiedAt, isFolder: isFolder(fields) }
  }

  *pieces(start: number, end: number): Generator<Piece, void, undefined> {
    if (start === end) return
    yield* this.#entries.pieces(start, end, this.#localHeaders)
    if (end <= this.#entries.end) return
    if (start < this.#endRecordsOffset) yield* this.#directoryPieces(start, end)
    if (end <= this.#endRecordsOffset) return
    yield clip(makeEndRecords(this.#directory()), this.#endRecordsOffset, start, end)
  }

  *#directoryPieces(start: number, end: number): Generator<Piece, void, undefined> {
    const marks = this.#directoryMarks
    const first = lastNotAbove(marks, Math.max(start, this.#entries.end))
    for (let group = first; group < marks.length && marks[group]! < end; group++) {
      yield clip(this.#centralHeaders.get(group), marks[group]!, start, end)
    }
  }

  #entryFields(index: number): ZipFields {
    const { names, nameStart, nameEnd, size, modifiedAt, offset } = this.#entries.fields(index)
    // Spreading them would take five times as long as the header that they are for.
    return { names, nameStart, nameEnd, size, modifiedAt, offset, crc: this.#crcs[index]! }
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
