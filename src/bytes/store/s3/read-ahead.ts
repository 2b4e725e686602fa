import type { Dispatcher } from 'undici'
import type { StoreClient, StoreRequest } from './client.ts'

/** What one GET brings at most; a stream that is given up wastes what was under way of it. */
const windowBytes = 8 * 1024 * 1024
/** A slow client must hold no connection. */
const idleMsMax = 2_000

/** A GET whose bytes are read on and on, from one position. */
export class ReadAhead {
  #next: number
  #left: number
  readonly #body: Dispatcher.ResponseData['body']
  readonly #bytes: AsyncIterator<Buffer>
  readonly #client: StoreClient
  readonly #onEnd: (ended: ReadAhead) => void
  #rest: Buffer = Buffer.alloc(0)
  #cancel: () => void = () => {}
  #isEnded = false

  private constructor(
    client: StoreClient,
    position: number,
    { body, headers }: Dispatcher.ResponseData,
    onEnd: (ended: ReadAhead) => void,
  ) {
    this.#client = client
    this.#next = position
    this.#left = Number(headers['content-length'])
    this.#body = body
    // Seen by the next read.
    body.on('error', () => {})
    this.#bytes = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
    this.#onEnd = onEnd
  }

  /** Null while too many are open, or when the store has nothing there. */
  static async open(
    client: StoreClient,
    key: string,
    position: number,
    onEnd: (ended: ReadAhead) => void,
  ): Promise<ReadAhead | null> {
    if (client.readAheadsLeft === 0) return null
    client.readAheadsLeft -= 1
    try {
      const headers = { range: `bytes=${position}-${position + windowBytes - 1}` }
      const request: StoreRequest = { method: 'GET', key, headers }
      const answer = await client.send(request, null)
      if (answer.statusCode === 206) return new ReadAhead(client, position, answer, onEnd)
      answer.body.destroy()
    } catch {
      // A single read reports it.
    }
    client.readAheadsLeft += 1
    return null
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Where its bytes continue. */
  get next(): number {
    return this.#next
  }

  /** Fills the buffers as far as its window goes. @throws errors of undici; it has ended then */
  async fill(targets: readonly Buffer[]): Promise<number> {
    this.#cancel()
    let count = 0
    try {
      for (const target of targets) {
        for (let done = 0; done < target.length && this.#left > 0;) {
          if (this.#rest.length === 0) this.#rest = await this.#read()
          const copied = this.#rest.copy(target, done)
          this.#rest = this.#rest.subarray(copied)
          this.#left -= copied
          done += copied
          count += copied
        }
      }
    } catch (error) {
      this.end()
      throw error
    }
    this.#next += count
    if (this.#left === 0) this.end()
    else this.#cancel = this.#client.clock.setTimer(idleMsMax, () => this.end())
    return count
  }

  end(): void {
    this.#cancel()
    if (this.#isEnded) return
    this.#isEnded = true
    // At its end the connection is free once that has been read.
    if (this.#left > 0) this.#body.destroy()
    else void this.#bytes.next().catch(() => {})
    this.#client.readAheadsLeft += 1
    this.#onEnd(this)
  }

  async #read(): Promise<Buffer> {
    const { value, done } = await this.#bytes.next()
    if (done) throw new Error('the answer of the store ends before its length')
    return value
  }
}
