import { blockBytes, paddedSize, writeHeader } from '../bytes/archive/tar/header.ts'
import { segmentFile } from '../bytes/segments/files-on-disk.ts'
import type { ListedSegment } from './segment-list.ts'
import type { SegmentTarget, SnapshotTarget } from './target.ts'

const privateMode = 0o600
const zeros = Buffer.alloc(64 * 1024)

/** A snapshot as one tar archive, with the names that it has in a backup folder. */
export class TarTarget implements SnapshotTarget {
  readonly #write: (data: Buffer) => Promise<void>
  readonly #name: string
  readonly #modifiedAt: number

  /** @param write sends all of the data before it settles */
  constructor(write: (data: Buffer) => Promise<void>, name: string, at: Date) {
    this.#write = write
    this.#name = name
    this.#modifiedAt = Math.floor(at.getTime() / 1000)
  }

  async put(name: string, data: Buffer): Promise<void> {
    await this.#begin(`snapshots/${this.#name}/${name}`, data.length)
    await this.#write(data)
    await this.#pad(data.length)
  }

  async openSegment(
    { containerId, segmentId }: ListedSegment,
    bytes: number,
  ): Promise<SegmentTarget> {
    await this.#begin(segmentFile('storage', containerId, segmentId), bytes)
    let left = bytes
    return {
      from: 0,
      write: (data) => {
        left -= data.length
        return this.#write(data)
      },
      // Zeros stand for bytes that could not be read: the archive has named their number.
      close: async () => {
        for (; left > 0; left -= zeros.length) {
          await this.#write(zeros.subarray(0, Math.min(left, zeros.length)))
        }
        await this.#pad(bytes)
      },
    }
  }

  finish(): Promise<void> {
    return this.#write(Buffer.alloc(2 * blockBytes))
  }

  /** Without its last file, the archive is no snapshot. */
  async abandon(): Promise<void> {}

  async #begin(name: string, size: number): Promise<void> {
    const block = Buffer.alloc(blockBytes)
    const values = { size, modifiedAt: this.#modifiedAt, mode: privateMode }
    writeHeader(block, '0', Buffer.from(name), values)
    await this.#write(block)
  }

  async #pad(size: number): Promise<void> {
    const padding = paddedSize(size) - size
    if (padding > 0) await this.#write(Buffer.alloc(padding))
  }
}
