import type { PinnedSegment, SegmentFiles } from './segment-files.ts'

const openMax = 16

/**
 * Segments of many parcels, read one after the other: opened when their turn comes, and at most 16
 * held open, so that an archive of thousands of deliveries does not take thousands of descriptors.
 * A segment whose parcel is deleted before its turn cannot be read any more. For one reader.
 */
export class SegmentWindow {
  readonly #files: SegmentFiles
  readonly #parcelOf: ReadonlyMap<string, string>
  /** The least recently read first. */
  readonly #open = new Map<string, PinnedSegment>()

  /** @param parcelOf the parcel of every segment that may be asked for */
  constructor(files: SegmentFiles, parcelOf: ReadonlyMap<string, string>) {
    this.#files = files
    this.#parcelOf = parcelOf
  }

  get(segmentId: string): Pick<PinnedSegment, 'read'> | undefined {
    const parcelId = this.#parcelOf.get(segmentId)
    if (parcelId === undefined) return undefined
    return {
      read: async (target, offset, length, position) => {
        const segment = await this.#pin(parcelId, segmentId)
        await segment.read(target, offset, length, position)
      },
    }
  }

  /** Call when no read runs any more. */
  release(): void {
    for (const segment of this.#open.values()) segment.release()
    this.#open.clear()
  }

  async #pin(parcelId: string, segmentId: string): Promise<PinnedSegment> {
    const known = this.#open.get(segmentId)
    const segment = known ?? (await this.#files.pin(parcelId, segmentId))
    this.#open.delete(segmentId)
    this.#open.set(segmentId, segment)
    for (const [oldest, unused] of this.#open) {
      if (this.#open.size <= openMax) break
      unused.release()
      this.#open.delete(oldest)
    }
    return segment
  }
}
