import type { ByteWriter } from '../../http/answer.ts'
import type { Clock } from '../../lib/clock.ts'
import type { TransferPermit } from './buffer-budget.ts'
import type { Content } from './content.ts'
import { Filler, type SegmentSource } from './filler.ts'

/** Small, so that it is soon known whether the client wants more: see counting.ts. */
const firstBytes = 64 * 1024
/** After this many bytes a transfer asks for a larger buffer again. */
const handOverBytesMax = 512 * 1024

export interface ReadingDeps {
  readonly segments: SegmentSource
  readonly permit: Pick<TransferPermit, 'resize'>
  /** Waits before each buffer is filled: see `RequestContext.takeTurn`. */
  readonly takeTurn: () => Promise<void>
}

export interface WritingDeps {
  readonly writer: ByteWriter
  readonly clock: Pick<Clock, 'monotonic'>
  /** Called after each write with the bytes that the kernel has taken. */
  readonly onSent: (bytes: number) => void
}

/**
 * Sends bytes [start, end) of a content, once. For a fast client two buffers take turns: one is
 * filled from disk while the other drains into the socket. A slow client gets one small buffer,
 * which is refilled only when the socket has taken it: its read-ahead is in the kernel.
 */
export class ContentSender {
  readonly #filler: Filler
  readonly #buffers: BufferPair
  readonly #takeTurn: () => Promise<void>
  readonly #pace = new Pace(firstBytes)
  /** Bytes still to be read. */
  #left: number
  #readAhead: Buffer | null = null

  constructor(
    content: Content,
    { start, end }: { start: number; end: number },
    { segments, permit, takeTurn }: ReadingDeps,
  ) {
    this.#filler = new Filler(content.pieces(start, end), segments)
    this.#buffers = new BufferPair(permit)
    this.#takeTurn = takeTurn
    this.#left = end - start
  }

  /**
   * Reads and checks the first buffer, before the client is promised anything. Returns it.
   * @throws DamagedContent; errors of reading
   */
  async readAhead(): Promise<Buffer> {
    if (this.#left > 0) this.#readAhead = await this.#fill(false)
    return this.#readAhead ?? Buffer.alloc(0)
  }

  /** @throws DamagedContent; errors of reading and writing */
  async send({ writer, clock, onSent }: WritingDeps): Promise<void> {
    let writing: Promise<void> = Promise.resolve()
    const write = (data: Buffer) => {
      const beganMs = clock.monotonic()
      writing = writer.write(data).then(() => {
        this.#pace.drained(data.length, clock.monotonic() - beganMs)
        onSent(data.length)
      })
      // Handled at the next turn; until then the rejection must not count as unhandled.
      writing.catch(() => {})
    }
    const writeNow = (data: Buffer) => {
      write(data)
      return writer.flush()
    }
    try {
      if (this.#readAhead) write(this.#readAhead)
      this.#readAhead = null
      while (this.#left > 0) {
        const takesTurns = this.#pace.readsAhead && this.#buffers.mayTakeTurns
        if (!takesTurns) await writing
        const filling = this.#fill(takesTurns, takesTurns ? undefined : writeNow)
        const data = await bothSettled(filling, writing)
        if (data.length > 0) write(data)
      }
      await writing
    } finally {
      this.release()
    }
  }

  /** Releases its buffers. */
  release(): void {
    this.#buffers.release()
  }

  /** Returns the bytes still to be written; empty when everything read was written. */
  async #fill(takesTurns: boolean, writeNow?: (data: Buffer) => boolean): Promise<Buffer> {
    await this.#takeTurn()
    const left = this.#left
    const buffer = this.#buffers.next(this.#pace.bufferBytes, left, takesTurns)
    const handOver =
      writeNow &&
      ((filled: number) => {
        this.#left -= filled
        const isTaken = writeNow(buffer.subarray(0, filled))
        return isTaken && left - this.#left < handOverBytesMax
      })
    const filled = await this.#filler.fill(buffer, handOver)
    this.#left -= filled
    if (this.#left === left) throw new Error('a content is shorter than its size')
    return buffer.subarray(0, filled)
  }
}

/** Waits for both even when one fails: a running read must not lose its segment. */
async function bothSettled<T>(reading: Promise<T>, writing: Promise<void>): Promise<T> {
  const [read, written] = await Promise.allSettled([reading, writing])
  if (written.status === 'rejected') throw written.reason
  if (read.status === 'rejected') throw read.reason
  return read.value
}

const bufferBytesMax = 512 * 1024
export const bufferBytesMin = 16 * 1024
/** From this size on two buffers take turns. */
const pairedBytesMin = 128 * 1024
/** A buffer holds what the client drains in this time. */
const drainMs = 250

/** The buffer size that suits a client, by how fast it drained the last one. */
class Pace {
  bufferBytes: number

  constructor(firstBytes: number) {
    this.bufferBytes = firstBytes
  }

  get readsAhead(): boolean {
    return this.bufferBytes >= pairedBytesMin
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
export class BufferPair {
  readonly #permit: Pick<TransferPermit, 'resize'>
  #current: Buffer = Buffer.alloc(0)
  #other: Buffer = Buffer.alloc(0)

  constructor(permit: Pick<TransferPermit, 'resize'>) {
    this.#permit = permit
  }

  /** A transfer that was granted only a small buffer does with one. */
  get mayTakeTurns(): boolean {
    return this.#current.length >= pairedBytesMin / 2
  }

  /**
   * The buffer to fill next.
   * @param bytesMax its size limit; it must hold `bytesWanted`
   * @param takesTurns whether the last returned buffer still drains; otherwise that one is reused
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
