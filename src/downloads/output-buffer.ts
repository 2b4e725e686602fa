import type { ByteWriter } from '../http/answer.ts'

export interface OutputProgress {
  /** Bytes that have left for the kernel. */
  onSent(bytes: number): void
  /** Whether a write waits for the client. */
  onWaiting(isWaiting: boolean): void
}

/**
 * Gathers bytes for the socket: two buffers take turns, one being filled while the other drains.
 * Whoever fills waits when both are full: that is all the backpressure there is.
 */
export class OutputBuffer {
  readonly #writer: ByteWriter
  readonly #progress: OutputProgress
  #buffer: Buffer
  #other: Buffer
  #filled = 0
  #position = 0
  #writing: Promise<void> = Promise.resolve()

  constructor(writer: ByteWriter, bufferBytes: number, progress: OutputProgress) {
    this.#writer = writer
    this.#progress = progress
    this.#buffer = Buffer.allocUnsafeSlow(bufferBytes)
    this.#other = Buffer.allocUnsafeSlow(bufferBytes)
  }

  /** Bytes put in so far. */
  get position(): number {
    return this.#position
  }

  /** Where the next bytes belong; never empty. Tell `advance` how many were put there. */
  get room(): Buffer {
    return this.#buffer.subarray(this.#filled)
  }

  /** @throws what the writer throws, the signal's reason when it aborts */
  async advance(count: number): Promise<void> {
    this.#filled += count
    this.#position += count
    this.#writer.signal.throwIfAborted()
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

  /** Hands over what there is, once what was handed over before has left. */
  async flush(): Promise<void> {
    await this.#writing
    if (this.#filled === 0) return
    const data = this.#buffer.subarray(0, this.#filled)
    this.#progress.onWaiting(true)
    this.#writing = this.#writer.write(data).then(() => {
      this.#progress.onWaiting(false)
      this.#progress.onSent(data.length)
    })
    // Met at the next turn; until then its rejection is not unhandled.
    this.#writing.catch(() => {})
    const drained = this.#other
    this.#other = this.#buffer
    this.#buffer = drained
    this.#filled = 0
  }

  /** Resolves when the last write is over, however it went; throws that it failed. */
  async settled(): Promise<void> {
    await this.#writing
  }
}
