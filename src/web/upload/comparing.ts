// Compares files with bytes that were sent before, or with each other. Programs may change a file
// and keep its size and time, and a continued upload would join two versions of it.
import { within, type Clock } from '../lib/clock.ts'
import type { QueuedFile } from './queue.ts'
import type { FileSource } from './types.ts'

export type Comparison = 'same' | 'different' | 'unreadable'

export interface Reader {
  readonly clock: Clock
  /** Whether the content does not matter any more. */
  readonly isOver?: boolean | undefined
}

const gibibyte = 1024 ** 3
/** Read and summed at once: the page responds in between. */
const pieceBytes = 1024 * 1024
/** Bytes at the start of a chunk that tell whether the file still is the same. */
const probeBytes = 4096
const probesMax = 1000
const runningMax = 4

/**
 * Compares a file with its received chunks: by the checksums of the service's list, else by what
 * this page has read.
 */
export async function compareReceived(file: QueuedFile, reader: Reader): Promise<Comparison> {
  const { samples, probes, chunkBytes } = file
  if (samples.size === 0) return probes.size > 0 ? compareProbes(file, reader) : 'different'
  const found = await compare(file, samples, chunkBytes, reader)
  if (found === 'same') for (const index of samples.keys()) await probe(file, index, reader)
  return found
}

/** Compares a file with what it was when its chunks were read. */
export function compareProbes(file: QueuedFile, reader: Reader): Promise<Comparison> {
  return compare(file, file.probes, probeBytes, reader)
}

/** Notes what a chunk begins with when it is read. In a long file one of several is enough. */
export async function probe(file: QueuedFile, index: number, reader: Reader): Promise<void> {
  const { chunks, key, probes } = file
  if (chunks === 1 || index % Math.ceil(chunks / probesMax) !== 0) return
  const crc = await crcOfChunk(file, index, probeBytes, reader)
  if (crc !== null && file.key === key) probes.set(index, crc)
}

async function compare(
  file: QueuedFile,
  sums: ReadonlyMap<number, number>,
  bytesMax: number,
  reader: Reader,
): Promise<Comparison> {
  for (const [index, sum] of sums) {
    const crc = await crcOfChunk(file, index, bytesMax, reader)
    if (crc !== sum) return crc === null ? 'unreadable' : 'different'
  }
  return 'same'
}

function crcOfChunk(
  { source, size, chunkBytes }: QueuedFile,
  index: number,
  bytesMax: number,
  reader: Reader,
) {
  const start = index * chunkBytes
  return crcOf(source!, start, Math.min(size, start + chunkBytes, start + bytesMax), reader)
}

/**
 * Compares two files of one size, by their ends and the begin of each GiB.
 * @returns 'unreadable' if the first one cannot be read any more
 */
export async function compareFiles(one: FileSource, other: FileSource, reader: Reader) {
  const { size } = one
  for (let start = 0; start < size; start += gibibyte) {
    for (const at of [start, Math.max(start, Math.min(size, start + gibibyte) - probeBytes)]) {
      const end = Math.min(size, at + probeBytes)
      const crc = await crcOf(one, at, end, reader)
      if (crc === null) return 'unreadable'
      if (crc !== (await crcOf(other, at, end, reader))) return 'different'
    }
  }
  return 'same'
}

/**
 * CRC-32 as in ZIP files (ISO 3309) of the bytes from `start` to `end` (exclusive).
 * @returns null if they cannot be read, or not in time
 */
async function crcOf(source: FileSource, start: number, end: number, reader: Reader) {
  let crc = -1
  for (let at = start; at < end; at += pieceBytes) {
    const bytes = Math.min(pieceBytes, end - at)
    const read = async () => new Uint8Array(await source.slice(at, at + bytes).arrayBuffer())
    if (reader.isOver) return null
    const piece = await within(
      reader.clock,
      read().catch(() => null),
    )
    if (piece?.length !== bytes) return null
    // Four times as fast as an iterator.
    for (let place = 0; place < bytes; place++) {
      crc = table[(crc ^ piece[place]!) & 255]! ^ (crc >>> 8)
    }
  }
  return ~crc >>> 0
}

const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})

/** Comparisons in order, a few at once. */
export class Comparisons {
  readonly #waiting: (() => Promise<void>)[] = []
  readonly #ended: () => void
  #running = 0

  /** @param ended called after each comparison */
  constructor(ended: () => void) {
    this.#ended = ended
  }

  get isBusy(): boolean {
    return this.#running > 0
  }

  /** @param work never rejects */
  add(work: () => Promise<void>): void {
    this.#waiting.push(work)
    if (this.#running < runningMax) void this.#run()
  }

  async #run(): Promise<void> {
    this.#running += 1
    while (this.#waiting.length > 0) {
      await this.#waiting.shift()!()
      this.#ended()
    }
    this.#running -= 1
    this.#ended()
  }
}
