import { isAscii } from 'node:buffer'
import { clip, EntryTableBuilder, isFolder, HeaderGroups } from '../entry-table.ts'
import type { ArchiveLayout, Entry, EntryFields, EntryTable, Piece } from '../entry-table.ts'
import { blockBytes, octalMax, paddedSize, splitPath, writeHeader } from './header.ts'
import { recordLength, writeRecord } from './pax.ts'

/** Part of ETags: raise it whenever the bytes of an archive of the same entries change. */
export const tarLayoutVersion = 1

/** Two blocks of zeros. The padding to records of 10 KiB is for tapes, and no reader needs it. */
const endBytes = 2 * blockBytes
/** The name of every extended header: only readers that do not know them show it. */
const extendedName = Buffer.from('PaxHeaders/next')

type PaxRecord = readonly [keyword: string, value: Buffer]

export class TarLayoutBuilder {
  readonly #entries = new EntryTableBuilder()

  /** @throws Error for an unsafe name, RangeError when the archive is too large */
  add(entry: Entry): void {
    this.#entries.add(entry, headersLength)
  }

  build(): TarLayout {
    return new TarLayout(this.#entries.build())
  }
}

/** A tar archive of POSIX (ustar), with extended headers (pax) where an entry needs one. */
export class TarLayout implements ArchiveLayout {
  readonly count: number
  readonly size: number
  readonly memoryBytes: number
  readonly #entries: EntryTable
  readonly #headers: HeaderGroups

  constructor(entries: EntryTable) {
    this.count = entries.count
    this.#entries = entries
    this.#headers = new HeaderGroups({
      count: this.count,
      bytes: entries.headerBytes,
      lengthOf: (index) => entries.headerLength(index),
      write: (target, at, index) => writeHeaders(target, at, entries.fields(index)),
    })
    this.size = paddedSize(entries.end) + endBytes
    if (this.size > Number.MAX_SAFE_INTEGER) throw new RangeError('the archive is too large')
    this.memoryBytes = entries.memoryBytes
  }

  entrySize(index: number): number {
    return this.#entries.size(index)
  }

  *pieces(start: number, end: number): Generator<Piece, void, undefined> {
    if (start === end) return
    yield* this.#entries.pieces(start, end, this.#headers)
    const zerosOffset = this.#entries.end
    if (end <= zerosOffset) return
    yield clip(Buffer.alloc(this.size - zerosOffset), zerosOffset, start, end)
  }
}

/**
 * What stands before a content begins with the padding of the content before it:
 *
 *     padding | extended header, records, padding | header | content
 */
function headersLength(fields: EntryFields): number {
  return paddingBefore(fields) + extensionLength(lengthOf(recordsOf(fields))) + blockBytes
}

/** Returns the end of the headers in `target`. */
function writeHeaders(target: Buffer, start: number, fields: EntryFields): number {
  const { modifiedAt } = fields
  const records = recordsOf(fields)
  const size = lengthOf(records)
  const extensionAt = start + paddingBefore(fields)
  const headerAt = extensionAt + extensionLength(size)
  target.fill(0, start, headerAt)
  if (size > 0) {
    writeHeader(target.subarray(extensionAt), 'x', extendedName, { size, modifiedAt })
    let at = extensionAt + blockBytes
    for (const [keyword, value] of records) at = writeRecord(target, at, keyword, value)
  }
  writeHeader(target.subarray(headerAt), isFolder(fields) ? '5' : '0', nameOf(fields), fields)
  return headerAt + blockBytes
}

function paddingBefore({ offset }: EntryFields): number {
  return paddedSize(offset) - offset
}

/** @param recordsLength none without records */
function extensionLength(recordsLength: number): number {
  return recordsLength > 0 ? blockBytes + paddedSize(recordsLength) : 0
}

/** What the fields of a header cannot hold. */
function recordsOf(fields: EntryFields): PaxRecord[] {
  const { size, modifiedAt } = fields
  const name = nameOf(fields)
  const records: PaxRecord[] = []
  if (!isAscii(name) || splitPath(name) === null) records.push(['path', name])
  if (size > octalMax) records.push(['size', Buffer.from(String(size))])
  if (modifiedAt < 0 || modifiedAt > octalMax) {
    records.push(['mtime', Buffer.from(String(modifiedAt))])
  }
  return records
}

function lengthOf(records: readonly PaxRecord[]): number {
  return records.reduce((sum, record) => sum + recordLength(...record), 0)
}

function nameOf({ names, nameStart, nameEnd }: EntryFields): Buffer {
  return names.subarray(nameStart, nameEnd)
}
