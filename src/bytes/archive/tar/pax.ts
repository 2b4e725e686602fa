import { isUtf8 } from 'node:buffer'
import { checkSize, dateOf, decodeName, readLinkTarget, readPath, readTime } from './header.ts'
import { TarProblem } from './problem.ts'
import { addSparseRecord, type SparseRecords } from './sparse.ts'
import type { SkipReason } from './sink.ts'

const [newline, space, equals] = [0x0a, 0x20, 0x3d]
const binary = 'BINARY'
const utf8 = 'ISO-IR 10646 2000 UTF-8'
/** A file's name apart from its path, which is its id; in the form of vendors' keywords. */
const nameKeyword = 'TRANSFER.name'
const sparsePrefix = 'GNU.sparse.'

/** What extended headers say in place of a header's fields; undefined where they say nothing. */
export interface PaxValues {
  path?: string | undefined
  name?: string | undefined
  size?: number | undefined
  modifiedAt?: Date | null | undefined
  /** Character set of the path, as in `hdrcharset`. */
  charset?: string | undefined
  linkTarget?: string | undefined
  sparse?: SparseRecords
}

/**
 * Adds the records of an extended header, `"%d %s=%s\n", <length>, <keyword>, <value>`
 * (POSIX.1-2024, pax, "pax Extended Header"), to the values; the last record of a keyword counts.
 * @param data an empty value in a global header clears the former one
 * @param global values to fall back on; null when this is a global header
 * @throws TarProblem for a malformed record, a path in another character set, a bad size
 */
export function addRecords(values: PaxValues, data: Buffer, global: PaxValues | null): void {
  let path: Buffer | null = null
  let isReal = false
  let linkTarget: Buffer | null = null
  for (let start = 0; start < data.length;) {
    const keyStart = afterLength(data, start)
    const end = start + lengthOf(data, start, keyStart - 1)
    const valueStart = data.indexOf(equals, keyStart) + 1
    // The shortest record has a keyword of one character: valueStart is 0 without "=".
    if (end > data.length || valueStart < keyStart + 2 || valueStart >= end) throw malformed()
    if (data[end - 1] !== newline) throw malformed()
    const keyword = data.toString('latin1', keyStart, valueStart - 1)
    const value = data.subarray(valueStart, end - 1)
    // Beside the real name, GNU tar writes a path for readers that do not know holes.
    if (keyword === 'path' && !isReal) path = value
    if (keyword === 'GNU.sparse.name') [path, isReal] = [value, true]
    if (keyword === 'linkpath') linkTarget = value
    addValue(values, keyword, value, global === null)
    start = end
  }
  const charset = values.charset ?? global?.charset ?? utf8
  const isGlobal = global === null
  if (path) values.path = pathOf(path, charset, isGlobal)
  if (linkTarget) values.linkTarget = pathOf(linkTarget, charset, isGlobal)
}

/** Where the keyword starts: a length has few digits, so that this does not search far. */
function afterLength(data: Buffer, start: number): number {
  let at = start
  while (at < data.length && at < start + 10 && data[at] !== space) at++
  if (data[at] !== space) throw malformed()
  return at + 1
}

function lengthOf(data: Buffer, start: number, end: number): number {
  let length = 0
  for (let at = start; at < end; at++) {
    const digit = data[at]! - 0x30
    if (digit < 0 || digit > 9 || (at === start && digit === 0)) throw malformed()
    length = length * 10 + digit
  }
  return length
}

function addValue(values: PaxValues, keyword: string, value: Buffer, isGlobal: boolean): void {
  const isCleared = isGlobal && value.length === 0
  if (keyword === 'size') values.size = isCleared ? undefined : readSize(value)
  else if (keyword === nameKeyword) values.name = pathOf(value, utf8, isGlobal)
  else if (keyword === 'mtime') values.modifiedAt = isCleared ? undefined : timeOf(value)
  else if (keyword === 'hdrcharset') values.charset = value.toString('latin1') || undefined
  else if (keyword.startsWith(sparsePrefix)) {
    if (isGlobal) throw new TarProblem('its extended header describes holes of all files.')
    values.sparse ??= { isMapInData: false, size: null, numbers: [] }
    addSparseRecord(values.sparse, keyword.slice(sparsePrefix.length), value)
  }
}

/** Undefined for the empty value that clears a global one. */
function pathOf(path: Buffer, charset: string, isGlobal: boolean): string | undefined {
  if (isGlobal && path.length === 0) return undefined
  if (path.includes(0)) throw new TarProblem('its path contains a NUL.')
  if (charset === binary) return decodeName(path)
  if (charset !== utf8) throw new TarProblem('the character set of its path is not supported.')
  if (!isUtf8(path)) throw new TarProblem('its path is not UTF-8. Pack it with --format=gnu.')
  return path.toString()
}

function readSize(value: Buffer): number {
  const text = value.toString('latin1')
  if (!/^-?[0-9]+$/.test(text)) throw new TarProblem('its size is not a number.')
  return checkSize(Number(text))
}

/** To the millisecond, without the rounding of a product. */
function timeOf(value: Buffer): Date | null {
  const match = /^(-?)([0-9]+)(?:\.([0-9]*))?$/.exec(value.toString('latin1'))
  if (!match) return null
  const [, sign, seconds, fraction = ''] = match
  const ms = Number(seconds) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
  return dateOf(sign === '-' ? -ms : ms)
}

function malformed(): TarProblem {
  return new TarProblem('its extended header is malformed.')
}

/** The bytes of a record, whose length counts its own digits. */
export function recordLength(keyword: string, value: Buffer): number {
  // Space, equals sign and newline.
  const rest = keyword.length + value.length + 3
  const length = rest + String(rest).length
  return String(length).length > String(rest).length ? length + 1 : length
}

/** Returns its end in `target`. */
export function writeRecord(target: Buffer, start: number, keyword: string, value: Buffer): number {
  const label = `${recordLength(keyword, value)} ${keyword}=`
  let at = start + target.write(label, start, 'latin1')
  at += value.copy(target, at)
  return target.writeUInt8(newline, at)
}

/** Extended headers of one or all entries; long names and targets of links of GNU. */
export const extensionTypes: ReadonlySet<string> = new Set(['x', 'X', 'g', 'L', 'K'])

export const fileTypes: ReadonlySet<string> = new Set(['0', '7', 'S'])

/** The types without content, for which the size field means nothing (see reader.ts). */
export const contentless: Readonly<Record<string, SkipReason>> = {
  '2': 'symbolic link',
  '3': 'device',
  '4': 'device',
  '6': 'FIFO',
}

/** Long names of GNU, null without. */
export interface LongNames {
  path: string | null
  target: string | null
}

/** The entry's own extended headers win over global ones, and those over its header. */
export function valuesOf(
  block: Buffer,
  own: PaxValues | null,
  global: PaxValues,
  long: Readonly<LongNames>,
) {
  const time = own?.modifiedAt === undefined ? global.modifiedAt : own.modifiedAt
  return {
    path: own?.path ?? long.path ?? global.path ?? readPath(block),
    name: own?.name ?? null,
    size: own?.size ?? global.size,
    modifiedAt: time === undefined ? readTime(block) : time,
    linkTarget: own?.linkTarget ?? long.target ?? global.linkTarget ?? readLinkTarget(block),
    sparse: own?.sparse,
  }
}
