import type { PinnedSegment, SegmentFiles } from './segment-files.ts'

const openMax = 16

/**
 * The segments of one reader, opened on demand, with at most 16 open at once: a share of thousands
 * of segments or an archive of thousands of deliveries does not need a descriptor for each. Open
 * segments stay readable when they are deleted; others are gone.
 */
export class SegmentWindow {
  readonly #files: SegmentFiles
  readonly #containerOf: (segmentId: string) => string | undefined
  /** Least recently read first. */
  readonly #open = new Map<string, PinnedSegment>()
  #isReleased = false

  /** @param containerOf the container where a segment may be read */
  constructor(files: SegmentFiles, containerOf: (segmentId: string) => string | undefined) {
    this.#files = files
    this.#containerOf = containerOf
  }

  /** Opens a segment ahead, unless the window is full. Throws system errors: ENOENT. */
  async open(segmentId: string): Promise<void> {
    if (this.#open.size === openMax || this.#open.has(segmentId)) return
    const containerId = this.#containerOf(segmentId)
    if (containerId !== undefined) await this.#pin(containerId, segmentId)
  }

  get(segmentId: string): Pick<PinnedSegment, 'read' | 'scatter'> | undefined {
    const containerId = this.#containerOf(segmentId)
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
