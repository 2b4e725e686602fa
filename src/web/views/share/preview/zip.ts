import type { Leaf } from '../../../lib/tree.ts'

export interface ArchiveEntry extends Leaf {
  readonly isEncrypted: boolean
}

/** Bytes from `start` up to, and not including, `end`. */
export type ReadBytes = (start: number, end: number) => Promise<ArrayBuffer>

/** The longest comment after the directory, and the records before it (APPNOTE 4.3.14 to 16). */
const tailBytes = 66_000
const directoryBytesMax = 4_000_000
const entriesMax = 10_000
/** Deeper paths, and longer ones, only exist to make their tree expensive. */
const depthMax = 100
const nameBytesMax = 4096
/** Parts of all paths: each can be a folder. */
const partsMax = 100_000
const unset = 0xffffffff

/**
 * The files in a ZIP archive, from its central directory alone.
 * @throws any error when the archive is damaged, or too large to be listed
 */
export async function listZip(size: number, read: ReadBytes): Promise<ArchiveEntry[]> {
  // Empty ranges cannot be asked for.
  require(size > 0)
  const tailStart = Math.max(0, size - tailBytes)
  const tail = await read(tailStart, size)
  const view = new DataView(tail)
  let end = view.byteLength - 22
  while (view.getUint32(end, true) !== 0x06054b50) end -= 1
  let bytes = view.getUint32(end + 12, true)
  if (end >= 20 && view.getUint32(end - 20, true) === 0x07064b50) {
    end = long(view, end - 12) - tailStart
    require(view.getUint32(end, true) === 0x06064b50)
    bytes = long(view, end + 40)
  }
  // Counted from its end: bytes before an archive, of a program that unpacks it, shift all offsets.
  const start = tailStart + end - bytes
  require(bytes <= directoryBytesMax && start >= 0)
  const isInTail = start >= tailStart
  return entriesOf(
    isInTail ? tail.slice(start - tailStart, end) : await read(start, tailStart + end),
  )
}

/** The entries of a central directory (APPNOTE 4.3.12), without its folders. */
function entriesOf(directory: ArrayBuffer): ArchiveEntry[] {
  const view = new DataView(directory)
  const entries: ArchiveEntry[] = []
  let parts = 0
  for (let at = 0, id = 0; at < view.byteLength; id += 1) {
    require(view.getUint32(at, true) === 0x02014b50 && id < entriesMax)
    const nameEnd = at + 46 + view.getUint16(at + 28, true)
    const extraEnd = nameEnd + view.getUint16(at + 30, true)
    const path = decode(new Uint8Array(directory.slice(at + 46, nameEnd)))
    const size = view.getUint32(at + 24, true)
    const names = path.split(/[\\/]+/).filter((name) => name && name !== '.')
    require(nameEnd - at - 46 <= nameBytesMax && names.length <= depthMax)
    parts += names.length
    require(parts <= partsMax)
    if (/[^\\/]$/.test(path)) {
      entries.push({
        id,
        path: names.join('/'),
        size: size === unset ? longSize(view, nameEnd, extraEnd) : size,
        isEncrypted: (view.getUint16(at + 8, true) & 1) > 0,
      })
    }
    at = extraEnd + view.getUint16(at + 32, true)
  }
  return entries
}

/** The size in the extra field of ZIP64 (APPNOTE 4.5.3). */
function longSize(view: DataView, start: number, end: number): number {
  for (let at = start; at < end; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) === 1) return long(view, at + 4)
  }
  return unset
}

const long = (view: DataView, at: number) =>
  view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32

function require(isTrue: boolean): void {
  if (!isTrue) throw new RangeError()
}

/** The letters of code page 437, from 128. Old programs write names in it. */
const letters437 = 'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑ'

/** Names in UTF-8 often lack the flag that says so, so their bytes decide. */
function decode(name: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(name)
  } catch {
    return Array.from(name, letter).join('')
  }
}

function letter(code: number): string {
  if (code < 128) return String.fromCharCode(code)
  return code === 225 ? 'ß' : (letters437[code - 128] ?? '\ufffd')
}
