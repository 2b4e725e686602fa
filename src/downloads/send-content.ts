import { crc32 } from 'node:zlib'
import type { ByteWriter } from '../http/answer.ts'
import type { PinnedSegment } from '../storage/segment-files.ts'
import type { Content, ContentPiece } from './content.ts'

export const bufferBytesMax = 512 * 1024
export const bufferBytesMin = 128 * 1024
const firstBytesMax = 64 * 1024

/** Where the bytes of segments are read. */
export interface SegmentSource {
  get(segmentId: string): Pick<PinnedSegment, 'read'> | undefined
}

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
    let filled = 0
    while (filled < buffer.length) {
      this.#piece ??= this.#nextPiece()
      if (!this.#piece) break
      filled +=
        this.#piece.kind === 'bytes'
          ? this.#copy(this.#piece.bytes, buffer, filled)
          : await this.#read(this.#piece, buffer, filled)
    }
    return filled
  }

  #nextPiece(): ContentPiece | null {
    const next = this.#pieces.next()
    this.#done = 0
    this.#crc = 0
    return next.done ? null : next.value
  }

  #copy(bytes: Buffer, buffer: Buffer, offset: number): number {
    const count = bytes.copy(buffer, offset, this.#done)
    this.#done += count
    if (this.#done === bytes.length) this.#piece = null
    return count
  }

  async #read(
    piece: Extract<ContentPiece, { kind: 'slice' }>,
    buffer: Buffer,
    offset: number,
  ): Promise<number> {
    const { slice, fileId } = piece
    const segment = this.#segments.get(slice.segmentId)
    if (!segment) throw new Error('a segment was not pinned')
    const count = Math.min(slice.length - this.#done, buffer.length - offset)
    try {
      await segment.read(buffer, offset, count, slice.position + this.#done)
    } catch (error) {
      throw new DamagedContent(fileId, error)
    }
    this.#done += count
    if (slice.crc !== null) {
      this.#crc = crc32(buffer.subarray(offset, offset + count), this.#crc)
      const isOver = this.#done === slice.length
      if (isOver && this.#crc !== slice.crc) throw new DamagedContent(fileId)
    }
    if (this.#done === slice.length) this.#piece = null
    return count
  }
}
