// Small files for one archive: which ones, their bytes, and how much of each was sent.
import type { Clock } from '../lib/clock.ts'
import type { Part, QueuedFile } from './queue.ts'
import { readPart } from './reading.ts'
import { entryBytes, entryOf, headBytes, tarEnd, tarEndBytes, type Entry } from './tar.ts'

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
export function companionsOf(
  first: QueuedFile,
  ahead: Iterable<QueuedFile>,
  bytesMax: number,
): readonly QueuedFile[] {
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
export async function readParts(
  parts: readonly Part[],
  clock: Clock,
  isWanted: () => boolean,
): Promise<{ readonly tar: Tar; readonly lost: readonly Part[] }> {
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
    this.blob = new Blob([...entries, tarEnd()])
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
