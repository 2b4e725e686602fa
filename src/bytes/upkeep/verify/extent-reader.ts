import type { ExtentRow } from '../../files-sql.ts'
import { Checksums } from '../../segments/block-checksums.ts'
import type { PinnedSegment, SegmentFiles } from '../../segments/segment-files.ts'

const bufferBytes = 1024 * 1024

/** Reads extents through one buffer, and keeps the last segment open. */
export class ExtentReader {
  readonly #files: SegmentFiles
  readonly #buffer = Buffer.allocUnsafeSlow(bufferBytes)
  #open: { segmentId: string; pinned: PinnedSegment } | null = null

  constructor(files: SegmentFiles) {
    this.#files = files
  }

  /**
   * @param took called after each read
   * @throws SegmentDamaged, system errors, errors of `took`
   */
  async checksums(
    containerId: string,
    { segmentId, segmentOffset, length }: ExtentRow,
    took: (bytes: number) => Promise<void>,
  ): Promise<Checksums> {
    const checksums = new Checksums()
    if (length === 0) return checksums
    const pinned = await this.#pin(containerId, segmentId)
    while (checksums.length < length) {
      const count = Math.min(this.#buffer.length, length - checksums.length)
      await pinned.read(this.#buffer, 0, count, segmentOffset + checksums.length)
      checksums.take(this.#buffer.subarray(0, count))
      await took(count)
    }
    return checksums
  }

  /** Closes the open segment, so that a restored file is opened again. */
  release(): void {
    this.#open?.pinned.release()
    this.#open = null
  }

  async #pin(containerId: string, segmentId: string): Promise<PinnedSegment> {
    if (this.#open?.segmentId === segmentId) return this.#open.pinned
    this.release()
    const pinned = await this.#files.pin(containerId, segmentId)
    this.#open = { segmentId, pinned }
    return pinned
  }
}

/** Whether two rows name the same bytes: false for a chunk that was sent again or moved. */
export function isSamePlace(a: ExtentRow, b: ExtentRow): boolean {
  return a.segmentId === b.segmentId && a.segmentOffset === b.segmentOffset && a.crc === b.crc
}
