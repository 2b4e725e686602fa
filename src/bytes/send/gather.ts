import type { ScratchBuffers } from './scratch-buffers.ts'
import type { PinnedSegment } from '../segments/segment-files.ts'

/** Reads bytes of segments. */
export interface SegmentSource {
  get(segmentId: string): SegmentReader | undefined
  /** One block, for blocks that cannot be read directly into place. */
  readonly scratch: ScratchBuffers
}

type SegmentReader = Pick<PinnedSegment, 'read' | 'scatter'>

/** Bytes of a segment and their place in the buffer. */
export interface Wanted {
  readonly fileId: number
  readonly segmentId: string
  readonly position: number
  readonly length: number
  readonly offset: number
}

/** For larger gaps between neighbours, reading the gap is not worthwhile. */
const gapBytesMax = 16 * 1024
/** Bounds what is read of gaps in one call. */
const runBytesMax = 1024 * 1024
/** With a gap before each, as many buffers as one call takes. */
const runLengthMax = 512

/** Takes the bytes of all gaps, which are never read. */
const gapBytes = Buffer.allocUnsafeSlow(gapBytesMax)

/**
 * Reads the wanted bytes into their places. Small files that were received together are close to
 * each other, though not in the order of the archive: close ones are read by one call that scatters
 * them, because a call costs as much as copying a hundred kilobytes.
 * @throws the `blame` of a reading error
 */
export async function gather(
  wanted: readonly Wanted[],
  segments: SegmentSource,
  buffer: Buffer,
  blame: (wanted: Wanted, error: unknown) => unknown,
): Promise<void> {
  for (const run of runsOf(mergeNeighbours(wanted))) {
    const [first] = run
    const segment = segments.get(first!.segmentId)
    if (!segment) throw new Error('a segment was not pinned')
    if (run.length > 1 && (await scatterRun(run, segment, buffer))) continue
    for (const next of run) {
      const { offset, length, position } = next
      await segment.read(buffer, offset, length, position).catch((error: unknown) => {
        throw blame(next, error)
      })
    }
  }
}

/** Blocks of a file that are adjacent both on disk and in the buffer become one read. */
function mergeNeighbours(wanted: readonly Wanted[]): readonly Wanted[] {
  const merged: Wanted[] = []
  for (const next of wanted) {
    const last = merged.at(-1)
    const isNext =
      last?.fileId === next.fileId &&
      last.segmentId === next.segmentId &&
      endOf(last) === next.position &&
      last.offset + last.length === next.offset
    if (isNext) merged[merged.length - 1] = { ...last, length: last.length + next.length }
    else merged.push(next)
  }
  return merged
}

/** False when it could not be read whole: single reads then show which file is to blame. */
async function scatterRun(
  run: readonly Wanted[],
  segment: SegmentReader,
  buffer: Buffer,
): Promise<boolean> {
  const start = run[0]!.position
  const targets: Buffer[] = []
  let end = start
  for (const { position, length, offset } of run) {
    if (position > end) targets.push(gapBytes.subarray(0, position - end))
    targets.push(buffer.subarray(offset, offset + length))
    end = position + length
  }
  try {
    return (await segment.scatter(targets, start)) === end - start
  } catch {
    return false
  }
}

/** Groups of neighbours, each ordered by offset. */
function runsOf(wanted: readonly Wanted[]): Wanted[][] {
  const sorted = wanted.toSorted((a, b) =>
    a.segmentId === b.segmentId ? a.position - b.position : a.segmentId < b.segmentId ? -1 : 1,
  )
  const runs: Wanted[][] = []
  for (const next of sorted) {
    const run = runs.at(-1)
    if (run && belongs(run, next)) run.push(next)
    else runs.push([next])
  }
  return runs
}

function belongs(run: readonly Wanted[], next: Wanted): boolean {
  if (run.length === runLengthMax) return false
  const last = run.at(-1)!
  const gap = next.position - endOf(last)
  const isNear = last.segmentId === next.segmentId && gap >= 0 && gap <= gapBytesMax
  return isNear && endOf(next) - run[0]!.position <= runBytesMax
}

function endOf(wanted: Wanted): number {
  return wanted.position + wanted.length
}
