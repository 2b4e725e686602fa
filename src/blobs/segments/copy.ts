import { crc32 } from 'node:zlib'
import type { Lane } from './segment-writer.ts'
import type { PinnedSegment } from './segment-files.ts'

const bufferBytes = 1024 * 1024
const syncEveryBytes = 8 * 1024 * 1024

/** Some bytes of a segment, and what they must hash to. */
export interface CopiedExtent {
  readonly offset: number
  readonly length: number
  readonly crc: number
}

/** Bytes on disk are not what was received. */
export class DamagedExtent<Extent extends CopiedExtent> extends Error {
  readonly extent: Extent

  constructor(extent: Extent) {
    super('bytes of a segment have changed on disk')
    this.extent = extent
  }
}

/**
 * Appends extents of a segment to a lane, one behind the other, through one buffer of 1 MiB; each
 * is checked against its CRC-32. Nothing is synced for certain before `lane.sync()`.
 * @returns where each of them begins in the lane's segment
 * @throws DamagedExtent; the signal's reason; what reading and appending throw. The lane's owner
 *   takes back what was appended.
 */
export async function copyExtents<Extent extends CopiedExtent>(
  segment: PinnedSegment,
  extents: readonly Extent[],
  lane: Lane,
  signal: AbortSignal,
): Promise<number[]> {
  const buffer = Buffer.allocUnsafeSlow(bufferBytes)
  const places: number[] = []
  let filled = 0
  const flush = async () => {
    if (filled === 0) return
    await lane.append([buffer.subarray(0, filled)])
    filled = 0
    if (lane.unsyncedBytes >= syncEveryBytes) lane.requestSync()
  }
  for (const extent of extents) {
    places.push(lane.position + filled)
    let crc = 0
    for (let done = 0; done < extent.length;) {
      if (signal.aborted) throw signal.reason
      const count = Math.min(buffer.length - filled, extent.length - done)
      await segment.read(buffer, filled, count, extent.offset + done)
      crc = crc32(buffer.subarray(filled, filled + count), crc)
      filled += count
      done += count
      if (filled === buffer.length) await flush()
    }
    if (crc !== extent.crc) throw new DamagedExtent(extent)
  }
  await flush()
  return places
}
