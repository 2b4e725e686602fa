import type { ByteWriter } from '../http/answer.ts'
import type { Clock } from '../lib/clock.ts'
import type { TransferPermit } from './buffer-budget.ts'
import type { Content } from './content.ts'
import { Filler } from './filler.ts'
import type { SegmentSource } from './gather.ts'

const bufferBytesMax = 512 * 1024
export const bufferBytesMin = 16 * 1024
/** Small first, so that it is soon known whether the client wants more: see counting.ts. */
const firstBytes = 64 * 1024
/** A buffer is as large as what the client drains in this time. */
const drainMs = 250

/** What a content is read with. */
export interface ReadingParts {
  readonly segments: SegmentSource
  readonly permit: Pick<TransferPermit, 'resize'>
}

/** Where it goes. */
export interface WritingParts {
  readonly writer: ByteWriter
  readonly clock: Pick<Clock, 'monotonic'>
  /** Called with the count of every write that has left for the kernel. */
  readonly onSent: (bytes: number) => void
}

/**
 * Sends bytes [start, end) of a content, once. For a fast client two buffers take turns: while one
 * drains into the socket the other is filled from disk. A slow client gets one small buffer, which
 * is filled only when the socket has taken the one before: what is read ahead for it is in the
 * kernel.
 */
export class ContentSender {
  readonly #filler: Filler
  readonly #buffers: BufferPair
  readonly #pace = new Pace()
  /** Bytes not read yet. */
  #left: number
  #readAhead: Buffer | null = null

  constructor(
    content: Content,
    { start, end }: { start: number; end: number },
    { segments, permit }: ReadingParts,
  ) {
    this.#filler = new Filler(content.pieces(start, end), segments)
    this.#buffers = new BufferPair(permit)
    this.#left = end - start
  }

  /**
   * Reads and checks the first buffer, before anything is promised to the client.
   * @throws DamagedContent; what reading throws
   */
  async readAhead(): Promise<void> {
    if (this.#left > 0) this.#readAhead = await this.#fill(false)
  }

  /** @throws DamagedContent; what reading or writing throws */
  async send({ writer, clock, onSent }: WritingParts): Promise<void> {
    let writing: Promise<void> = Promise.resolve()
    try {
      while (this.#readAhead || this.#left > 0) {
        const takesTurns = this.#pace.readsAhead && this.#buffers.mayTakeTurns
        if (!takesTurns) await writing
        const data = this.#readAhead ?? (await bothSettled(this.#fill(takesTurns), writing))
        this.#readAhead = null
        const beganMs = clock.monotonic()
        writing = writer.write(data).then(() => {
          this.#pace.drained(data.length, clock.monotonic() - beganMs)
          onSent(data.length)
        })
        // Met at the next turn; until then its rejection is not unhandled.
        writing.catch(() => {})
      }
      await writing
    } finally {
      this.release()
    }
  }

  /** Gives back its buffers. */
  release(): void {
    this.#buffers.release()
  }

  async #fill(takesTurns: boolean): Promise<Buffer> {
    const buffer = this.#buffers.next(this.#pace.bufferBytes, this.#left, takesTurns)
    const filled = await this.#filler.fill(buffer)
    if (filled === 0) throw new Error('a content is shorter than its size')
    this.#left -= filled
    return buffer.subarray(0, filled)
  }
}

/** Waits for both even when one fails: a read that still runs must not lose its segment. */
async function bothSettled<T>(reading: Promise<T>, writing: Promise<void>): Promise<T> {
  const [read, written] = await Promise.allSettled([reading, writing])
  if (written.status === 'rejected') throw written.reason
  if (read.status === 'rejected') throw read.reason
  return read.value
}

/** How large a buffer is worth it for a client, by how it drained the last one. */
class Pace {
  bufferBytes = firstBytes

  get readsAhead(): boolean {
    return this.bufferBytes > firstBytes
  }

  drained(bytes: number, ms: number): void {
    const target = (bytes / Math.max(ms, 1)) * drainMs
    const most = Math.min(bufferBytesMax, this.bufferBytes * 4)
    let next = bufferBytesMin
    while (next * 2 <= Math.min(target, most)) next *= 2
    this.bufferBytes = next
  }
}

/** Two buffers of any size, counted by the transfer's permit. */
class BufferPair {
  readonly #permit: Pick<TransferPermit, 'resize'>
  #current: Buffer = Buffer.alloc(0)
  #other: Buffer = Buffer.alloc(0)

  constructor(permit: Pick<TransferPermit, 'resize'>) {
    this.#permit = permit
  }

  /** A transfer that found no room for more than a small buffer makes do with one. */
  get mayTakeTurns(): boolean {
    return this.#current.length >= firstBytes
  }

  /**
   * The buffer to fill next.
   * @param bytesMax how large it may be, and `bytesWanted` what it has to hold then
   * @param takesTurns whether the one returned last still drains; else it is used again
   */
  next(bytesMax: number, bytesWanted: number, takesTurns: boolean): Buffer {
    const last = this.#current
    if (takesTurns) {
      this.#current = this.#other
      this.#other = last
    } else {
      this.#other = this.#resize(this.#other, 0)
    }
    const bytes = Math.min(bytesMax, bytesWanted)
    const isFitting = this.#current.length >= bytes && this.#current.length <= bytesMax
    if (!isFitting) this.#current = this.#resize(this.#current, bytes)
    return this.#current.subarray(0, bytes)
  }

  release(): void {
    this.#current = this.#resize(this.#current, 0)
    this.#other = this.#resize(this.#other, 0)
  }

  #resize(buffer: Buffer, bytes: number): Buffer {
    const granted = this.#permit.resize(buffer.length, bytes)
    return granted === buffer.length ? buffer : Buffer.allocUnsafeSlow(granted)
  }
}
