import type { Dispatcher } from 'undici'
import { readText, storeDown, StoreError, type StoreClient, type StoreRequest } from './client.ts'

/** Time for the store to take what it was given. */
const stallMsMax = 30_000
const zeros = Buffer.alloc(64 * 1024)

/**
 * A PUT of a fixed length whose bytes come one after the other, and are held here alone: it
 * cannot be repeated. What is missing at its end is filled with zeros.
 */
export class Passage {
  readonly #client: StoreClient
  readonly #request: StoreRequest
  readonly #answer: Promise<Dispatcher.ResponseData>
  readonly #ending = new AbortController()
  #left: number
  #buffers: Buffer[] = []
  #failure: unknown = null
  /** Wakes the connection, which waits for bytes. */
  #wake: (() => void) | null = null
  /** Settles the write whose bytes are being sent. */
  #settle: (() => void) | null = null

  constructor(client: StoreClient, request: StoreRequest, length: number) {
    this.#client = client
    this.#left = length
    const headers = { ...request.headers, 'content-length': String(length) }
    this.#request = { ...request, headers }
    this.#answer = client.send(this.#request, this.#bytes(), this.#ending.signal)
    this.#answer.then(
      (answer) => (this.#left > 0 ? this.#refuse(answer) : undefined),
      (error: unknown) => this.#fail(error),
    )
  }

  /** Bytes that still fit. */
  get left(): number {
    return this.#left
  }

  /**
   * Resolves once the connection has taken the buffers, which must stay unchanged until then.
   * @throws CodedError unavailable
   */
  async write(buffers: readonly Buffer[]): Promise<void> {
    const cancel = this.#client.clock.setTimer(stallMsMax, () => {
      this.abort(new Error(`the store took no bytes for ${stallMsMax / 1000} s`))
    })
    try {
      if (this.#failure) throw this.#failure
      for (const buffer of buffers) this.#left -= buffer.length
      await new Promise<void>((resolve) => {
        this.#buffers.push(...buffers)
        this.#settle = resolve
        this.#wake?.()
      })
      if (this.#failure) throw this.#failure
    } catch (error) {
      throw storeDown(error)
    } finally {
      cancel()
    }
  }

  /**
   * Resolves with the headers of the answer, once the object or the part is stored.
   * @throws CodedError unavailable
   */
  async finish(): Promise<Dispatcher.ResponseData['headers']> {
    while (this.#left > 0) await this.write([zeros.subarray(0, Math.min(zeros.length, this.#left))])
    try {
      const { statusCode, headers, body } = await this.#answer
      const text = await readText(body)
      if (statusCode !== 200) throw new StoreError(this.#request, statusCode, text)
      return headers
    } catch (error) {
      throw storeDown(error)
    }
  }

  /** Nothing of it is stored, unless `finish` had been called. */
  abort(reason: unknown): void {
    this.#fail(reason)
    this.#ending.abort(reason)
  }

  /** The store answers early, because it takes no more. */
  async #refuse({ statusCode, body }: Dispatcher.ResponseData): Promise<void> {
    const text = await readText(body).catch(() => '')
    this.abort(new StoreError(this.#request, statusCode, text))
  }

  #fail(error: unknown): void {
    this.#failure ??= error
    this.#wake?.()
    this.#settle?.()
  }

  async *#bytes(): AsyncGenerator<Buffer> {
    for (;;) {
      for (const buffer of this.#buffers.splice(0)) yield buffer
      if (this.#failure) throw this.#failure
      this.#settle?.()
      this.#settle = null
      if (this.#left === 0 && this.#buffers.length === 0) return
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      this.#wake = null
    }
  }
}
