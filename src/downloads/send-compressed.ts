import { promisify } from 'node:util'
import { constants, createDeflateRaw, deflateRaw, deflateRawSync, type DeflateRaw } from 'node:zlib'
import type { ByteWriter } from '../http/answer.ts'
import type { Semaphore } from '../lib/semaphore.ts'
import { CompressedDirectory } from '../zip/compressed-directory.ts'
import type { ArchiveEntries, ContentPiece } from './content.ts'
import { Filler } from './filler.ts'
import type { SegmentSource } from './gather.ts'
import { OutputBuffer, type OutputProgress } from './output-buffer.ts'

/** A fifth more bytes than level 6, in less than half of its time. */
const level = constants.Z_BEST_SPEED
/** Up to here an entry is deflated in one go, and its sizes stand where every reader finds them. */
const wholeBytesMax = 64 * 1024
/** Up to here the thread pool costs more than deflating does: 16 µs for 2 kB, not 80. */
const hereBytesMax = 8 * 1024
const inputBytes = 128 * 1024
const outputBytes = 128 * 1024
/** What one transfer holds: input, its deflated bytes, zlib's own state, two output buffers. */
export const compressedMemoryBytes = 1024 * 1024

const deflateInPool = promisify<Buffer, { level: number; chunkSize: number }, Buffer>(deflateRaw)

/** How far a compressed archive has come. */
export interface CompressedProgress extends OutputProgress {
  /** Bytes of the contents of its entries. */
  onRead(bytes: number): void
}

/**
 * Sends an archive, deflating files that shrink. A limit on the archives that deflate at the same
 * time leaves threads of the pool for disk reads.
 * @throws DamagedContent; what reading or writing throws
 */
export async function sendCompressed(
  writer: ByteWriter,
  entries: ArchiveEntries,
  segments: SegmentSource,
  turns: Semaphore,
  progress: CompressedProgress,
): Promise<void> {
  const output = new OutputBuffer(writer, outputBytes, progress)
  try {
    await new CompressedArchive(entries, segments, turns, output, progress).send()
    await output.flush()
  } finally {
    await output.settled()
  }
}

class CompressedArchive {
  readonly #entries: ArchiveEntries
  readonly #segments: SegmentSource
  readonly #turns: Semaphore
  readonly #output: OutputBuffer
  readonly #progress: CompressedProgress
  readonly #directory: CompressedDirectory
  readonly #input = Buffer.allocUnsafeSlow(inputBytes)

  constructor(
    entries: ArchiveEntries,
    segments: SegmentSource,
    turns: Semaphore,
    output: OutputBuffer,
    progress: CompressedProgress,
  ) {
    this.#entries = entries
    this.#segments = segments
    this.#turns = turns
    this.#output = output
    this.#progress = progress
    this.#directory = new CompressedDirectory(entries.layout)
  }

  async send(): Promise<void> {
    const { layout } = this.#entries
    let entry = 0
    while (entry < layout.count) {
      const end = this.#endOfRun(entry)
      if (end > entry) await this.#sendRun(entry, end)
      else await this.#sendLarge(entry)
      entry = Math.max(end, entry + 1)
    }
    for (const bytes of this.#directory.end(this.#output.position)) await this.#output.write(bytes)
  }

  /** Small entries are read together, as many as the input holds: each read has its price. */
  #endOfRun(first: number): number {
    const { layout } = this.#entries
    let length = 0
    let end = first
    while (end < layout.count) {
      const size = layout.entrySize(end)
      length += size
      if (size > wholeBytesMax || length > inputBytes) break
      end++
    }
    return end
  }

  async #sendRun(first: number, end: number): Promise<void> {
    const filler = new Filler(this.#piecesOf(first, end), this.#segments)
    await filler.fill(this.#input)
    let start = 0
    for (let entry = first; entry < end; entry++) {
      const size = this.#entries.layout.entrySize(entry)
      await this.#sendWhole(entry, this.#input.subarray(start, start + size))
      start += size
    }
  }

  *#piecesOf(first: number, end: number): Generator<ContentPiece> {
    for (let entry = first; entry < end; entry++) yield* this.#entries.pieces(entry)
  }

  /** Stored all the same when deflating does not make it smaller. */
  async #sendWhole(entry: number, content: Buffer): Promise<void> {
    this.#progress.onRead(content.length)
    const packed = this.#entries.shrinks(entry) ? await this.#deflate(content) : content
    const isSmaller = packed.length < content.length
    const header = this.#directory.begin(
      this.#output.position,
      isSmaller ? { kind: 'deflated', size: packed.length } : { kind: 'stored' },
    )
    await this.#output.write(header)
    await this.#output.write(isSmaller ? packed : content)
  }

  async #deflate(content: Buffer): Promise<Buffer> {
    // Room for all of it, so that it comes in one piece.
    const chunkSize = content.length + 64
    if (content.length <= hereBytesMax) return deflateRawSync(content, { level, chunkSize })
    return this.#turns.run(() => deflateInPool(content, { level, chunkSize }))
  }

  async #sendLarge(entry: number): Promise<void> {
    const filler = new Filler(this.#entries.pieces(entry), this.#segments)
    if (this.#entries.shrinks(entry)) await this.#sendStreamed(filler)
    else await this.#sendStored(filler)
  }

  async #sendStored(filler: Filler): Promise<void> {
    await this.#output.write(this.#directory.begin(this.#output.position, { kind: 'stored' }))
    for (;;) {
      const count = await filler.fill(this.#output.room)
      if (count === 0) return
      this.#progress.onRead(count)
      await this.#output.advance(count)
    }
  }

  async #sendStreamed(filler: Filler): Promise<void> {
    await this.#output.write(this.#directory.begin(this.#output.position, { kind: 'streamed' }))
    const start = this.#output.position
    const deflater = new Deflater()
    try {
      for (;;) {
        const count = await filler.fill(this.#input)
        this.#progress.onRead(count)
        const data = count === 0 ? null : this.#input.subarray(0, count)
        for (const packed of await this.#turns.run(() => deflater.deflate(data))) {
          await this.#output.write(packed)
        }
        if (data === null) break
      }
    } finally {
      deflater.close()
    }
    await this.#output.write(this.#directory.describe(this.#output.position - start))
  }
}

/** One stream of deflated bytes (RFC 1951), asked for a buffer at a time. */
class Deflater {
  readonly #stream: DeflateRaw = createDeflateRaw({ level, chunkSize: 64 * 1024 })
  #packed: Buffer[] = []

  constructor() {
    this.#stream.on('data', (data: Buffer) => this.#packed.push(data))
  }

  /**
   * What there is after deflating this; null for the end.
   * Afterwards the data may be overwritten.
   */
  async deflate(data: Buffer | null): Promise<Buffer[]> {
    await new Promise<void>((resolve, reject) => {
      this.#stream.once('error', reject)
      const done = (error?: Error | null) => {
        this.#stream.off('error', reject)
        if (error) reject(error)
        else resolve()
      }
      if (data) this.#stream.write(data, done)
      else this.#stream.once('end', done).end()
    })
    return this.#packed.splice(0)
  }

  close(): void {
    this.#stream.destroy()
  }
}
