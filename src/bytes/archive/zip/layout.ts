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
  type EntryFields,
  groupEntries,
  HeaderGroups,
} from '../entry-table.ts'

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

/**
 * The byte formats of a ZIP archive with stored entries, field by field. The names of the fields
 * and the section numbers are those of PKWARE's APPNOTE.TXT 6.3.10.
 *
 *     [local file header, content] ... [central directory header] ...
 *     [ZIP64 end record, ZIP64 end locator]? [end of central directory record]
 */

/** A two-byte field with this value has its real one in the ZIP64 records (4.4.1.4). */
const sentinel16 = 0xffff
/** The same for a four-byte field. */
const sentinel32 = 0xffffffff

const versionDefault = 20
const versionZip64 = 45
const madeByUnix = 3
const utf8Names = 0x0800 // general purpose bit 11 (4.4.4): name and comment are UTF-8
/** 4.4.5 compression method. */
const stored = 0
const regularFileReadableByAll = 0o100644
const folderOpenToAll = 0o040755
const dosFolder = 0x10

const zip64ExtraId = 0x0001
const timestampExtraId = 0x5455
const timestampExtraLength = 9

/** Contents of an entry's headers; `offset` is where its local file header starts. */
interface ZipFields extends EntryFields {
  crc: number
}

/** Contents of the records at the end of an archive: number of entries, place of the directory. */
interface DirectoryFields {
  count: number
  directoryOffset: number
  directorySize: number
}

/**
 * The extra field 0x5455 holds signed 32 bits: 1901 to 2038. Later times use only the DOS fields.
 */
function hasTimestampExtra(modifiedAt: number): boolean {
  return modifiedAt >= -0x80000000 && modifiedAt <= 0x7fffffff
}

function timestampLength(modifiedAt: number): number {
  return hasTimestampExtra(modifiedAt) ? timestampExtraLength : 0
}

/** 4.4.3.2: version of the specification, times ten. */
function versionNeeded(zip64Length: number): number {
  return zip64Length > 0 ? versionZip64 : versionDefault
}

/** 4.5.3: in the local header both sizes or nothing. */
function localZip64Length(size: number): number {
  return size >= sentinel32 ? 4 + 16 : 0
}

/** 4.5.3: in the central header only what its own field cannot hold. */
function centralZip64Length(size: number, offset: number): number {
  const sizesLength = size >= sentinel32 ? 16 : 0
  const dataLength = sizesLength + (offset >= sentinel32 ? 8 : 0)
  return dataLength > 0 ? 4 + dataLength : 0
}

function nameLength({ nameStart, nameEnd }: EntryFields): number {
  return nameEnd - nameStart
}

function localHeaderLength(entry: EntryFields): number {
  const { size, modifiedAt } = entry
  return 30 + nameLength(entry) + localZip64Length(size) + timestampLength(modifiedAt)
}

function centralHeaderLength(entry: EntryFields): number {
  const { size, modifiedAt, offset } = entry
  return 46 + nameLength(entry) + centralZip64Length(size, offset) + timestampLength(modifiedAt)
}

/** Split by division, because a shift would truncate the value to 32 bits. Exact up to 2^53. */
function writeUint64(target: Buffer, value: number, at: number): number {
  const next = target.writeUInt32LE(value % 0x1_0000_0000, at)
  return target.writeUInt32LE(Math.floor(value / 0x1_0000_0000), next)
}

function clamp32(value: number): number {
  return Math.min(value, sentinel32)
}

const dosFirstSecond = Date.UTC(1980, 0, 1) / 1000
const dosLastSecond = Date.UTC(2107, 11, 31, 23, 59, 58) / 1000

/**
 * 4.4.6: date in the upper 16 bits, time in the lower. In UTC, so that the bytes of an archive do
 * not depend on the server's time zone.
 *
 *     date  yyyyyyym mmmddddd   years since 1980, month from 1, day
 *     time  hhhhhmmm mmmsssss   hour, minute, seconds halved
 */
function dosDateTime(modifiedAt: number): number {
  const seconds = Math.min(Math.max(modifiedAt, dosFirstSecond), dosLastSecond)
  const time = new Date(seconds * 1000)
  const date =
    ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate()
  const clock =
    (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >>> 1)
  return date * 0x1_0000 + clock
}

/** The "extended timestamp" of Info-ZIP (proginfo/extrafld.txt), the same in both headers. */
function writeTimestampExtra(target: Buffer, modifiedAt: number, start: number): number {
  if (!hasTimestampExtra(modifiedAt)) return start
  let at = target.writeUInt16LE(timestampExtraId, start) // header id, 2
  at = target.writeUInt16LE(5, at) // data size, 2
  at = target.writeUInt8(1, at) // flags: modification time only, 1
  return target.writeInt32LE(modifiedAt, at) // modification time, 4
}

/** 4.3.7 Local file header. Returns its end in `target`. */
function writeLocalHeader(target: Buffer, start: number, entry: ZipFields): number {
  const { size, crc, modifiedAt } = entry
  const zip64Length = localZip64Length(size)
  let at = target.writeUInt32LE(0x04034b50, start) // local file header signature, 4
  at = target.writeUInt16LE(versionNeeded(zip64Length), at) // version needed to extract, 2
  at = target.writeUInt16LE(utf8Names, at) // general purpose bit flag, 2
  at = target.writeUInt16LE(stored, at) // compression method, 2
  at = target.writeUInt32LE(dosDateTime(modifiedAt), at) // last mod file time, 2, and date, 2
  at = target.writeUInt32LE(crc, at) // crc-32, 4
  at = target.writeUInt32LE(clamp32(size), at) // compressed size, 4
  at = target.writeUInt32LE(clamp32(size), at) // uncompressed size, 4
  at = target.writeUInt16LE(nameLength(entry), at) // file name length, 2
  at = target.writeUInt16LE(zip64Length + timestampLength(modifiedAt), at) // extra field length, 2
  at += entry.names.copy(target, at, entry.nameStart, entry.nameEnd) // file name
  if (zip64Length > 0) {
    at = target.writeUInt16LE(zip64ExtraId, at) // header id, 2
    at = target.writeUInt16LE(zip64Length - 4, at) // data size, 2
    at = writeUint64(target, size, at) // original size, 8
    at = writeUint64(target, size, at) // compressed size, 8
  }
  return writeTimestampExtra(target, modifiedAt, at)
}

/** 4.4.15: the mode of Unix in the upper 16 bits, that of DOS in the lower. */
function attributesOf(entry: EntryFields): number {
  if (isFolder(entry)) return folderOpenToAll * 0x1_0000 + dosFolder
  return regularFileReadableByAll * 0x1_0000
}

/** 4.3.12 Central directory header of one entry. Returns its end in `target`. */
function writeCentralHeader(target: Buffer, start: number, entry: ZipFields): number {
  const { size, modifiedAt, offset } = entry
  const zip64Length = centralZip64Length(size, offset)
  let at = target.writeUInt32LE(0x02014b50, start) // central file header signature, 4
  at = target.writeUInt8(versionZip64, at) // version made by: of the specification, 1
  at = target.writeUInt8(madeByUnix, at) // version made by: system of the attributes, 1
  at = target.writeUInt16LE(versionNeeded(zip64Length), at) // version needed to extract, 2
  at = target.writeUInt16LE(utf8Names, at) // general purpose bit flag, 2
  at = target.writeUInt16LE(stored, at) // compression method, 2
  at = target.writeUInt32LE(dosDateTime(modifiedAt), at) // last mod file time, 2, and date, 2
  at = target.writeUInt32LE(entry.crc, at) // crc-32, 4
  at = target.writeUInt32LE(clamp32(size), at) // compressed size, 4
  at = target.writeUInt32LE(clamp32(size), at) // uncompressed size, 4
  at = target.writeUInt16LE(nameLength(entry), at) // file name length, 2
  at = target.writeUInt16LE(zip64Length + timestampLength(modifiedAt), at) // extra field length, 2
  at = target.writeUInt16LE(0, at) // file comment length, 2
  at = target.writeUInt16LE(0, at) // disk number start, 2
  at = target.writeUInt16LE(0, at) // internal file attributes, 2
  at = target.writeUInt32LE(attributesOf(entry), at) // external file attributes, 4
  at = target.writeUInt32LE(clamp32(offset), at) // relative offset of local header, 4
  at += entry.names.copy(target, at, entry.nameStart, entry.nameEnd) // file name
  if (zip64Length > 0) {
    at = target.writeUInt16LE(zip64ExtraId, at) // header id, 2
    at = target.writeUInt16LE(zip64Length - 4, at) // data size, 2
    if (size >= sentinel32) {
      at = writeUint64(target, size, at) // original size, 8
      at = writeUint64(target, size, at) // compressed size, 8
    }
    if (offset >= sentinel32) at = writeUint64(target, offset, at) // relative header offset, 8
  }
  return writeTimestampExtra(target, modifiedAt, at)
}

function needsZip64End({ count, directoryOffset, directorySize }: DirectoryFields): boolean {
  return count >= sentinel16 || directoryOffset >= sentinel32 || directorySize >= sentinel32
}

export function endRecordsLength(directory: DirectoryFields): number {
  return needsZip64End(directory) ? 56 + 20 + 22 : 22
}

/** 4.3.14 ZIP64 end of central directory record and 4.3.15 its locator. */
function writeZip64End(target: Buffer, start: number, directory: DirectoryFields): number {
  const { count, directoryOffset, directorySize } = directory
  let at = target.writeUInt32LE(0x06064b50, start) // zip64 end of central dir signature, 4
  at = writeUint64(target, 44, at) // size of this record behind this field, 8
  at = target.writeUInt8(versionZip64, at) // version made by: of the specification, 1
  at = target.writeUInt8(madeByUnix, at) // version made by: system of the attributes, 1
  at = target.writeUInt16LE(versionZip64, at) // version needed to extract, 2
  at = target.writeUInt32LE(0, at) // number of this disk, 4
  at = target.writeUInt32LE(0, at) // number of the disk with the start of the central directory, 4
  at = writeUint64(target, count, at) // number of entries in the central directory on this disk, 8
  at = writeUint64(target, count, at) // total number of entries in the central directory, 8
  at = writeUint64(target, directorySize, at) // size of the central directory, 8
  at = writeUint64(target, directoryOffset, at) // offset of the start of the central directory, 8

  at = target.writeUInt32LE(0x07064b50, at) // zip64 end of central dir locator signature, 4
  at = target.writeUInt32LE(0, at) // number of the disk with the zip64 end record, 4
  at = writeUint64(target, directoryOffset + directorySize, at) // offset of the zip64 end record, 8
  return target.writeUInt32LE(1, at) // total number of disks, 4
}

/** Everything after the last central header: the ZIP64 records if needed, then 4.3.16. */
export function makeEndRecords(directory: DirectoryFields): Buffer {
  const { count, directoryOffset, directorySize } = directory
  const target = Buffer.alloc(endRecordsLength(directory))
  let at = needsZip64End(directory) ? writeZip64End(target, 0, directory) : 0
  at = target.writeUInt32LE(0x06054b50, at) // end of central dir signature, 4
  at = target.writeUInt16LE(0, at) // number of this disk, 2
  at = target.writeUInt16LE(0, at) // number of the disk with the start of the central directory, 2
  at = target.writeUInt16LE(Math.min(count, sentinel16), at) // entries on this disk, 2
  at = target.writeUInt16LE(Math.min(count, sentinel16), at) // total number of entries, 2
  at = target.writeUInt32LE(clamp32(directorySize), at) // size of the central directory, 4
  at = target.writeUInt32LE(clamp32(directoryOffset), at) // offset of the central directory, 4
  target.writeUInt16LE(0, at) // .ZIP file comment length, 2
  return target
}
