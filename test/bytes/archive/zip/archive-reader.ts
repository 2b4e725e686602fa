// A reader of ZIP archives for the tests, written from APPNOTE.TXT and independent of
// src/bytes/archive. It never reads contents, so that archives of any size can be read.
import { Buffer } from 'node:buffer'

export type ReadBytes = (start: number, end: number) => Buffer

export interface ReadEntry {
  name: string
  size: number
  /** Bytes of the content as stored in the archive. */
  packedSize: number
  /** Bytes of the data descriptor after the content; compressed archives have them. */
  descriptorLength: number
  crc: number
  offset: number
  contentOffset: number
  /** Unix seconds of the extra fields 0x5455, or null. */
  modifiedAt: number | null
  localModifiedAt: number | null
  /** From the DOS fields, read as UTC. */
  dosTime: string
  method: number
  mode: number
  versions: { local: number; central: number }
  /** Bytes of data in the ZIP64 extra fields. */
  zip64: { local: number; central: number }
}

export interface ReadArchive {
  entries: ReadEntry[]
  hasZip64End: boolean
}

function fail(problem: string): never {
  throw new Error(`the archive is wrong: ${problem}`)
}

function same(what: string, one: unknown, other: unknown): void {
  if (one !== other) fail(`two ${what}: ${String(one)} and ${String(other)}`)
}

function big(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64LE(at)
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) fail('a number above 2^53')
  return Number(value)
}

function readExtras(bytes: Buffer): Map<number, Buffer> {
  const extras = new Map<number, Buffer>()
  let at = 0
  while (at < bytes.length) {
    const id = bytes.readUInt16LE(at)
    const length = bytes.readUInt16LE(at + 2)
    if (at + 4 + length > bytes.length) fail('a truncated extra field')
    if (extras.has(id)) fail('an extra field twice')
    extras.set(id, bytes.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return extras
}

function readDosTime(date: number, time: number): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${1980 + (date >> 9)}-${two((date >> 5) & 15)}-${two(date & 31)}`
  return `${day} ${two(time >> 11)}:${two((time >> 5) & 63)}:${two((time & 31) * 2)}`
}

function readTimestamp(extras: Map<number, Buffer>): number | null {
  const data = extras.get(0x5455)
  if (data === undefined) return null
  if ((data.readUInt8(0) & 1) === 0) fail('a timestamp without modification time')
  return data.readInt32LE(1)
}

function findDirectory(size: number, read: ReadBytes) {
  const end = read(size - 22, size)
  if (end.readUInt32LE(0) !== 0x06054b50 || end.readUInt16LE(20) !== 0) fail('no end record')
  const [count, length, offset] = [
    end.readUInt16LE(10),
    end.readUInt32LE(12),
    end.readUInt32LE(16),
  ] as const
  same('counts', end.readUInt16LE(8), count)
  const locatorOffset = size - 22 - 20
  const locator = locatorOffset >= 0 ? read(locatorOffset, locatorOffset + 20) : Buffer.alloc(20)
  if (locator.readUInt32LE(0) !== 0x07064b50) {
    const isCut = count === 0xffff || length === 0xffffffff || offset === 0xffffffff
    return isCut
      ? fail('no ZIP64 locator')
      : { count, length, offset, end: size - 22, hasZip64End: false }
  }
  const start = big(locator, 8)
  same('disks', locator.readUInt32LE(16), 1)
  const record = read(start, start + 56)
  same('signatures', record.readUInt32LE(0), 0x06064b50)
  same('sizes of the ZIP64 record', big(record, 4), locatorOffset - start - 12)
  const widen = (value: number, sentinel: number, at: number): number => {
    if (value !== sentinel) same('end records', value, big(record, at))
    return big(record, at)
  }
  return {
    count: widen(count, 0xffff, 32),
    length: widen(length, 0xffffffff, 40),
    offset: widen(offset, 0xffffffff, 48),
    end: start,
    hasZip64End: true,
  }
}

function readCentral(bytes: Buffer, at: number): { entry: ReadEntry; end: number; flags: number } {
  if (bytes.readUInt32LE(at) !== 0x02014b50) fail('no central header')
  const nameEnd = at + 46 + bytes.readUInt16LE(at + 28)
  const extraEnd = nameEnd + bytes.readUInt16LE(at + 30)
  const extras = readExtras(bytes.subarray(nameEnd, extraEnd))
  const zip64 = extras.get(1) ?? Buffer.alloc(0)
  let used = 0
  const widen = (value: number): number => {
    if (value !== 0xffffffff) return value
    used += 8
    return big(zip64, used - 8)
  }
  const size = widen(bytes.readUInt32LE(at + 24))
  const compressedSize = widen(bytes.readUInt32LE(at + 20))
  const offset = widen(bytes.readUInt32LE(at + 42))
  if (used !== zip64.length) fail('a ZIP64 extra field that holds more than what overflows')
  const method = bytes.readUInt16LE(at + 10)
  if (method !== 0 && method !== 8) fail('an unknown method')
  if (method === 0) same('sizes', compressedSize, size)
  const entry = {
    name: bytes.toString('utf8', at + 46, nameEnd),
    size,
    packedSize: compressedSize,
    descriptorLength: 0,
    crc: bytes.readUInt32LE(at + 16),
    offset,
    contentOffset: 0,
    modifiedAt: readTimestamp(extras),
    localModifiedAt: null,
    dosTime: readDosTime(bytes.readUInt16LE(at + 14), bytes.readUInt16LE(at + 12)),
    method,
    mode: bytes.readUInt32LE(at + 38) >>> 16,
    versions: { local: 0, central: bytes.readUInt16LE(at + 6) },
    zip64: { local: 0, central: zip64.length },
  }
  const end = extraEnd + bytes.readUInt16LE(at + 32)
  return { entry, end, flags: bytes.readUInt16LE(at + 8) }
}

/** Reads the local header and compares it with the central one. */
function checkLocal(entry: ReadEntry, flags: number, read: ReadBytes): void {
  const head = read(entry.offset, entry.offset + 30)
  if (head.readUInt32LE(0) !== 0x04034b50) fail(`no local header of ${entry.name}`)
  const nameLength = head.readUInt16LE(26)
  const rest = read(entry.offset + 30, entry.offset + 30 + nameLength + head.readUInt16LE(28))
  same('names', rest.toString('utf8', 0, nameLength), entry.name)
  same('flags', head.readUInt16LE(6), flags)
  same('methods', head.readUInt16LE(8), entry.method)
  const isBehind = (flags & 8) !== 0
  const told = isBehind ? { crc: 0, size: 0, packedSize: 0 } : entry
  same('CRCs', head.readUInt32LE(14), told.crc)
  same('times', readDosTime(head.readUInt16LE(12), head.readUInt16LE(10)), entry.dosTime)
  const extras = readExtras(rest.subarray(nameLength))
  const zip64 = extras.get(1)
  const [packedSize, size] = [head.readUInt32LE(18), head.readUInt32LE(22)]
  if (zip64 !== undefined && (size !== 0xffffffff || packedSize !== 0xffffffff)) {
    fail('an unneeded ZIP64 extra field')
  }
  same('sizes', size === 0xffffffff ? big(zip64 ?? fail('no size'), 0) : size, told.size)
  same('packed sizes', packedSize === 0xffffffff ? big(zip64!, 8) : packedSize, told.packedSize)
  entry.localModifiedAt = readTimestamp(extras)
  entry.versions.local = head.readUInt16LE(4)
  entry.zip64.local = zip64?.length ?? 0
  entry.contentOffset = entry.offset + 30 + rest.length
  if (isBehind) checkDescriptor(entry, read)
}

/** 4.3.9: sizes of eight bytes where the local header has a ZIP64 extra field. */
function checkDescriptor(entry: ReadEntry, read: ReadBytes): void {
  const isLong = entry.zip64.local > 0
  entry.descriptorLength = isLong ? 24 : 16
  const start = entry.contentOffset + entry.packedSize
  const bytes = read(start, start + entry.descriptorLength)
  same('signatures', bytes.readUInt32LE(0), 0x08074b50)
  same('CRCs', bytes.readUInt32LE(4), entry.crc)
  same('packed sizes', isLong ? big(bytes, 8) : bytes.readUInt32LE(8), entry.packedSize)
  same('sizes', isLong ? big(bytes, 16) : bytes.readUInt32LE(12), entry.size)
}

/** Reads an archive as a careful tool would: from its end, then each entry in both places. */
export function readArchive(size: number, read: ReadBytes): ReadArchive {
  const directory = findDirectory(size, read)
  const { count, length, offset, hasZip64End } = directory
  if (offset + length !== directory.end) fail('bytes between the directory and its end')
  const bytes = read(offset, offset + length)
  const entries: ReadEntry[] = []
  let at = 0
  let contentEnd = 0
  for (let index = 0; index < count; index++) {
    const { entry, end, flags } = readCentral(bytes, at)
    if (entry.offset !== contentEnd) fail('bytes between two entries')
    checkLocal(entry, flags, read)
    const isPlainAscii = /^[\u0020-\u007e]*$/.test(entry.name)
    if (!isPlainAscii && (flags & 0x0800) === 0) fail('a name that is not marked as UTF-8')
    contentEnd = entry.contentOffset + entry.packedSize + entry.descriptorLength
    entries.push(entry)
    at = end
  }
  if (at !== bytes.length || contentEnd !== offset) fail('bytes left over')
  return { entries, hasZip64End }
}

/** Reads an archive that is in memory. */
export function readWhole(archive: Buffer): ReadArchive {
  return readArchive(archive.length, (start, end) => archive.subarray(start, end))
}
