import { crc32 } from '../../lib/crc32.ts'
import type { ContentPiece, SlicePiece, SegmentSlice, Content } from './content.ts'
import { blame, DamagedContent, type FileBytes } from './damage.ts'
import type { PinnedSegment, SegmentFiles } from '../segments/segment-files.ts'
import { unavailable } from '../../lib/errors.ts'
import { blockBytes } from '../segments/block-checksums.ts'
import type { Storage } from '../storage.ts'
import { inOrder, Permits } from '../../lib/permits.ts'

/**
 * Copies the pieces of a content into buffers in order, and checks each block before any of its
 * bytes is handed out.
 *
 * A block that is wanted whole and fits is read directly into place. Others go through a scratch
 * buffer: the first and the last one of a range, and all of them when the buffers are small. It is
 * not kept between two buffers, so that a slow client holds no memory.
 */
export class Filler {
  readonly #pieces: Iterator<ContentPiece>
  readonly #segments: SegmentSource
  #piece: ContentPiece | null = null
  /** Bytes of the piece handed out so far. */
  #done = 0

  constructor(pieces: Iterable<ContentPiece>, segments: SegmentSource) {
    this.#pieces = pieces[Symbol.iterator]()
    this.#segments = segments
  }

  /**
   * Fills at least half of the buffer, unless the content ends.
   * @param handOver takes the full buffer while the present block has more bytes, and tells
   *   whether it may be filled again at once: several small buffers then share one read of a block
   * @returns number of bytes in the buffer that were not handed over
   * @throws DamagedContent; errors of reading
   */
  async fill(buffer: Buffer, handOver?: HandOver): Promise<number> {
    const planned: Planned[] = []
    let filled = 0
    while (filled < buffer.length) {
      this.#piece ??= this.#nextPiece()
      if (!this.#piece) break
      const room = buffer.length - filled
      if (this.#piece.kind === 'bytes') {
        filled += this.#copy(this.#piece.bytes, buffer, filled)
      } else if (this.#fitsWhole(this.#piece, room)) {
        const { fileId, slice } = this.#piece
        const { segmentId, position, length, crc } = slice
        planned.push({ fileId, segmentId, position, length, offset: filled, crc })
        filled += length
        this.#piece = null
      } else if (this.#fitsWhole(this.#piece, buffer.length) && filled >= buffer.length / 2) {
        break
      } else {
        const mayHandOver = planned.length === 0 ? handOver : undefined
        const end = await this.#copyFromBlock(this.#piece, buffer, filled, mayHandOver)
        if (end === 'handed over') return 0
        filled = end
      }
    }
    await gather(planned, this.#segments, buffer)
    for (const { fileId, segmentId, offset, length, crc } of planned) {
      const block = buffer.subarray(offset, offset + length)
      if (crc32(block) !== crc) throw new DamagedContent(fileId, segmentId)
    }
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

  /** Whether the whole block is wanted, fits, and none of it was handed out yet. */
  #fitsWhole({ slice }: SlicePiece, room: number): boolean {
    const isWhole = slice.from === 0 && slice.to === slice.length
    return this.#done === 0 && isWhole && slice.length <= room
  }

  /** Returns the end of the copied bytes in the buffer. */
  async #copyFromBlock(
    piece: SlicePiece,
    buffer: Buffer,
    offset: number,
    handOver?: HandOver,
  ): Promise<number | 'handed over'> {
    const { slice, fileId } = piece
    const { segmentId, position, length } = slice
    return this.#segments.scratch.use(async (block) => {
      const wanted = { fileId, segmentId, position, length, offset: 0 }
      await gather([wanted], this.#segments, block)
      const whole = block.subarray(0, length)
      if (crc32(whole) !== slice.crc) throw new DamagedContent(fileId, segmentId)
      for (let start = offset; ; start = 0) {
        const count = whole.copy(buffer, start, slice.from + this.#done, slice.to)
        this.#advance(slice, count)
        if (this.#piece === null || !handOver) return start + count
        if (!handOver(start + count)) return 'handed over'
      }
    })
  }

  #advance(slice: SegmentSlice, count: number): void {
    this.#done += count
    if (this.#done === slice.to - slice.from) this.#piece = null
  }
}

type HandOver = (filled: number) => boolean

/** A whole block that is read directly into its place. */
interface Planned extends Wanted {
  readonly crc: number
}

export interface SegmentSource {
  read(segmentId: string, ...call: Parameters<PinnedSegment['read']>): Promise<void>
  scatter(segmentId: string, targets: readonly Buffer[], position: number): Promise<number>
  /** One block, for blocks that cannot be read directly into place. */
  readonly scratch: ScratchBuffers
}

/** Bytes and their place in the buffer. */
interface Wanted extends FileBytes {
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
async function gather(wanted: readonly Wanted[], segments: SegmentSource, buffer: Buffer) {
  for (const run of runsOf(mergeNeighbours(wanted))) {
    if (run.length > 1 && (await scatterRun(run, segments, buffer))) continue
    for (const next of run) {
      const { segmentId, offset, length, position } = next
      await segments.read(segmentId, buffer, offset, length, position).catch((error: unknown) => {
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
  segments: SegmentSource,
  buffer: Buffer,
): Promise<boolean> {
  const { segmentId, position: start } = run[0]!
  const targets: Buffer[] = []
  let end = start
  for (const { position, length, offset } of run) {
    if (position > end) targets.push(gapBytes.subarray(0, position - end))
    targets.push(buffer.subarray(offset, offset + length))
    end = position + length
  }
  try {
    return (await segments.scatter(segmentId, targets, start)) === end - start
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

/** Pieces examined before the first byte: most segments of a range of one file. */
const lookedAtMax = 256
const openMax = 16

/** Opens segments for transfers. Scratch buffers for blocks are limited to sixteen. */
export class SegmentOpener {
  readonly #storage: Storage
  readonly #scratch = new ScratchBuffers(blockBytes, 16)

  constructor(storage: Storage) {
    this.#storage = storage
  }

  /**
   * @throws CodedError unavailable when one of its segments was removed before its transfer was
   *   known
   */
  requirePresent({ segments }: Content): void {
    if (this.#storage.removed.includesAnyOf(segments)) {
      throw unavailable(1)
    }
  }

  /**
   * Opens the first segments of a range, so that a client is not promised missing bytes.
   * @throws DamagedContent; system errors
   */
  async open(
    content: Content,
    { start, end }: { start: number; end: number },
  ): Promise<OpenSegments> {
    const opened = new OpenSegments(this.#storage.files, content.segments, this.#scratch)
    let looked = 0
    try {
      for (const piece of content.pieces(start, end)) {
        if (looked++ === lookedAtMax) break
        if (piece.kind === 'slice') await openOrBlame(opened, piece)
      }
    } catch (error) {
      opened.release()
      throw error
    }
    return opened
  }
}

async function openOrBlame(segments: OpenSegments, { slice, fileId }: SlicePiece): Promise<void> {
  try {
    await segments.open(slice.segmentId)
  } catch (error) {
    throw blame({ ...slice, fileId }, error)
  }
}

/**
 * The segments of a content, opened on demand until released, with at most 16 open at once: an
 * archive with thousands of them does not need as many descriptors. Open segments stay readable
 * when they are deleted; others are gone.
 */
export class OpenSegments implements SegmentSource {
  readonly scratch: ScratchBuffers
  readonly #files: SegmentFiles
  readonly #containers: Content['segments']
  /** Least recently read first. */
  readonly #open = new Map<string, PinnedSegment>()
  #isReleased = false

  constructor(files: SegmentFiles, containers: Content['segments'], scratch: ScratchBuffers) {
    this.#files = files
    this.#containers = containers
    this.scratch = scratch
  }

  /** Opens a segment ahead, unless the window is full. Throws system errors: ENOENT. */
  async open(segmentId: string): Promise<void> {
    if (this.#open.size < openMax && !this.#open.has(segmentId)) await this.#pin(segmentId)
  }

  async read(segmentId: string, ...call: Parameters<PinnedSegment['read']>): Promise<void> {
    await (await this.#pin(segmentId)).read(...call)
  }

  async scatter(segmentId: string, targets: readonly Buffer[], position: number): Promise<number> {
    return (await this.#pin(segmentId)).scatter(targets, position)
  }

  /** Call when no read is running. */
  release(): void {
    this.#isReleased = true
    for (const segment of this.#open.values()) segment.release()
    this.#open.clear()
  }

  async #pin(segmentId: string): Promise<PinnedSegment> {
    const known = this.#open.get(segmentId)
    if (!known) this.#makeRoom()
    const containerId = this.#containers.get(segmentId)!
    const segment = known ?? (await this.#files.pin(containerId, segmentId))
    if (this.#isReleased) {
      segment.release()
      throw new Error('the segments were released')
    }
    this.#open.delete(segmentId)
    this.#open.set(segmentId, segment)
    return segment
  }

  #makeRoom(): void {
    for (const [oldest, unused] of this.#open) {
      if (this.#open.size < openMax) return
      unused.release()
      this.#open.delete(oldest)
    }
  }
}

/** A few buffers for short work: each lent to one task, in the order of requests. */
export class ScratchBuffers {
  readonly #bytes: number
  readonly #idle: Buffer[] = []
  readonly #permits: Permits

  /** @param count buffers that may be lent at the same time; more tasks wait */
  constructor(bytes: number, count: number) {
    this.#bytes = bytes
    this.#permits = new Permits(inOrder(count))
  }

  /** @throws CodedError unavailable when too many wait; errors of the task */
  use<T>(task: (buffer: Buffer) => Promise<T>): Promise<T> {
    return this.#permits.run(async () => {
      const buffer = this.#idle.pop() ?? Buffer.allocUnsafeSlow(this.#bytes)
      try {
        return await task(buffer)
      } finally {
        this.#idle.push(buffer)
      }
    })
  }
}
