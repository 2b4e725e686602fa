import type { ByteWriter } from '../http/answer.ts'
import type { Clock } from '../lib/clock.ts'
import type { TransferPermit } from './buffer-budget.ts'
import type { Content } from './content.ts'
import { Filler } from './filler.ts'
import type { SegmentSource } from './gather.ts'
import { BufferPair, Pace } from './paced-buffers.ts'

/** Small first, so that it is soon known whether the client wants more: see counting.ts. */
const firstBytes = 64 * 1024

/** What a transfer works with. */
export interface SendingParts {
  readonly writer: ByteWriter
  readonly segments: SegmentSource
  readonly permit: Pick<TransferPermit, 'resize'>
  readonly clock: Pick<Clock, 'monotonic'>
  /** Called with the count of every write that has left for the kernel. */
  readonly onSent: (bytes: number) => void
}

/**
 * Sends bytes [start, end) of a content. For a fast client two buffers take turns: while one drains
 * into the socket the other is filled from disk. A slow client gets one small buffer, which is
 * filled only when the socket has taken the one before: what is read ahead for it is in the kernel.
 * @throws DamagedContent; what reading or writing throws
 */
export async function sendContent(
  content: Content,
  range: { start: number; end: number },
  { writer, segments, permit, clock, onSent }: SendingParts,
): Promise<void> {
  const filler = new Filler(content.pieces(range.start, range.end), segments)
  const pace = new Pace(firstBytes)
  const buffers = new BufferPair(permit)
  let left = range.end - range.start
  let writing: Promise<void> = Promise.resolve()
  try {
    while (left > 0) {
      const readsAhead = pace.readsAhead && buffers.mayTakeTurns
      if (!readsAhead) await writing
      const buffer = buffers.next(pace.bufferBytes, left, readsAhead)
      const filled = await bothSettled(filler.fill(buffer), writing)
      if (filled === 0) throw new Error('a content is shorter than its size')
      const beganMs = clock.monotonic()
      writing = writer.write(buffer.subarray(0, filled)).then(() => {
        pace.drained(filled, clock.monotonic() - beganMs)
        onSent(filled)
      })
      // Met at the next turn; until then its rejection is not unhandled.
      writing.catch(() => {})
      left -= filled
    }
    await writing
  } finally {
    buffers.release()
  }
}

/** Waits for both even when one fails: a read that still runs must not lose its segment. */
async function bothSettled(reading: Promise<number>, writing: Promise<void>): Promise<number> {
  const [read, written] = await Promise.allSettled([reading, writing])
  if (written.status === 'rejected') throw written.reason
  if (read.status === 'rejected') throw read.reason
  return read.value
}
