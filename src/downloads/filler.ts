import { crc32 } from 'node:zlib'
import type { ContentPiece } from './content.ts'
import { gather, type SegmentSource, type Wanted } from './gather.ts'

/** A file's bytes are not what was received: the transfer is cut before they leave. */
export class DamagedContent extends Error {
  readonly fileId: number

  constructor(fileId: number, cause?: unknown) {
    super(`the bytes of file ${fileId} have changed on disk`, { cause })
    this.fileId = fileId
  }
}

/** Puts the pieces of a content one after the other into buffers. */
export class Filler {
  readonly #pieces: Iterator<ContentPiece>
  readonly #segments: SegmentSource
  #piece: ContentPiece | null = null
  #done = 0
  #crc = 0

  constructor(pieces: Iterable<ContentPiece>, segments: SegmentSource) {
    this.#pieces = pieces[Symbol.iterator]()
    this.#segments = segments
  }

  /**
   * Fills the buffer as far as there is content; 0 means the end.
   * @throws DamagedContent; what reading throws
   */
  async fill(buffer: Buffer): Promise<number> {
    const parts: SlicePart[] = []
    let filled = 0
    while (filled < buffer.length) {
      this.#piece ??= this.#nextPiece()
      if (!this.#piece) break
      filled +=
        this.#piece.kind === 'bytes'
          ? this.#copy(this.#piece.bytes, buffer, filled)
          : this.#plan(this.#piece, buffer, filled, parts)
    }
    const damaged = (fileId: number, cause: unknown) => new DamagedContent(fileId, cause)
    await gather(parts, this.#segments, buffer, damaged)
    for (const part of parts) this.#check(part, buffer)
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

  #plan(piece: SlicePiece, buffer: Buffer, offset: number, parts: SlicePart[]): number {
    const { slice, fileId } = piece
    const length = Math.min(slice.length - this.#done, buffer.length - offset)
    const position = slice.position + this.#done
    parts.push({
      fileId,
      segmentId: slice.segmentId,
      position,
      length,
      offset,
      crc: slice.crc,
      isFirst: this.#done === 0,
      isLast: this.#done + length === slice.length,
    })
    this.#done += length
    if (this.#done === slice.length) this.#piece = null
    return length
  }

  #check({ crc, isFirst, isLast, fileId, offset, length }: SlicePart, buffer: Buffer): void {
    if (crc === null) return
    this.#crc = crc32(buffer.subarray(offset, offset + length), isFirst ? 0 : this.#crc)
    if (isLast && this.#crc !== crc) throw new DamagedContent(fileId)
  }
}

type SlicePiece = Extract<ContentPiece, { kind: 'slice' }>

/** What of a slice goes into one buffer. */
interface SlicePart extends Wanted {
  /** Of the whole slice; null when it is not to be checked. */
  readonly crc: number | null
  readonly isFirst: boolean
  readonly isLast: boolean
}
