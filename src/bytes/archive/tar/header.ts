import { isUtf8 } from 'node:buffer'
import { TarProblem } from './problem.ts'

export const blockBytes = 512
export const tarContentType = 'application/x-tar'

/**
 * Fields of a header block, as [start, end). The prefix only counts with the magic of POSIX: GNU
 * keeps times there, and archives of Version 7 anything.
 */
const name = [0, 100] as const
const mode = [100, 108] as const
const userId = [108, 116] as const
const groupId = [116, 124] as const
const size = [124, 136] as const
const modificationTime = [136, 148] as const
const checksum = [148, 156] as const
const linkTarget = [157, 257] as const
const typeAt = 156
const posixMagic = [257, 263] as const
const version = [263, 265] as const
const prefix = [345, 500] as const

const posix = 'ustar\0'
const [space, slash] = [0x20, 0x2f]
/** The largest number in a field for sizes and times: eleven octal digits. */
export const octalMax = 8 ** 11 - 1
const [readableByAll, openToAll] = [0o644, 0o755]
/** The years 1 to 9999: the database cannot read others as JavaScript writes them. */
const [dateMsMin, dateMsMax] = [Date.parse('0001-01-01'), Date.parse('9999-12-31T23:59:59.999Z')]

/** A header's sum counts its own field as eight spaces; old archives add up signed bytes. */
export function blockKind(block: Buffer): 'zeros' | 'header' | 'damaged' {
  let sum = 0
  for (let at = 0; at < blockBytes; at++) sum += block[at]!
  if (sum === 0) return 'zeros'
  const stated = readNumber(block, checksum)
  for (let at = checksum[0]; at < checksum[1]; at++) sum += space - block[at]!
  if (sum === stated || signedSum(block) === stated) return 'header'
  return 'damaged'
}

function signedSum(block: Buffer): number {
  let sum = 0
  for (let at = 0; at < blockBytes; at++) {
    sum += at >= checksum[0] && at < checksum[1] ? space : block.readInt8(at)
  }
  return sum
}

/** The type flag; `0` for the NUL of old archives. */
export function readType(block: Buffer): string {
  const type = block[typeAt]!
  return type === 0 ? '0' : String.fromCharCode(type)
}

/** @throws TarProblem unless it is a whole number that JavaScript can count to */
export function readSize(block: Buffer): number {
  const bytes = readNumber(block, size)
  if (Number.isNaN(bytes)) throw new TarProblem('its size is not an octal number.')
  return checkSize(bytes)
}

export function checkSize(bytes: number): number {
  if (bytes < 0) throw new TarProblem('its size is negative.')
  if (bytes > Number.MAX_SAFE_INTEGER) throw new TarProblem('its size is too large.')
  return bytes
}

/** A number of twelve bytes, NaN when there is none. */
export function readNumberAt(block: Buffer, start: number): number {
  return readNumber(block, [start, start + 12])
}

/** The same for a size. @throws TarProblem */
export function readSizeAt(block: Buffer, start: number): number {
  const bytes = readNumberAt(block, start)
  if (Number.isNaN(bytes)) throw new TarProblem('its map of holes is malformed.')
  return checkSize(bytes)
}

export function readLinkTarget(block: Buffer): string {
  return readText(block, linkTarget)
}

/** Null for a time that is missing or cannot be stored: a file is worth having without it. */
export function readTime(block: Buffer): Date | null {
  return dateOf(readNumber(block, modificationTime) * 1000)
}

export function dateOf(ms: number): Date | null {
  return ms >= dateMsMin && ms <= dateMsMax ? new Date(ms) : null
}

export function readPath(block: Buffer): string {
  const path = readText(block, name)
  const isPosix = block.toString('latin1', ...posixMagic) === posix
  if (block[prefix[0]] === 0 || !isPosix) return path
  return `${readText(block, prefix)}/${path}`
}

/**
 * An octal number between spaces, ended by a space, a NUL or the end of its field. With the highest
 * bit set: base-256, the extension of GNU, two's complement in the bits after it.
 * @returns NaN for anything else
 */
function readNumber(block: Buffer, [start, end]: readonly [number, number]): number {
  if (block[start]! >= 0x80) return readBinary(block, start, end)
  let at = start
  while (at < end && block[at] === space) at++
  let value = NaN
  for (; at < end; at++) {
    const digit = block[at]! - 0x30
    if (digit >= 0 && digit < 8) value = (Number.isNaN(value) ? 0 : value * 8) + digit
    else return block[at] === 0 || block[at] === space ? value : NaN
  }
  return value
}

/** Rounded where it is too large to be exact. */
function readBinary(block: Buffer, start: number, end: number): number {
  const isNegative = (block[start]! & 0x40) !== 0
  let value = (block[start]! & 0x3f) - (isNegative ? 0x40 : 0)
  for (let at = start + 1; at < end; at++) value = value * 256 + block[at]!
  return value
}

/** Text up to the first NUL. */
export function readText(data: Buffer, [start, end]: readonly [number, number]): string {
  let stop = start
  let bits = 0
  for (; stop < end && data[stop] !== 0; stop++) bits |= data[stop]!
  if (bits < 0x80) return data.toString('latin1', start, stop)
  return decodeName(data.subarray(start, stop))
}

/** Headers do not name their character set: any bytes are Latin-1, few of them UTF-8 by chance. */
export function decodeName(data: Buffer): string {
  return data.toString(isUtf8(data) ? 'utf8' : 'latin1')
}

/**
 * A relative path without empty segments and `.`: empty for the folder that was packed.
 * @throws TarProblem for a segment `..`
 */
export function cleanPath(given: string): string {
  // True for most paths, and much faster than splitting them.
  if (!/(?:^|\/)\.{0,2}(?:\/|$)/.test(given)) return given
  const segments = given.split('/').filter((segment) => segment !== '' && segment !== '.')
  if (segments.includes('..')) {
    throw new TarProblem('its path contains "..". Pack it from a parent folder.')
  }
  // A copy: a slice would keep all of a long path in memory.
  return Buffer.from(segments.join('/')).toString()
}

export function paddedSize(size: number): number {
  return Math.ceil(size / blockBytes) * blockBytes
}

/**
 * Where the name of a path begins, behind its prefix if it needs one. The slash between them is not
 * stored.
 * @returns null when the path fits into no header
 */
export function splitPath(path: Buffer): number | null {
  if (path.length <= fieldBytes(name)) return 0
  // A folder's path ends with a slash, but no name is empty.
  const slashAt = path
    .subarray(0, -1)
    .subarray(0, fieldBytes(prefix) + 1)
    .lastIndexOf(slash)
  return slashAt > 0 && path.length - slashAt - 1 <= fieldBytes(name) ? slashAt + 1 : null
}

/** `x` describes the next entry; the others are a file and a folder. */
type WrittenType = 'x' | '0' | '5'

/** Headers without what differs between entries of a type. */
const templates: Readonly<Record<WrittenType, Buffer>> = {
  x: makeTemplate('x', readableByAll),
  '0': makeTemplate('0', readableByAll),
  '5': makeTemplate('5', openToAll),
}

function makeTemplate(type: WrittenType, permissions: number): Buffer {
  const block = Buffer.alloc(blockBytes)
  writeOctal(block, mode, permissions)
  writeOctal(block, userId, 0)
  writeOctal(block, groupId, 0)
  block.fill(space, ...checksum)
  block.write(type, typeAt, 'latin1')
  block.write(posix, posixMagic[0], 'latin1')
  block.write('00', version[0], 'latin1')
  return block
}

/**
 * Writes a header of POSIX without names of users and groups.
 * @param path its last bytes in one segment, if it fits into no header
 * @param values `mode` only where others may not read the entry
 */
export function writeHeader(
  block: Buffer,
  type: WrittenType,
  path: Buffer,
  values: { readonly size: number; readonly modifiedAt: number; readonly mode?: number },
): void {
  templates[type].copy(block)
  if (values.mode !== undefined) writeOctal(block, mode, values.mode)
  writePath(block, path)
  writeSize(block, values.size)
  writeOctal(block, modificationTime, Math.min(Math.max(values.modifiedAt, 0), octalMax))
  let sum = 0
  for (let at = 0; at < blockBytes; at++) sum += block[at]!
  // Six digits, a NUL and the space that stands there already.
  writeOctal(block, [checksum[0], checksum[1] - 1], sum)
  block[checksum[1] - 2] = 0
}

function writePath(block: Buffer, path: Buffer): void {
  const nameStart = splitPath(path)
  if (nameStart === null) {
    writeEndOfPath(block, path)
    return
  }
  path.copy(block, name[0], nameStart)
  if (nameStart > 0) path.copy(block, prefix[0], 0, nameStart - 1)
}

/** For readers without extended headers: it must not lead out of the target folder either. */
function writeEndOfPath(block: Buffer, path: Buffer): void {
  let start = path.length - fieldBytes(name)
  // Not within a character of UTF-8.
  while ((path[start]! & 0xc0) === 0x80) start++
  path.copy(block, name[0], start)
  for (let at = name[0]; at < name[1]; at++) if (block[at] === slash) block[at] = 0x5f
}

function writeOctal(block: Buffer, [start, end]: readonly [number, number], value: number): void {
  block.write(value.toString(8).padStart(end - start - 1, '0'), start, 'latin1')
}

/** Base-256 where octal digits do not suffice: then most readers need no extended header. */
function writeSize(block: Buffer, bytes: number): void {
  if (bytes <= octalMax) {
    writeOctal(block, size, bytes)
    return
  }
  block[size[0]] = 0x80
  block.writeBigUInt64BE(BigInt(bytes), size[1] - 8)
}

function fieldBytes([start, end]: readonly [number, number]): number {
  return end - start
}
