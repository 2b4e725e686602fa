import type { ByteWriter } from '../../http/answer.ts'

/** Tells a client that left from a service that failed: both end a transfer with an error. */
export class WatchedWriter implements ByteWriter {
  readonly #writer: ByteWriter
  #hasFailed = false

  constructor(writer: ByteWriter) {
    this.#writer = writer
  }

  get signal(): AbortSignal {
    return this.#writer.signal
  }

  flush(): boolean {
    return this.#writer.flush()
  }

  /** Also when the transfer was withdrawn, or cut because its client was too slow. */
  get isClientGone(): boolean {
    return this.#hasFailed || this.signal.aborted
  }

  async write(data: Buffer): Promise<void> {
    try {
      await this.#writer.write(data)
    } catch (error) {
      // A reset is known here before it ends the exchange.
      this.#hasFailed = true
      throw error
    }
  }
}
