// Small files for one archive: which ones, their bytes, and how much of each was sent. Archives are
// tar (POSIX.1-2024, pax, "ustar Interchange Format").
import type { Clock } from '../lib/clock.ts'
import type { Part, QueuedFile } from './queue.ts'
import { readPart } from './reading.ts'

/** Larger files gain nothing: sending them takes longer than the request that is saved. */
const fileBytesMax = 256 * 1024
const tarBytesMax = 8 * 1024 * 1024
const filesMin = 3
const filesMax = 2000
/** Files read at once: browsers have a pipe for each. */
const readersMax = 32

/**
 * The files that go with the first one, in their order; none when they are too few.
 * @param bytesMax size of the archive
 */
export function companionsOf(first: QueuedFile, ahead: Iterable<QueuedFile>, bytesMax: number) {
  let bytes = tarEndBytes + entryBytes(entryFor(first))
  const found: QueuedFile[] = []
  for (const file of mayJoin(first) ? ahead : []) {
    if (file === first || !mayJoin(file) || !file.isUntouched) continue
    bytes += entryBytes(entryFor(file))
    if (bytes > Math.min(bytesMax, tarBytesMax) || found.length + 1 === filesMax) break
    found.push(file)
  }
  return found.length + 1 < filesMin ? [] : found
}

function entryFor({ key, path, size, lastModified }: QueuedFile): Entry {
  return { id: key ?? '', name: path, size, lastModified }
}

function mayJoin({ size, isAlone }: QueuedFile): boolean {
  return size < fileBytesMax && !isAlone
}

/**
 * Reads the files before anything is sent: one that has changed or vanished fails alone, and cannot
 * shift the bytes of those behind it. Stops at a file that takes too long, which then goes alone.
 * @returns an archive of the files that were read, and those that cannot be read
 */
export async function readParts(parts: readonly Part[], clock: Clock, isWanted: () => boolean) {
  const contents = new Map<Part, ArrayBuffer>()
  const lost: Part[] = []
  const left = parts.values()
  let isLate = false
  const reader = async () => {
    for (const part of left) {
      const content = await readPart(part, clock)
      if (content === 'lost') lost.push(part)
      else if (content !== 'late') contents.set(part, content)
      else isLate = part.file.isAlone = true
      if (isLate || !isWanted()) return
    }
  }
  await Promise.all(Array.from({ length: readersMax }, reader))
  const read = parts.filter((part) => contents.has(part) && part.file.key === part.key)
  return { tar: new Tar(read, contents), lost }
}

/** An archive in memory. */
export class Tar {
  readonly parts: readonly Part[]
  readonly blob: Blob
  /** The file that is being sent, and where its entry begins. */
  #current = 0
  #start = 0

  constructor(parts: readonly Part[], contents: ReadonlyMap<Part, ArrayBuffer>) {
    this.parts = parts
    const entries = parts.flatMap((part) => entryOf(entryFor(part.file), contents.get(part)!))
    this.blob = new Blob([...entries, zeros(tarEndBytes)])
  }

  /**
   * Attributes sent bytes to the files in their order.
   * @param bytesSent of the archive; never falls
   * @param moved called with each file that these bytes reach
   */
  progress(bytesSent: number, moved: (part: Part, bytes: number) => void): void {
    while (this.#current < this.parts.length) {
      const part = this.parts[this.#current]!
      const { size } = part.file
      const entry = entryFor(part.file)
      const contentStart = this.#start + headBytes(entry)
      if (bytesSent < contentStart) return
      moved(part, Math.min(size, bytesSent - contentStart))
      if (bytesSent < contentStart + size) return
      this.#start += entryBytes(entry)
      this.#current += 1
    }
  }
}

const blockBytes = 512
/** An archive ends with two blocks of zeros. */
const tarEndBytes = 2 * blockBytes

/** A file in an archive: its id, of at most 100 bytes, is the path of its entry. */
interface Entry {
  readonly id: string
  readonly name: string
  readonly size: number
  /** In ms since 1970. */
  readonly lastModified: number
}

/** Bytes of a file in an archive, with its headers. */
function entryBytes(entry: Entry): number {
  return headBytes(entry) + entry.size + paddingOf(entry.size)
}

/** Bytes before its content. */
function headBytes({ name }: Entry): number {
  const { length } = nameRecord(name)
  return 2 * blockBytes + length + paddingOf(length)
}

/** The pieces of an entry, in order. */
function entryOf(entry: Entry, content: ArrayBuffer): Uint8Array<ArrayBuffer>[] {
  const record = nameRecord(entry.name)
  return [
    headerOf({ ...entry, size: record.length }, 'x'),
    record,
    zeros(paddingOf(record.length)),
    headerOf(entry, '0'),
    new Uint8Array(content),
    zeros(paddingOf(entry.size)),
  ]
}

/** The record of an extended header; its length counts its own digits. */
function nameRecord(name: string): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder()
  const rest = ` TRANSFER.name=${name}\n`
  const bytes = encoder.encode(rest).length
  let length = bytes
  while (length < bytes + String(length).length) length += 1
  return encoder.encode(length + rest)
}

/**
 * The type is `x` for an extended header, `0` for a file.
 *
 *     name 100 | mode 8 | uid 8 | gid 8 | size 12 | mtime 12 | sum 8 | type 1 | … | "ustar\0" "00"
 *
 * Numbers are octal. Readers expect UTF-8 in names, although POSIX defines only ASCII there.
 */
function headerOf({ id, size, lastModified }: Omit<Entry, 'name'>, type: 'x' | '0') {
  const header = zeros(blockBytes)
  const put = (at: number, text: string) => header.set(new TextEncoder().encode(text), at)
  put(0, id)
  put(100, '0000644\0' + '0000000\0'.repeat(2))
  // Clocks may be wrong, and the field has 33 bits.
  const seconds = Math.min(Math.max(0, Math.floor(lastModified / 1000)), 8 ** 11 - 1)
  put(124, `${octal(size, 11)} ${octal(seconds, 11)} `)
  put(148, ' '.repeat(8) + type)
  put(257, 'ustar\0' + '00')
  const sum = header.reduce((total, byte) => total + byte, 0)
  put(148, `${octal(sum, 6)}\0`)
  return header
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}

function paddingOf(size: number): number {
  return -size & (blockBytes - 1)
}

function zeros(bytes: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}
