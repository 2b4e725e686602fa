import type { ByteWriter } from '../../http/answer.ts'
import type { Clock } from '../../lib/clock.ts'
import type { TransferPermit } from './buffer-budget.ts'
import { BufferPair, Pace } from './paced-buffers.ts'

/** Two entries that are deflated whole fit into the first buffer. */
const firstBytes = 128 * 1024

export interface OutputProgress {
  /** Called with bytes that the kernel has taken. */
  onSent(bytes: number): void
  /** Whether a write is waiting for the client. */
  onWaiting(isWaiting: boolean): void
}

export interface OutputDeps {
  readonly writer: ByteWriter
  readonly permit: Pick<TransferPermit, 'resize'>
  readonly clock: Pick<Clock, 'monotonic'>
}

/**
 * Gathers bytes for the socket, in buffers that follow the client's pace: a fast client gets two
 * that take turns, one being filled while the other drains; a slow client gets a small one. The
 * caller waits while the buffer is full, which is the backpressure.
 */
export class OutputBuffer {
  readonly #deps: OutputDeps
  readonly #progress: OutputProgress
  readonly #pace = new Pace(firstBytes)
  readonly #buffers: BufferPair
  #buffer: Buffer
  #filled = 0
  #position = 0
  #writing: Promise<void> = Promise.resolve()

  constructor(deps: OutputDeps, progress: OutputProgress) {
    this.#deps = deps
    this.#progress = progress
    this.#buffers = new BufferPair(deps.permit)
    this.#buffer = this.#buffers.next(firstBytes, firstBytes, false)
  }

  /** Number of bytes put in so far. */
  get position(): number {
    return this.#position
  }

  /** Size of the buffer that is being filled. */
  get bufferBytes(): number {
    return this.#buffer.length
  }

  /** Where the next bytes belong; never empty. Call `advance` with their number afterwards. */
  get room(): Buffer {
    return this.#buffer.subarray(this.#filled)
  }

  /** Copies as many bytes as fit, without waiting: `advance` must follow. */
  put(bytes: Buffer): void {
    if (bytes.length > this.room.length) throw new RangeError('there is no room for so many bytes')
    this.#filled += bytes.copy(this.room)
    this.#position += bytes.length
  }

  /** @throws errors of the writer; the signal's reason when it aborts */
  async advance(count: number): Promise<void> {
    this.#filled += count
    this.#position += count
    this.#deps.writer.signal.throwIfAborted()
    if (this.#filled === this.#buffer.length) await this.flush()
  }

  async write(bytes: Buffer): Promise<void> {
    let done = 0
    do {
      const count = bytes.copy(this.room, 0, done)
      done += count
      await this.advance(count)
    } while (done < bytes.length)
  }

  /** Hands over the buffered bytes, once those handed over before have left. */
  async flush(): Promise<void> {
    await this.#writing
    if (this.#filled === 0) return
    this.#writing = this.#send(this.#buffer.subarray(0, this.#filled))
    // Handled at the next turn; until then the rejection must not count as unhandled.
    this.#writing.catch(() => {})
    this.#filled = 0
    const readsAhead = this.#pace.readsAhead && this.#buffers.mayTakeTurns
    if (!readsAhead) await this.#writing
    const { bufferBytes } = this.#pace
    this.#buffer = this.#buffers.next(bufferBytes, bufferBytes, readsAhead)
  }

  /** Resolves when the last write is over; throws if it failed. */
  async settled(): Promise<void> {
    try {
      await this.#writing
    } finally {
      this.#buffers.release()
    }
  }

  async #send(data: Buffer): Promise<void> {
    const { writer, clock } = this.#deps
    const beganMs = clock.monotonic()
    this.#progress.onWaiting(true)
    await writer.write(data)
    this.#progress.onWaiting(false)
    this.#pace.drained(data.length, clock.monotonic() - beganMs)
    this.#progress.onSent(data.length)
  }
}
