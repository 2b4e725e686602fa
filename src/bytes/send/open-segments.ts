import { CodedError } from '../../lib/errors.ts'
import { blockBytes } from '../segments/block-checksums.ts'
import type { PinnedSegment, SegmentFiles } from '../segments/segment-files.ts'
import type { Storage } from '../storage.ts'
import type { Content, SlicePiece } from './content.ts'
import { blame } from './damage.ts'
import type { SegmentReader, SegmentSource } from './filler.ts'
import { inOrder, Permits } from '../../lib/permits.ts'

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
      throw new CodedError('unavailable', { headers: { 'Retry-After': '1' } })
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
 * The segments of a content, opened on demand until released, with at most 16 open at once: a share
 * of thousands of segments or an archive of thousands of deliveries does not need a descriptor for
 * each. Open segments stay readable when they are deleted; others are gone.
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
    if (this.#open.size === openMax || this.#open.has(segmentId)) return
    const containerId = this.#containers.get(segmentId)
    if (containerId !== undefined) await this.#pin(containerId, segmentId)
  }

  get(segmentId: string): SegmentReader | undefined {
    const containerId = this.#containers.get(segmentId)
    if (containerId === undefined) return undefined
    return {
      read: async (target, offset, length, position) => {
        const segment = await this.#pin(containerId, segmentId)
        await segment.read(target, offset, length, position)
      },
      scatter: async (targets, position) => {
        const segment = await this.#pin(containerId, segmentId)
        return segment.scatter(targets, position)
      },
    }
  }

  /** Call when no read is running. */
  release(): void {
    this.#isReleased = true
    for (const segment of this.#open.values()) segment.release()
    this.#open.clear()
  }

  async #pin(containerId: string, segmentId: string): Promise<PinnedSegment> {
    const known = this.#open.get(segmentId)
    if (!known) this.#makeRoom()
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
