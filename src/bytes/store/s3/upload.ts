import { StoreError, storeDown, type StoreClient, type StoreRequest, readText } from './client.ts'
import { textOf } from './xml.ts'
import type { Dispatcher } from 'undici'

const mebibyte = 1024 * 1024
/** Above this size an object is uploaded in parts. */
const wholeBytesMax = 64 * mebibyte
/** Of objects of unknown length: this much of zeros may end them. */
const smallPartBytes = 8 * mebibyte

interface Part {
  readonly number: number
  readonly etag: string
}

/**
 * Uploads an object whose bytes come one after the other. Its length is an upper bound of them,
 * filled with zeros: a single PUT up to 64 MiB, else parts of that size, and of 8 MiB where no
 * bound is known.
 */
export class Upload {
  readonly #client: StoreClient
  readonly #key: string
  readonly #bytesMax: number
  readonly #partBytes: number
  readonly #parts: Part[] = []
  #passage: Passage | null = null
  #uploadId: string | null = null
  #bytes = 0
  /** Whether the object may be there. */
  #hasBegun = false
  #isStored = false

  /** @param bytesMax 0 when unknown */
  constructor(client: StoreClient, key: string, bytesMax: number) {
    this.#client = client
    this.#key = key
    this.#bytesMax = bytesMax
    this.#partBytes = bytesMax === 0 ? smallPartBytes : wholeBytesMax
  }

  /** @throws CodedError unavailable, and then nothing of it is stored */
  async write(buffers: readonly Buffer[]): Promise<void> {
    const bytes = buffers.reduce((sum, buffer) => sum + buffer.length, 0)
    const isEverything = this.#bytes === 0 && bytes === this.#bytesMax && bytes <= wholeBytesMax
    this.#hasBegun ||= bytes > 0
    if (isEverything) {
      // In memory until this settles, so that it can be sent again.
      await this.#client.call({ method: 'PUT', key: this.#key }, [200], buffers)
      this.#isStored = true
    } else {
      for (let rest = buffers; rest.length > 0;) rest = await this.#writeSome(rest)
    }
    this.#bytes += bytes
  }

  /** Resolves once the object is stored. @throws CodedError unavailable */
  async finish(): Promise<void> {
    if (this.#isStored || this.#bytes === 0) return
    await this.#endPassage()
    if (this.#uploadId !== null) await this.#complete(this.#uploadId)
    this.#isStored = true
  }

  /**
   * Stores a part that is in memory until this settles, in place of `write`. All but the last have
   * one size, of 5 MiB at least.
   * @throws CodedError unavailable
   */
  async writePart(buffers: readonly Buffer[]): Promise<void> {
    this.#hasBegun = true
    this.#uploadId ??= await this.#createUpload()
    const number = this.#parts.length + 1
    const query = { partNumber: String(number), uploadId: this.#uploadId }
    const request = { method: 'PUT', key: this.#key, query } as const
    const { headers } = await this.#client.call(request, [200], buffers)
    this.#parts.push({ number, etag: headers['etag'] ?? '' })
  }

  /** Ends it with the last bytes, which may be all. @throws CodedError unavailable */
  async finishWith(buffers: readonly Buffer[]): Promise<void> {
    if (this.#uploadId === null) {
      await this.#client.call({ method: 'PUT', key: this.#key }, [200], buffers)
      return
    }
    if (buffers.length > 0) await this.writePart(buffers)
    await this.#complete(this.#uploadId)
  }

  /** Removes what there is of it, in one attempt. @throws StoreError; errors of undici */
  async abort(): Promise<void> {
    this.#passage?.abort(new Error('the upload was given up'))
    await this.abortParts()
    const request = { method: 'DELETE', key: this.#key } as const
    if (this.#hasBegun) await this.#client.attempt(request, [200, 204, 404])
  }

  /** Removes parts that are in no object yet, once. @throws StoreError; errors of undici */
  async abortParts(): Promise<void> {
    if (this.#uploadId === null || this.#isStored) return
    const query = { uploadId: this.#uploadId }
    await this.#client.attempt({ method: 'DELETE', key: this.#key, query }, [204, 404])
  }

  /** Writes what fits into the present part. Returns the rest. */
  async #writeSome(buffers: readonly Buffer[]): Promise<readonly Buffer[]> {
    if (this.#passage?.left === 0) await this.#endPassage()
    const passage = (this.#passage ??= await this.#begin())
    const [fitting, rest] = divide(buffers, passage.left)
    await passage.write(fitting)
    return rest
  }

  async #begin(): Promise<Passage> {
    const request: StoreRequest = { method: 'PUT', key: this.#key }
    const isWhole = this.#bytesMax > 0 && this.#bytesMax <= wholeBytesMax
    if (isWhole) return new Passage(this.#client, request, this.#bytesMax)
    this.#uploadId ??= await this.#createUpload()
    const number = this.#parts.length + 1
    const query = { partNumber: String(number), uploadId: this.#uploadId }
    const left = this.#bytesMax === 0 ? Infinity : this.#bytesMax - (number - 1) * this.#partBytes
    return new Passage(this.#client, { ...request, query }, Math.min(this.#partBytes, left))
  }

  async #endPassage(): Promise<void> {
    if (!this.#passage) return
    const { etag } = await this.#passage.finish()
    this.#passage = null
    if (this.#uploadId !== null) {
      this.#parts.push({ number: this.#parts.length + 1, etag: String(etag) })
    }
  }

  async #createUpload(): Promise<string> {
    const request = { method: 'POST', key: this.#key, query: { uploads: '' } } as const
    const { root } = await this.#client.callForXml(request, [200])
    const id = textOf(root, 'UploadId')
    if (!id) throw storeDown(new Error('the store began an upload without an id'))
    return id
  }

  /** A lost answer says nothing: the object may be there, and then its upload is gone. */
  async #complete(uploadId: string): Promise<void> {
    const list = this.#parts.map(
      ({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`,
    )
    const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`
    const request = { method: 'POST', key: this.#key, query: { uploadId } } as const
    const head = { method: 'HEAD', key: this.#key } as const
    await this.#client.callForXml(request, [200], [Buffer.from(body)]).catch(async (error) => {
      if (storeCodeOf(error) !== 'NoSuchUpload') throw error
      if ((await this.#client.call(head, [200, 404])).status !== 200) throw error
    })
  }
}

function storeCodeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null
  return cause instanceof StoreError ? cause.storeCode : ''
}

/** Buffers with the first `bytes` bytes, and the rest. */
export function divide(
  buffers: readonly Buffer[],
  bytes: number,
): [readonly Buffer[], readonly Buffer[]] {
  let room = bytes
  for (const [index, buffer] of buffers.entries()) {
    if (buffer.length <= room) {
      room -= buffer.length
      continue
    }
    const first = room > 0 ? [buffer.subarray(0, room)] : []
    const rest = [buffer.subarray(room), ...buffers.slice(index + 1)]
    return [[...buffers.slice(0, index), ...first], rest]
  }
  return [buffers, []]
}

/** Time for the store to take what it was given. */
const stallMsMax = 30_000
const zeros = Buffer.alloc(64 * 1024)

/**
 * A PUT of a fixed length whose bytes come one after the other, and are held here alone: it
 * cannot be repeated. What is missing at its end is filled with zeros.
 */
class Passage {
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
