import { crc32 } from 'node:zlib'
import { descriptorShortage } from '../lib/errors.ts'
import { blockBytes } from '../storage/block-checksums.ts'
import type { ContentPiece } from './content.ts'
import type { SegmentSlice } from './extent-table.ts'
import { gather, type SegmentSource, type Wanted } from './gather.ts'

/** A file's bytes are not what was received: the transfer is cut before they leave. */
export class DamagedContent extends Error {
  readonly fileId: number

  constructor(fileId: number, cause?: unknown) {
    super(`the bytes of file ${fileId} have changed on disk`, { cause })
    this.fileId = fileId
  }
}

/**
 * Puts the pieces of a content one after the other into buffers, and checks each block before any
 * of its bytes is handed out.
 *
 * A block that is wanted whole and fits is read to where it belongs. Any other goes through a
 * scratch buffer: the first and the last one of a range, and all of them when the buffers are
 * small. Nothing of it is kept between two buffers: a slow client must not hold memory.
 */
export class Filler {
  readonly #pieces: Iterator<ContentPiece>
  readonly #segments: SegmentSource
  #piece: ContentPiece | null = null
  /** Bytes of the piece that were handed out. */
  #done = 0
  /** Of a slice that is longer than a block: what of it was read. */
  #crc = 0

  constructor(pieces: Iterable<ContentPiece>, segments: SegmentSource) {
    this.#pieces = pieces[Symbol.iterator]()
    this.#segments = segments
  }

  /**
   * Fills the buffer, at least half of it, as far as there is content; 0 means the end.
   * @throws DamagedContent; what reading throws
   */
  async fill(buffer: Buffer): Promise<number> {
    const planned: Planned[] = []
    let filled = 0
    while (filled < buffer.length) {
      this.#piece ??= this.#nextPiece()
      if (!this.#piece) break
      const room = buffer.length - filled
      if (this.#piece.kind === 'bytes') {
        filled += this.#copy(this.#piece.bytes, buffer, filled)
      } else if (isLong(this.#piece.slice) || this.#fitsWhole(this.#piece, room)) {
        filled += this.#plan(this.#piece, buffer, filled, planned)
      } else if (this.#fitsWhole(this.#piece, buffer.length) && filled >= buffer.length / 2) {
        break
      } else {
        filled += await this.#copyFromBlock(this.#piece, buffer, filled)
      }
    }
    await gather(planned.map(wantedOf), this.#segments, buffer, damaged)
    for (const part of planned) this.#check(part, buffer)
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

  /** Whether nothing of the block was handed out yet, and all of it is wanted and fits. */
  #fitsWhole({ slice }: SlicePiece, room: number): boolean {
    const isWhole = slice.from === 0 && slice.to === slice.length
    return this.#done === 0 && isWhole && slice.length <= room
  }

  /** A whole block; or of a longer slice as much as there is room for. */
  #plan(piece: SlicePiece, buffer: Buffer, offset: number, planned: Planned[]): number {
    const { slice } = piece
    const start = this.#done
    const length = Math.min(slice.length - start, buffer.length - offset)
    planned.push({ piece, start, length, offset })
    this.#advance(slice, length)
    return length
  }

  async #copyFromBlock(piece: SlicePiece, buffer: Buffer, offset: number): Promise<number> {
    const { slice, fileId } = piece
    const { segmentId, position, length } = slice
    return this.#segments.scratch.use(async (block) => {
      const wanted = { fileId, segmentId, position, length, offset: 0 }
      await gather([wanted], this.#segments, block, damaged)
      const whole = block.subarray(0, length)
      if (slice.crc !== null && crc32(whole) !== slice.crc) throw new DamagedContent(fileId)
      const count = whole.copy(buffer, offset, slice.from + this.#done, slice.to)
      this.#advance(slice, count)
      return count
    })
  }

  #advance(slice: SegmentSlice, count: number): void {
    this.#done += count
    if (this.#done === slice.to - slice.from) this.#piece = null
  }

  #check({ piece: { slice, fileId }, start, length, offset }: Planned, buffer: Buffer): void {
    if (slice.crc === null) return
    this.#crc = crc32(buffer.subarray(offset, offset + length), start === 0 ? 0 : this.#crc)
    const isLast = start + length === slice.length
    if (isLast && this.#crc !== slice.crc) throw new DamagedContent(fileId)
  }
}

type SlicePiece = Extract<ContentPiece, { kind: 'slice' }>

/** What of a slice goes into one buffer. */
interface Planned {
  readonly piece: SlicePiece
  readonly start: number
  readonly length: number
  readonly offset: number
}

/** An extent from before blocks were kept: checked as far as all of it is sent. */
function isLong(slice: SegmentSlice): boolean {
  return slice.length > blockBytes
}

function wantedOf({ piece: { slice, fileId }, start, length, offset }: Planned): Wanted {
  const { segmentId, position } = slice
  return { fileId, segmentId, position: position + start, length, offset }
}

/** A segment that could not be opened for want of a descriptor is as good as before. */
function damaged(fileId: number, cause: unknown): Error {
  return descriptorShortage(cause) ?? new DamagedContent(fileId, cause)
}
