import { isSystemError } from '../../lib/errors.ts'
import type { Lane } from '../segments/segment-writer.ts'
import { isUnreadable, SegmentDamaged, type SegmentFiles } from '../segments/segment-files.ts'
import type { ChunkRow } from './sql.ts'

const compareBytes = 256 * 1024

/**
 * Whether bytes just appended to a lane are those of a chunk that arrived before. CRC-32s alone do
 * not tell: a sender may have changed a file and kept its CRC.
 */
export async function hasSameBytes(
  files: SegmentFiles,
  lane: Lane,
  offset: number,
  old: ChunkRow,
): Promise<boolean> {
  try {
    const segment = await files.pin(lane.parcelId, old.segmentId)
    try {
      const buffer = Buffer.allocUnsafeSlow(Math.min(compareBytes, Math.max(1, old.length)))
      let isSame = true
      let done = 0
      await lane.readBack(offset, old.length, async (data) => {
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
    // What cannot be read must not be kept in favour of what just came.
    const isLost = error instanceof SegmentDamaged || isSystemError(error, 'ENOENT')
    if (isLost || isUnreadable(error)) return false
    throw error
  }
}
