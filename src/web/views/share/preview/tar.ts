import { boundsOf, require, type ArchiveEntry, type ReadBytes } from './zip.ts'

const blockBytes = 512
/** Read at once: the headers of small files are close together. */
const windowBytes = 65_536
const readsMax = 200
const entriesMax = 10_000

/**
 * The files in a tar archive, from its headers (POSIX.1-2024, pax, and long names of GNU tar).
 * @throws any error when the archive is damaged, or would take too many reads
 */
export async function listTar(size: number, read: ReadBytes): Promise<ArchiveEntry[]> {
  require(size > 0)
  const isWithinBounds = boundsOf()
  const entries: ArchiveEntry[] = []
  let at = 0
  let [start, data, reads] = [0, new Uint8Array(), 0]
  const take = async (bytes: number) => {
    if (at + bytes > start + data.length) {
      require((reads += 1) <= readsMax && at + bytes <= size && bytes <= windowBytes)
      start = at
      data = new Uint8Array(await read(at, Math.min(size, at + windowBytes)))
    }
    return data.subarray(at - start, at - start + bytes)
  }
  /** Of the next entry, from headers before it. */
  let given: { path?: string; size?: number } = {}
  while (at + blockBytes <= size) {
    const header = await take(blockBytes)
    // It ends with blocks of zeros.
    if (header.every((byte) => byte === 0)) break
    require(sumOf(header) === number(header, 148, 8))
    const type = String.fromCharCode(header[156]!)
    const bytes = given.size ?? number(header, 124, 12)
    at += blockBytes
    if (type === 'x' || type === 'L') {
      const value = text(await take(bytes))
      given = type === 'L' ? { ...given, path: value } : { ...given, ...readPax(value) }
    } else {
      const prefix =
        text(header.subarray(257, 262)) === 'ustar' ? text(header.subarray(345, 500)) : ''
      const path = given.path ?? (prefix && `${prefix}/`) + text(header.subarray(0, 100))
      const names = path.split('/').filter((name) => name && name !== '.')
      require(entries.length < entriesMax && isWithinBounds(path.length, names))
      const isFile = '0\0'.includes(type) && names.length > 0
      if (isFile) {
        entries.push({ id: entries.length, path: names.join('/'), size: bytes, isEncrypted: false })
      }
      given = {}
    }
    at += Math.ceil(bytes / blockBytes) * blockBytes
  }
  return entries
}

/** `27 path=photos/harbour.jpg\n`, again and again. */
function readPax(records: string): { path?: string; size?: number } {
  const value = (name: string) => new RegExp(`(?:^|\\n)\\d+ ${name}=(.*)\\n`).exec(records)?.[1]
  const [path, size] = [value('path'), value('size')]
  return { ...(path && { path }), ...(size && { size: Number(size) }) }
}

function text(field: Uint8Array): string {
  const end = field.indexOf(0)
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end))
}

/** Octal; with its first bit set, a binary number of GNU tar. */
function number(header: Uint8Array, at: number, bytes: number): number {
  const field = header.subarray(at, at + bytes)
  const value =
    field[0]! & 128
      ? field.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0)
      : parseInt(text(field).trim() || '0', 8)
  require(Number.isSafeInteger(value))
  return value
}

/** With blanks in the place of the sum itself. */
const sumOf = (header: Uint8Array) =>
  header.reduce((sum, byte, place) => sum + (place >= 148 && place < 156 ? 32 : byte), 0)
