import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { constants, deflateRaw, deflateRawSync } from 'node:zlib'
import { ScratchBuffers } from '../../lib/scratch-buffers.ts'
import { inOrder, Permits } from '../../lib/permits.ts'
import { CompressedDirectory } from '../zip/compressed-directory.ts'
import type { ArchiveEntries, ContentPiece } from './content.ts'
import { Filler } from './filler.ts'
import type { SegmentSource } from './gather.ts'
import { OutputBuffer, type OutputDeps, type OutputProgress } from './output-buffer.ts'

/** A fifth more bytes than level 6, in less than half the time. */
const level = constants.Z_BEST_SPEED
/**
 * Smaller entries are deflated in one go, with their sizes in the local header, where every reader
 * finds them.
 */
const wholeBytesMax = 64 * 1024
/** For smaller entries the thread pool costs more than deflating: 80 µs instead of 16 for 2 kB. */
const hereBytesMax = 8 * 1024
const inputBytes = 128 * 1024
/** Archives that deflate at the same time; they use at most half of the thread pool. */
const deflatingMax = Math.max(2, Math.min(8, availableParallelism()))
/** An empty last block (RFC 1951 section 3.2.3): the blocks before it are not marked as last. */
const lastBlock = Buffer.from([0x03, 0x00])

interface DeflateOptions {
  readonly level: number
  readonly chunkSize: number
  readonly finishFlush?: number
}
const deflateInPool = promisify<Buffer, DeflateOptions, Buffer>(deflateRaw)

/** Progress of a compressed archive. */
export interface CompressedProgress extends OutputProgress {
  /** Called with uncompressed bytes of its entries. */
  onRead(bytes: number): void
}

export interface CompressingDeps extends OutputDeps {
  readonly segments: SegmentSource
}

/**
 * Sends archives, deflating files that shrink. Input buffers are few, and an archive holds one only
 * while it reads and deflates: one that waits for its client holds only what its permit counts, so
 * that slow clients do not block others. Limiting the number of deflating archives leaves threads
 * of the pool for disk reads.
 */
export class Compressor {
  readonly #inputs = new ScratchBuffers(inputBytes, 2 * deflatingMax)
  readonly #deflating = new Permits(inOrder(deflatingMax))

  /** @throws DamagedContent; errors of reading and writing */
  async send(
    entries: ArchiveEntries,
    deps: CompressingDeps,
    progress: CompressedProgress,
  ): Promise<void> {
    const output = new OutputBuffer(deps, progress)
    try {
      await new CompressedArchive(entries, deps.segments, this, output, progress).send()
      await output.flush()
    } finally {
      await output.settled()
    }
  }

  /** Lends an input buffer. The task must not wait for the client. */
  withInput<T>(task: (input: Buffer) => Promise<T>): Promise<T> {
    return this.#inputs.use(task)
  }

  /**
   * @param isWhole whether this is the whole content; otherwise more content, or `lastBlock`,
   * follows
   * @returns its deflated bytes, in one piece
   */
  async deflate(content: Buffer, isWhole: boolean): Promise<Buffer> {
    const options: DeflateOptions = {
      level,
      chunkSize: deflatedBytesMax(content.length),
      ...(isWhole ? {} : { finishFlush: constants.Z_SYNC_FLUSH }),
    }
    if (content.length <= hereBytesMax) return deflateRawSync(content, options)
    return this.#deflating.run(() => deflateInPool(content, options))
  }
}

/** Upper bound of the deflated size: stored blocks of 16 KiB, and the flush after them. */
function deflatedBytesMax(length: number): number {
  return length + (length >> 10) + 64
}

class CompressedArchive {
  readonly #entries: ArchiveEntries
  readonly #segments: SegmentSource
  readonly #compressor: Compressor
  readonly #output: OutputBuffer
  readonly #progress: CompressedProgress
  readonly #directory: CompressedDirectory

  constructor(
    entries: ArchiveEntries,
    segments: SegmentSource,
    compressor: Compressor,
    output: OutputBuffer,
    progress: CompressedProgress,
  ) {
    this.#entries = entries
    this.#segments = segments
    this.#compressor = compressor
    this.#output = output
    this.#progress = progress
    this.#directory = new CompressedDirectory(entries.layout)
  }

  async send(): Promise<void> {
    const { layout } = this.#entries
    let entry = 0
    while (entry < layout.count) {
      const end = await this.#findRun(entry)
      if (end > entry) await this.#sendRun(entry, end)
      else await this.#sendAlone(entry)
      entry = Math.max(end, entry + 1)
    }
    for (const bytes of this.#directory.end(this.#output.position)) await this.#output.write(bytes)
  }

  /** The end of the run that begins here; makes space for it first if necessary. */
  async #findRun(first: number): Promise<number> {
    const end = this.#endOfRun(first)
    if (end > first || this.#entries.layout.entrySize(first) > wholeBytesMax) return end
    await this.#output.flush()
    return this.#endOfRun(first)
  }

  /** Small entries are read together, as many as fit, because each read has its cost. */
  #endOfRun(first: number): number {
    const { layout } = this.#entries
    const room = this.#output.room.length
    let read = 0
    let written = 0
    let end = first
    while (end < layout.count) {
      const size = layout.entrySize(end)
      read += size
      written += this.#directory.headerBytesMax(end) + size
      if (size > wholeBytesMax || read > inputBytes || written > room) break
      end++
    }
    return end
  }

  async #sendRun(first: number, end: number): Promise<void> {
    await this.#compressor.withInput(async (input) => {
      const filler = new Filler(this.#piecesOf(first, end), this.#segments)
      await filler.fill(input)
      let start = 0
      for (let entry = first; entry < end; entry++) {
        const size = this.#entries.layout.entrySize(entry)
        await this.#putWhole(entry, input.subarray(start, start + size))
        start += size
      }
    })
    await this.#output.advance(0)
  }

  *#piecesOf(first: number, end: number): Generator<ContentPiece> {
    for (let entry = first; entry < end; entry++) yield* this.#entries.pieces(entry)
  }

  /** Stores the entry if deflating does not make it smaller. The buffer fits either form. */
  async #putWhole(entry: number, content: Buffer): Promise<void> {
    this.#progress.onRead(content.length)
    const packed = this.#entries.shrinks(entry)
      ? await this.#compressor.deflate(content, true)
      : content
    const isSmaller = packed.length < content.length
    const header = this.#directory.begin(
      this.#output.position,
      isSmaller ? { kind: 'deflated', size: packed.length } : { kind: 'stored' },
    )
    this.#output.put(header)
    this.#output.put(isSmaller ? packed : content)
  }

  async #sendAlone(entry: number): Promise<void> {
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

  /** Sends independent blocks, so that no state is kept between two of them. */
  async #sendStreamed(filler: Filler): Promise<void> {
    await this.#output.write(this.#directory.begin(this.#output.position, { kind: 'streamed' }))
    const start = this.#output.position
    while ((await this.#sendBlock(filler)) > 0);
    await this.#output.write(lastBlock)
    await this.#output.write(this.#directory.describe(this.#output.position - start))
  }

  /** Resolves with the number of bytes read; 0 at the end. */
  async #sendBlock(filler: Filler): Promise<number> {
    const bytes = blockBytesIn(this.#output.bufferBytes)
    if (this.#output.room.length < deflatedBytesMax(bytes)) await this.#output.flush()
    const count = await this.#compressor.withInput(async (input) => {
      const filled = await filler.fill(input.subarray(0, blockBytesIn(this.#output.room.length)))
      if (filled === 0) return 0
      this.#output.put(await this.#compressor.deflate(input.subarray(0, filled), false))
      return filled
    })
    this.#progress.onRead(count)
    await this.#output.advance(0)
    return count
  }
}

/** How many bytes can be deflated into a buffer in the worst case. */
function blockBytesIn(bufferBytes: number): number {
  return Math.min(inputBytes, bufferBytes - (deflatedBytesMax(bufferBytes) - bufferBytes))
}
