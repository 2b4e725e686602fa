import { dayMs } from '../../../lib/clock.ts'
import { readFully } from '../store.ts'
import type { BlobReader, NewSegment, SegmentLinks, SegmentWriter, StorageRoot } from '../store.ts'
import { BucketReader, MissingBlob } from './bucket-reader.ts'
import { storeDown, type StoreClient } from './client.ts'
import { folderOf, keyOf, listKeys, listUploads, readMarker, removeKeys } from './objects.ts'
import { divide, Upload } from './upload.ts'

const copiesAtOnceMax = 8
const replacePartBytes = 8 * 1024 * 1024
const presentForMs = 5_000

/** A bucket: each segment is an object. */
export class BucketRoot implements StorageRoot {
  readonly id: string
  readonly folder = null
  /** Connections stay silent no longer than stores allow. */
  readonly writeBytes = 64 * 1024
  readonly #client: StoreClient
  #present: Promise<boolean> | null = null
  #presentUntilMs = 0

  constructor(id: string, client: StoreClient) {
    this.id = id
    this.#client = client
  }

  get name(): string {
    return this.#client.name
  }

  get requestCounts(): ReadonlyMap<string, number> {
    return this.#client.counts
  }

  async create(segment: NewSegment): Promise<SegmentWriter> {
    const { containerId, segmentId, bytesMax } = segment
    const key = keyOf(containerId, segmentId)
    const upload = new Upload(this.#client, key, bytesMax)
    return new BucketWriter(segment, upload, () => new BucketReader(this.#client, key))
  }

  replace(containerId: string, name: string, text: AsyncIterable<string>): Promise<void> {
    return this.put(containerId, name, text)
  }

  /** Each part of 8 MiB goes with its digest, which the store compares. */
  async put(containerId: string, name: string, content: AsyncIterable<Buffer | string>) {
    const upload = new Upload(this.#client, keyOf(containerId, name), 0)
    try {
      await upload.finishWith(await writeParts(upload, content))
    } catch (error) {
      // The job for abandoned uploads removes what the store does not remove now.
      await upload.abortParts().catch(() => {})
      throw error
    }
  }

  async open(containerId: string, name: string): Promise<BlobReader> {
    return new BucketReader(this.#client, keyOf(containerId, name))
  }

  async sizeOf(containerId: string, name: string): Promise<number | null> {
    const request = { method: 'HEAD', key: keyOf(containerId, name) } as const
    const { status, headers } = await this.#client.call(request, [200, 404])
    if (status === 200) return Number(headers['content-length'])
    // A bucket that is gone answers alike.
    if (await this.#look()) return null
    throw storeDown(new Error('the bucket has lost its marker'))
  }

  async *list(of: { letters: string } | { containerId: string }): AsyncIterable<string> {
    const isOfLetters = 'letters' in of
    const prefix = isOfLetters ? `${of.letters}/` : folderOf(of.containerId)
    for await (const page of listKeys(this.#client, prefix, isOfLetters)) {
      for (const key of page) {
        const name = key.slice(prefix.length)
        const id = /^([0-9a-f-]{36})(?:\/|\.seg)$/.exec(name)?.[1]
        if (id !== undefined) yield id
      }
    }
  }

  async remove(containerId: string, names: readonly string[]): Promise<void> {
    await removeKeys(
      this.#client,
      names.map((name) => keyOf(containerId, name)),
    )
  }

  async removeContainer(containerId: string, mayGoOn: () => boolean): Promise<boolean> {
    for await (const keys of listKeys(this.#client, folderOf(containerId), false)) {
      if (!mayGoOn()) return false
      await removeKeys(this.#client, keys)
    }
    return true
  }

  async link({ fromContainerId, toContainerId, signal, ...links }: SegmentLinks): Promise<void> {
    const { bucket, prefix } = this.#client.bucket
    // An empty segment has no object.
    const segments = links.segments.filter(({ bytes }) => bytes > 0)
    for (let start = 0; start < segments.length; start += copiesAtOnceMax) {
      signal?.throwIfAborted()
      const some = segments.slice(start, start + copiesAtOnceMax)
      const copies = some.map(async ({ fromId, toId }) => {
        const from = keyOf(fromContainerId, fromId)
        const headers = { 'x-amz-copy-source': `/${bucket}/${prefix}${from}` }
        const request = { method: 'PUT', key: keyOf(toContainerId, toId), headers } as const
        const { status } = await this.#client.callForXml(request, [200, 404])
        if (status === 404) throw new MissingBlob(from)
      })
      // None may come after its container was removed.
      await Promise.allSettled(copies)
      await Promise.all(copies)
    }
  }

  isPresent(): Promise<boolean> {
    const nowMs = this.#client.clock.monotonic()
    if (this.#present && nowMs < this.#presentUntilMs) return this.#present
    this.#presentUntilMs = nowMs + presentForMs
    this.#present = this.#look()
    this.#present.catch(() => {
      this.#present = null
    })
    return this.#present
  }

  /** Removes the parts of uploads that were begun a day ago. Returns the number of uploads. */
  async removeAbandoned(): Promise<number> {
    const before = this.#client.clock.now() - dayMs
    let count = 0
    for await (const { key, uploadId, begunAt } of listUploads(this.#client)) {
      if (!(begunAt < before)) continue
      await this.#client.call({ method: 'DELETE', key, query: { uploadId } }, [204, 404])
      count += 1
    }
    return count
  }

  async close(): Promise<void> {
    await this.#client.close()
  }

  async #look(): Promise<boolean> {
    return (await readMarker(this.#client)) === this.id
  }
}

/** Writes all full parts. Returns the rest. */
async function writeParts(
  upload: Upload,
  content: AsyncIterable<Buffer | string>,
): Promise<readonly Buffer[]> {
  let pieces: readonly Buffer[] = []
  let bytes = 0
  for await (const piece of content) {
    const data = typeof piece === 'string' ? Buffer.from(piece) : piece
    pieces = [...pieces, data]
    bytes += data.length
    while (bytes >= replacePartBytes) {
      const [part, rest] = divide(pieces, replacePartBytes)
      await upload.writePart(part)
      pieces = rest
      bytes -= replacePartBytes
    }
  }
  return pieces
}

const readBackBytes = 1024 * 1024

/** Writes one object: what is appended until its sync. */
class BucketWriter implements SegmentWriter {
  readonly containerId: string
  readonly segmentId: string
  /** No other request may use it. */
  readonly sealed = true
  readonly #upload: Upload
  readonly #openReader: () => BucketReader
  #end = 0
  #position = 0
  #failure: unknown = null
  #isGone = false

  constructor(
    { containerId, segmentId }: NewSegment,
    upload: Upload,
    openReader: () => BucketReader,
  ) {
    this.containerId = containerId
    this.segmentId = segmentId
    this.#upload = upload
    this.#openReader = openReader
  }

  get end(): number {
    return this.#end
  }

  get position(): number {
    return this.#position
  }

  async append(buffers: Buffer[]): Promise<void> {
    if (this.#failure) throw this.#failure
    const bytes = buffers.reduce((sum, buffer) => sum + buffer.length, 0)
    await this.#noteFailure(this.#upload.write(buffers))
    this.#position += bytes
  }

  async sync(): Promise<void> {
    if (this.#failure) throw this.#failure
    await this.#noteFailure(this.#upload.finish())
  }

  advance(): void {
    this.#end = this.#position
  }

  seal(): void {}

  /** An object is written by one writer alone. */
  async isIntact(): Promise<boolean> {
    return true
  }

  async requireIntact(): Promise<void> {}

  reportChange(): void {}

  /** Without rows there is nothing to keep. What the store does not remove now goes later. */
  async rollBack(): Promise<void> {
    if (this.#end > 0 || this.#isGone) return
    this.#isGone = await this.#upload.abort().then(
      () => true,
      () => false,
    )
  }

  async readBack(position: number, length: number, take: (data: Buffer) => void | Promise<void>) {
    await this.sync()
    const reader = this.#openReader()
    const buffer = Buffer.allocUnsafeSlow(Math.min(length, readBackBytes))
    for (let done = 0; done < length;) {
      const some = buffer.subarray(0, Math.min(buffer.length, length - done))
      const count = await readFully(reader, some, position + done)
      const isShort = count < some.length
      if (isShort) throw storeDown(new Error('an object is shorter than it was written'))
      await take(some)
      done += some.length
    }
  }

  async close(): Promise<boolean> {
    await this.rollBack()
    return !this.#isGone
  }

  async #noteFailure(work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      this.#failure = error
      throw error
    }
  }
}
