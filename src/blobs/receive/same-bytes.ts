import { isSystemError } from '../../lib/errors.ts'
import type { SegmentWriter } from '../segments/segment-writer.ts'
import { isUnreadable, SegmentDamaged, type SegmentFiles } from '../segments/segment-files.ts'
import type { Chunk } from './sql.ts'

const compareBytes = 256 * 1024

/**
 * Whether bytes just appended to a segment writer equal those of a chunk that arrived before. Equal
 * CRC-32s do not prove it: a client may change a file and keep its CRC.
 */
export async function hasSameBytes(
  files: SegmentFiles,
  writer: SegmentWriter,
  offset: number,
  old: Chunk,
): Promise<boolean> {
  try {
    const segment = await files.pin(writer.containerId, old.segmentId)
    try {
      const buffer = Buffer.allocUnsafeSlow(Math.min(compareBytes, Math.max(1, old.length)))
      let isSame = true
      let done = 0
      await writer.readBack(offset, old.length, async (data) => {
        const stored = buffer.subarray(0, data.length)
        await segment.read(stored, 0, data.length, old.segmentOffset + done)
        isSame &&= stored.equals(data)
        done += data.length
      })
      return isSame
    } finally {
      segment.release()
    }
  } catch (error) {
    // Unreadable bytes must not win over those that just arrived.
    const isLost = error instanceof SegmentDamaged || isSystemError(error, 'ENOENT')
    if (isLost || isUnreadable(error)) return false
    throw error
  }
}
