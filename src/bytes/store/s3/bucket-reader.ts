import type { BlobReader } from '../store.ts'
import { isMissingKey } from './objects.ts'
import { readText, storeDown, StoreError, type StoreClient, type StoreRequest } from './client.ts'

/** As a missing file: see `isMissing` in store.ts. */
export class MissingBlob extends Error {
  readonly code = 'ENOENT'
  readonly syscall = 'GET'

  constructor(key: string) {
    super(`${key} is not in the bucket`)
  }
}

/** Reads ranges of an object. */
export class BucketReader implements BlobReader {
  readonly #client: StoreClient
  readonly #key: string

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
    const headers = { range: `bytes=${position}-${position + length - 1}` }
    const request = { method: 'GET', key: this.#key, headers } as const
    try {
      return await this.#client.repeat(() => this.#fill(request, targets))
    } catch (error) {
      throw error instanceof StoreError ? storeDown(error) : error
    }
  }

  async close(): Promise<void> {}

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

/** Fills the buffer from a position. @throws CodedError unavailable when the object ends before */
export async function readFully(
  reader: BlobReader,
  target: Buffer,
  position: number,
): Promise<void> {
  for (let done = 0; done < target.length;) {
    const count = await reader.read(target, done, target.length - done, position + done)
    if (count === 0) throw storeDown(new Error('an object is shorter than it was written'))
    done += count
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
