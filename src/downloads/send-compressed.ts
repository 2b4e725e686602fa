import { constants, createDeflateRaw, deflateRaw, type DeflateRaw } from 'node:zlib'
import { promisify } from 'node:util'
import type { ByteWriter } from '../http/answer.ts'
import type { Semaphore } from '../lib/semaphore.ts'
import { CompressedDirectory } from '../zip/compressed-directory.ts'
import type { ArchiveEntries } from './content.ts'
import { Filler } from './filler.ts'
import type { SegmentSource } from './gather.ts'
import { OutputBuffer, type OutputProgress } from './output-buffer.ts'

/** Level 1: a sixth more bytes than level 6 in well under half of its time (decisions/0007). */
const options = { level: constants.Z_BEST_SPEED, chunkSize: 64 * 1024 }
/** Up to here an entry is deflated in one go, and its sizes stand where every reader finds them. */
const wholeBytesMax = 64 * 1024
const inputBytes = 128 * 1024
/** What one transfer holds: input, its deflated bytes, zlib's own state, two output buffers. */
export const compressedMemoryBytes = 1024 * 1024
const outputBytes = 128 * 1024

const deflateWhole = promisify<Buffer, typeof options, Buffer>(deflateRaw)

/** How far a compressed archive has come. */
export interface CompressedProgress extends OutputProgress {
  /** Bytes of the contents of its entries. */
  onRead(bytes: number): void
}

/**
 * Sends an archive, deflating what shrinks on the way. Of all archives that are sent only some
 * deflate at one instant, a buffer at a time: the other threads of the pool are for reading disks.
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
    for (let entry = 0; entry < layout.count; entry++) {
      const size = layout.entrySize(entry)
      const filler = new Filler(this.#entries.pieces(entry), this.#segments)
      if (size === 0 || !this.#entries.shrinks(entry)) await this.#sendStored(filler)
      else if (size <= wholeBytesMax) await this.#sendWhole(filler)
      else await this.#sendStreamed(filler)
    }
    for (const bytes of this.#directory.end(this.#output.position)) await this.#output.write(bytes)
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

  async #sendWhole(filler: Filler): Promise<void> {
    const content = this.#input.subarray(0, await filler.fill(this.#input))
    this.#progress.onRead(content.length)
    const packed = await this.#turns.run(() => deflateWhole(content, options))
    const isSmaller = packed.length < content.length
    const header = this.#directory.begin(
      this.#output.position,
      isSmaller ? { kind: 'deflated', size: packed.length } : { kind: 'stored' },
    )
    await this.#output.write(header)
    await this.#output.write(isSmaller ? packed : content)
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
  readonly #stream: DeflateRaw = createDeflateRaw(options)
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
