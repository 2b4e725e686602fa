import type { ByteWriter } from '../http/answer.ts'
import type { Content } from './content.ts'
import { Filler } from './filler.ts'
import type { SegmentSource } from './gather.ts'

export const bufferBytesMax = 512 * 1024
export const bufferBytesMin = 128 * 1024
const firstBytesMax = 64 * 1024

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
