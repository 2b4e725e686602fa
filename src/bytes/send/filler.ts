import { crc32 } from '../../lib/crc32.ts'
import type { ContentPiece } from './content.ts'
import { blame, DamagedContent } from './damaged-content.ts'
import type { SegmentSlice } from './extent-table.ts'
import { gather, type SegmentSource, type Wanted } from './gather.ts'

/**
 * Copies the pieces of a content into buffers in order, and checks each block before any of its
 * bytes is handed out.
 *
 * A block that is wanted whole and fits is read directly into place. Others go through a scratch
 * buffer: the first and the last one of a range, and all of them when the buffers are small. It is
 * not kept between two buffers, so that a slow client holds no memory.
 */
export class Filler {
  readonly #pieces: Iterator<ContentPiece>
  readonly #segments: SegmentSource
  #piece: ContentPiece | null = null
  /** Bytes of the piece handed out so far. */
  #done = 0

  constructor(pieces: Iterable<ContentPiece>, segments: SegmentSource) {
    this.#pieces = pieces[Symbol.iterator]()
    this.#segments = segments
  }

  /**
   * Fills at least half of the buffer, unless the content ends.
   * @param handOver takes the full buffer while the present block has more bytes, and tells
   *   whether it may be filled again at once: several small buffers then share one read of a block
   * @returns number of bytes in the buffer that were not handed over
   * @throws DamagedContent; errors of reading
   */
  async fill(buffer: Buffer, handOver?: HandOver): Promise<number> {
    const planned: Planned[] = []
    let filled = 0
    while (filled < buffer.length) {
      this.#piece ??= this.#nextPiece()
      if (!this.#piece) break
      const room = buffer.length - filled
      if (this.#piece.kind === 'bytes') {
        filled += this.#copy(this.#piece.bytes, buffer, filled)
      } else if (this.#fitsWhole(this.#piece, room)) {
        const { fileId, slice } = this.#piece
        const { segmentId, position, length, crc } = slice
        planned.push({ fileId, segmentId, position, length, offset: filled, crc })
        filled += length
        this.#piece = null
      } else if (this.#fitsWhole(this.#piece, buffer.length) && filled >= buffer.length / 2) {
        break
      } else {
        const mayHandOver = planned.length === 0 ? handOver : undefined
        const end = await this.#copyFromBlock(this.#piece, buffer, filled, mayHandOver)
        if (end === 'handed over') return 0
        filled = end
      }
    }
    await gather(planned, this.#segments, buffer, blame)
    for (const { fileId, segmentId, offset, length, crc } of planned) {
      const block = buffer.subarray(offset, offset + length)
      if (crc32(block) !== crc) throw new DamagedContent(fileId, segmentId)
    }
    return filled
  }

  #nextPiece(): ContentPiece | null {
    const next = this.#pieces.next()
    this.#done = 0
    return next.done ? null : next.value
  }

  #copy(bytes: Buffer, buffer: Buffer, offset: number): number {
    const count = bytes.copy(buffer, offset, this.#done)
    this.#done += count
    if (this.#done === bytes.length) this.#piece = null
    return count
  }

  /** Whether the whole block is wanted, fits, and none of it was handed out yet. */
  #fitsWhole({ slice }: SlicePiece, room: number): boolean {
    const isWhole = slice.from === 0 && slice.to === slice.length
    return this.#done === 0 && isWhole && slice.length <= room
  }

  /** Returns the end of the copied bytes in the buffer. */
  async #copyFromBlock(
    piece: SlicePiece,
    buffer: Buffer,
    offset: number,
    handOver?: HandOver,
  ): Promise<number | 'handed over'> {
    const { slice, fileId } = piece
    const { segmentId, position, length } = slice
    return this.#segments.scratch.use(async (block) => {
      const wanted = { fileId, segmentId, position, length, offset: 0 }
      await gather([wanted], this.#segments, block, blame)
      const whole = block.subarray(0, length)
      if (crc32(whole) !== slice.crc) throw new DamagedContent(fileId, segmentId)
      for (let start = offset; ; start = 0) {
        const count = whole.copy(buffer, start, slice.from + this.#done, slice.to)
        this.#advance(slice, count)
        if (this.#piece === null || !handOver) return start + count
        if (!handOver(start + count)) return 'handed over'
      }
    })
  }

  #advance(slice: SegmentSlice, count: number): void {
    this.#done += count
    if (this.#done === slice.to - slice.from) this.#piece = null
  }
}

type HandOver = (filled: number) => boolean

type SlicePiece = Extract<ContentPiece, { kind: 'slice' }>

/** A whole block that is read directly into its place. */
interface Planned extends Wanted {
  readonly crc: number
}
