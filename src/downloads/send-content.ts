import { crc32 } from 'node:zlib'
import type { ByteWriter } from '../http/answer.ts'
import type { Content, ContentPiece } from './content.ts'
import { gather, type SegmentSource, type Wanted } from './gather.ts'

export const bufferBytesMax = 512 * 1024
export const bufferBytesMin = 128 * 1024
const firstBytesMax = 64 * 1024

/** A file's bytes are not what was received: the transfer is cut before they leave. */
export class DamagedContent extends Error {
  readonly fileId: number

  constructor(fileId: number, cause?: unknown) {
    super(`the bytes of file ${fileId} have changed on disk`, { cause })
    this.fileId = fileId
  }
}

/**
 * Sends bytes [start, end) of a content. Two buffers take turns: while one drains into the socket
 * the other is filled from disk; a buffer is filled again only when its write has called back.
 * @param bufferBytes size of each of the two buffers
 * @param onSent called with the count of every write that has left for the kernel
 * @throws DamagedContent; what reading or writing throws
 */
export async function sendContent(
  writer: ByteWriter,
  content: Content,
  range: { start: number; end: number },
  segments: SegmentSource,
  bufferBytes: number,
  onSent: (bytes: number) => void,
): Promise<void> {
  const total = range.end - range.start
  const size = Math.max(1, Math.min(bufferBytes, total))
  const filler = new Filler(content.pieces(range.start, range.end), segments)
  const first = Buffer.allocUnsafeSlow(size)
  // Small first, so that it is soon known whether anybody wants more: see counting.ts.
  let buffer = first.subarray(0, firstBytesMax)
  let other = total > buffer.length ? Buffer.allocUnsafeSlow(size) : null
  let writing: Promise<void> = Promise.resolve()
  for (;;) {
    const filled = await bothSettled(filler.fill(buffer), writing)
    if (filled === 0) return
    const data = filled === buffer.length ? buffer : buffer.subarray(0, filled)
    writing = writer.write(data).then(() => onSent(filled))
    // Met at the next turn; until then its rejection is not unhandled.
    writing.catch(() => {})
    if (!other) return writing
    const drained = buffer.length < size ? first : buffer
    buffer = other
    other = drained
  }
}

/** Waits for both even when one fails: a read that still runs must not lose its descriptor. */
async function bothSettled(reading: Promise<number>, writing: Promise<void>): Promise<number> {
  const [read, written] = await Promise.allSettled([reading, writing])
  if (written.status === 'rejected') throw written.reason
  if (read.status === 'rejected') throw read.reason
  return read.value
}

/** Puts the pieces of a content one after the other into buffers. */
class Filler {
  readonly #pieces: Iterator<ContentPiece>
  readonly #segments: SegmentSource
  #piece: ContentPiece | null = null
  #done = 0
  #crc = 0

  constructor(pieces: Iterable<ContentPiece>, segments: SegmentSource) {
    this.#pieces = pieces[Symbol.iterator]()
    this.#segments = segments
  }

  /** Fills the buffer as far as there is content; 0 means the end. */
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
