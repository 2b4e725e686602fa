import { crc32 } from '../../lib/crc32.ts'
import type { SegmentWriter } from './segment-writer.ts'
import type { PinnedSegment } from './segment-files.ts'

const bufferBytes = 1024 * 1024
const syncEveryBytes = 8 * 1024 * 1024

/** Some bytes of a segment, and their expected checksum. */
export interface CopiedExtent {
  readonly offset: number
  readonly length: number
  readonly crc: number
}

/** Bytes on disk differ from those received. */
export class DamagedExtent<Extent extends CopiedExtent> extends Error {
  readonly extent: Extent

  constructor(extent: Extent) {
    super('bytes of a segment have changed on disk')
    this.extent = extent
  }
}

/**
 * Appends extents of a segment to a segment writer in order, through one buffer of 1 MiB, and
 * checks each against its CRC-32. They are durable only after `SegmentWriter.sync()`.
 * @returns the offset of each in its new segment
 * @throws DamagedExtent; the signal's reason; errors of reading and appending. The writer's owner
 *   rolls appended bytes back.
 */
export async function copyExtents<Extent extends CopiedExtent>(
  segment: PinnedSegment,
  extents: readonly Extent[],
  writer: SegmentWriter,
  signal: AbortSignal,
): Promise<number[]> {
  const buffer = Buffer.allocUnsafeSlow(bufferBytes)
  const places: number[] = []
  let filled = 0
  const flush = async () => {
    if (filled === 0) return
    await writer.append([buffer.subarray(0, filled)])
    filled = 0
    if (writer.unsyncedBytes >= syncEveryBytes) writer.requestSync()
  }
  for (const [number, extent] of extents.entries()) {
    const former = extents[number - 1]
    // Two names of one file.
    if (former?.offset === extent.offset && former.length === extent.length) {
      places.push(places.at(-1)!)
      continue
    }
    places.push(writer.position + filled)
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
