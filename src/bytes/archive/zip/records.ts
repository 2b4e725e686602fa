import { isFolder, type EntryFields } from '../entry-table.ts'

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
export interface ZipFields extends EntryFields {
  crc: number
}

/** Contents of the records at the end of an archive: number of entries, place of the directory. */
export interface DirectoryFields {
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

export function localHeaderLength(entry: EntryFields): number {
  const { size, modifiedAt } = entry
  return 30 + nameLength(entry) + localZip64Length(size) + timestampLength(modifiedAt)
}

export function centralHeaderLength(entry: EntryFields): number {
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
export function writeLocalHeader(target: Buffer, start: number, entry: ZipFields): number {
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
export function writeCentralHeader(target: Buffer, start: number, entry: ZipFields): number {
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
