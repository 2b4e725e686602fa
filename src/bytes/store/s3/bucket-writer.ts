import { readFully, type NewSegment, type SegmentWriter } from '../store.ts'
import type { BucketReader } from './bucket-reader.ts'
import { storeDown } from './client.ts'
import type { Upload } from './upload.ts'

const readBackBytes = 1024 * 1024

/** Writes one object: what is appended until its sync. */
export class BucketWriter implements SegmentWriter {
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

  async readBack(
    position: number,
    length: number,
    take: (data: Buffer) => void | Promise<void>,
  ): Promise<void> {
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
