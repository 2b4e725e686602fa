import { CodedError, isSystemError, unavailable } from '../../lib/errors.ts'
import { isMissing, type BlobReader, type StorageRoot } from '../store/store.ts'

interface OpenSegment {
  readonly containerId: string
  readonly segmentId: string
  readonly file: Promise<BlobReader>
  users: number
}

/** An open segment: readable until released, even when its name is deleted meanwhile. */
export interface PinnedSegment {
  /**
   * Fills `target[offset, offset + length)` from a position in the segment.
   * @throws SegmentDamaged when the segment is too short; system errors
   */
  read(target: Buffer, offset: number, length: number, position: number): Promise<void>
  /**
   * Reads once into all of these buffers, one after the other.
   * @returns number of bytes; fewer than they hold say nothing about the segment: `read` does
   * @throws system errors
   */
  scatter(targets: readonly Buffer[], position: number): Promise<number>
  release(): void
}

/** A segment has fewer bytes than its rows say; it is never padded. */
export class SegmentDamaged extends CodedError {
  constructor(name: string) {
    super('internal', { cause: new Error(`${name} is shorter than its extents`) })
  }
}

/** True when bytes are missing, as opposed to changed. */
export function isLost(error: unknown): boolean {
  return isMissing(error) || error instanceof SegmentDamaged
}

/**
 * Segments that are open for reading, with one file shared by all their readers. It is closed when
 * the last reader has released it and its last read has settled.
 */
export class SegmentFiles {
  readonly #root: StorageRoot
  readonly #open = new Map<string, OpenSegment>()

  constructor(root: StorageRoot) {
    this.#root = root
  }

  get openCount(): number {
    return this.#open.size
  }

  /** @throws system errors: ENOENT when the bytes are gone */
  async pin(containerId: string, segmentId: string): Promise<PinnedSegment> {
    const segment = this.#use(containerId, segmentId)
    let released = false
    const release = () => {
      if (released) return
      released = true
      this.#leave(segment)
    }
    try {
      const file = await segment.file
      return {
        read: (target, offset, length, position) =>
          this.#readFully(segment, file, { target, offset, length, position }),
        scatter: (targets, position) => file.scatter(targets, position),
        release,
      }
    } catch (error) {
      release()
      throw error
    }
  }

  /**
   * Stored length of a segment; null when it is gone, or something else has its name. Throws other
   * system errors.
   */
  bytesOnDisk(containerId: string, segmentId: string): Promise<number | null> {
    return this.#root.sizeOf(containerId, segmentId)
  }

  #use(containerId: string, segmentId: string): OpenSegment {
    const known = this.#open.get(segmentId)
    if (known) {
      known.users += 1
      return known
    }
    const file = this.#root.open(containerId, segmentId)
    const segment: OpenSegment = { containerId, segmentId, file, users: 1 }
    this.#open.set(segmentId, segment)
    return segment
  }

  #leave(segment: OpenSegment): void {
    segment.users -= 1
    if (segment.users > 0) return
    this.#forget(segment)
    // A file that was never opened needs no close; a failed close leaves nothing to do.
    segment.file.then((file) => file.close()).catch(() => {})
  }

  /** The next reader opens the segment again; present readers keep their file. */
  #forget(segment: OpenSegment): void {
    const { segmentId } = segment
    if (this.#open.get(segmentId) === segment) this.#open.delete(segmentId)
  }

  async #readFully(
    segment: OpenSegment,
    file: BlobReader,
    wanted: { target: Buffer; offset: number; length: number; position: number },
  ): Promise<void> {
    const { target, offset, length, position } = wanted
    let done = 0
    while (done < length) {
      const count = await file
        .read(target, offset + done, length - done, position + done)
        .catch((error: unknown) => {
          // A file may keep failing even after its disk is back.
          this.#forget(segment)
          throw error
        })
      if (count === 0) throw await this.#tooShort(segment, position + length)
      done += count
    }
  }

  /**
   * Reports damage, unless the file of that name does hold the bytes: network file systems may
   * serve a handle from before the file grew. Then the client tries again with a newly opened file.
   */
  async #tooShort(segment: OpenSegment, end: number): Promise<CodedError> {
    const { containerId, segmentId } = segment
    const bytes = (await this.bytesOnDisk(containerId, segmentId)) ?? 0
    if (bytes < end) return new SegmentDamaged(`segment ${segmentId} of ${containerId}`)
    this.#forget(segment)
    return unavailable(1)
  }
}

/**
 * True for errors of a single object on disk, beside which others may be fine: wrong type, wrong
 * owner, or an unreadable sector. These also occur when the whole disk is gone: ask `isPresent`.
 */
export function isUnreadable(error: unknown): boolean {
  return isSystemError(error, 'EISDIR', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM', 'EIO')
}
