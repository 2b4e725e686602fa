import type { BlobReader } from '../store.ts'
import { isMissingKey } from './objects.ts'
import { readText, storeDown, StoreError, type StoreClient, type StoreRequest } from './client.ts'
import type { Dispatcher } from 'undici'

/** As a missing file: see `isMissing` in store.ts. */
export class MissingBlob extends Error {
  readonly code = 'ENOENT'
  readonly syscall = 'GET'

  constructor(key: string) {
    super(`${key} is not in the bucket`)
  }
}

/** From this size on a read that follows another one is worth reading ahead. */
const aheadBytesMin = 128 * 1024
/** Reads whose followers are recognized. */
const endsMax = 64

/**
 * Reads ranges of an object, for any number of readers. Who reads on where a read has ended, and
 * much at a time, shares one GET for the next 8 MiB.
 */
export class BucketReader implements BlobReader {
  readonly #client: StoreClient
  readonly #key: string
  /** Idle ones by their position. */
  readonly #ahead = new Map<number, ReadAhead>()
  /** Where reads have ended, oldest first. */
  readonly #ends = new Set<number>()

  constructor(client: StoreClient, key: string) {
    this.#client = client
    this.#key = key
  }

  read(target: Buffer, offset: number, length: number, position: number): Promise<number> {
    return this.scatter([target.subarray(offset, offset + length)], position)
  }

  /** @throws MissingBlob, CodedError unavailable */
  async scatter(targets: readonly Buffer[], position: number): Promise<number> {
    const length = targets.reduce((sum, target) => sum + target.length, 0)
    if (length === 0) return 0
    const count =
      (await this.#readAhead(targets, position, length)) ??
      (await this.#readOnce(targets, position, length))
    this.#ends.add(position + count)
    for (const oldest of this.#ends) {
      if (this.#ends.size <= endsMax) break
      this.#ends.delete(oldest)
    }
    return count
  }

  async close(): Promise<void> {
    for (const ahead of this.#ahead.values()) ahead.end()
  }

  /** Null when there is none to use, or when it has failed: then a single read tells why. */
  async #readAhead(
    targets: readonly Buffer[],
    position: number,
    length: number,
  ): Promise<number | null> {
    const isNext = this.#ends.delete(position) && length >= aheadBytesMin
    const known = this.#ahead.get(position)
    this.#ahead.delete(position)
    const forget = (ended: ReadAhead) => {
      if (this.#ahead.get(ended.next) === ended) this.#ahead.delete(ended.next)
    }
    const ahead =
      known ?? (isNext ? await ReadAhead.open(this.#client, this.#key, position, forget) : null)
    if (!ahead) return null
    try {
      const count = await ahead.fill(targets)
      if (!ahead.isEnded) this.#keep(ahead)
      return count
    } catch {
      return null
    }
  }

  #keep(ahead: ReadAhead): void {
    this.#ahead.get(ahead.next)?.end()
    this.#ahead.set(ahead.next, ahead)
  }

  async #readOnce(targets: readonly Buffer[], position: number, length: number): Promise<number> {
    const headers = { range: `bytes=${position}-${position + length - 1}` }
    const request = { method: 'GET', key: this.#key, headers } as const
    try {
      return await this.#client.repeat(() => this.#fill(request, targets))
    } catch (error) {
      throw error instanceof StoreError ? storeDown(error) : error
    }
  }

  async #fill(request: StoreRequest, targets: readonly Buffer[]): Promise<number> {
    const { statusCode, body } = await this.#client.send(request, null)
    if (statusCode !== 206) {
      const refusal = new StoreError(request, statusCode, await readText(body))
      if (isMissingKey(refusal)) throw new MissingBlob(this.#key)
      // The object ends before the range.
      if (statusCode === 416) return 0
      throw refusal
    }
    let count = 0
    let rest = targets
    for await (const data of body as AsyncIterable<Buffer>) {
      rest = fill(rest, data)
      count += data.length
    }
    return count
  }
}

/** Copies data into the first targets. Returns what is left of them. */
function fill(targets: readonly Buffer[], data: Buffer): readonly Buffer[] {
  let rest = targets
  for (let done = 0; done < data.length;) {
    const [first] = rest
    if (!first) throw new Error('the store sent more than the range')
    const count = data.copy(first, 0, done)
    done += count
    rest = count === first.length ? rest.slice(1) : [first.subarray(count), ...rest.slice(1)]
  }
  return rest
}

/** What one GET brings at most; a stream that is given up wastes what was under way of it. */
const windowBytes = 8 * 1024 * 1024
/** A slow client must hold no connection. */
const idleMsMax = 2_000

/** A GET whose bytes are read on and on, from one position. */
class ReadAhead {
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
      // A failure is seen by the next read; a body that is destroyed fails, too.
      answer.body.on('error', () => {})
      const isPart = answer.statusCode === 206 && Number(answer.headers['content-length']) > 0
      if (isPart) return new ReadAhead(client, position, answer, onEnd)
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
