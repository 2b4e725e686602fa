import type { BlobReader } from '../store.ts'
import { isMissingKey } from './objects.ts'
import { ReadAhead } from './read-ahead.ts'
import { readText, storeDown, StoreError, type StoreClient, type StoreRequest } from './client.ts'

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
