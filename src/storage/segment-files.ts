import { CodedError } from '../lib/errors.ts'
import { closeFile, openFile, readOnce, syncData } from './file-calls.ts'
import { segmentFile } from './paths.ts'
import type { StorageRoot } from './storage-root.ts'

interface OpenSegment {
  readonly name: string
  file: Promise<number>
  users: number
}

/** An open segment: stays readable until released, even when its name is deleted meanwhile. */
export interface PinnedSegment {
  /**
   * Fills `target[offset, offset + length)` from a position of the segment.
   * @throws SegmentDamaged when the segment holds fewer bytes; system errors
   */
  read(target: Buffer, offset: number, length: number, position: number): Promise<void>
  release(): void
}

/** A segment has fewer bytes than a row says: never padded, always an error. */
export class SegmentDamaged extends CodedError {
  constructor(name: string) {
    super('internal', { cause: new Error(`${name} is shorter than its extents`) })
  }
}

/** Segments open for reading, one descriptor for all downloads that use the same one. */
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
  async pin(parcelId: string, segmentId: string): Promise<PinnedSegment> {
    const segment = this.#use(parcelId, segmentId)
    let released = false
    const release = () => {
      if (released) return
      released = true
      this.#leave(segmentId, segment)
    }
    try {
      await segment.file
    } catch (error) {
      release()
      throw error
    }
    return {
      read: (target, offset, length, position) =>
        readFully(segment, target, offset, length, position),
      release,
    }
  }

  /** Makes everything written to a segment so far durable, whoever wrote it. */
  async sync(parcelId: string, segmentId: string): Promise<void> {
    const file = await openFile(segmentFile(this.#root.folder, parcelId, segmentId), 'r+')
    try {
      await syncData(file)
    } finally {
      await closeFile(file)
    }
  }

  /** Pins several segments, or none when one of them cannot be opened. */
  async pinAll(
    parcelId: string,
    segmentIds: Iterable<string>,
  ): Promise<Map<string, PinnedSegment>> {
    const pinned = new Map<string, PinnedSegment>()
    try {
      for (const id of segmentIds) pinned.set(id, await this.pin(parcelId, id))
      return pinned
    } catch (error) {
      for (const segment of pinned.values()) segment.release()
      throw error
    }
  }

  #use(parcelId: string, segmentId: string): OpenSegment {
    const known = this.#open.get(segmentId)
    if (known) {
      known.users += 1
      return known
    }
    const name = segmentFile(this.#root.folder, parcelId, segmentId)
    const segment: OpenSegment = { name, file: openFile(name, 'r'), users: 1 }
    this.#open.set(segmentId, segment)
    return segment
  }

  #leave(segmentId: string, segment: OpenSegment): void {
    segment.users -= 1
    if (segment.users > 0) return
    this.#open.delete(segmentId)
    // A descriptor that was never opened needs no closing; a failed close leaves nothing to do.
    segment.file.then(closeFile).catch(() => {})
  }
}

async function readFully(
  segment: OpenSegment,
  target: Buffer,
  offset: number,
  length: number,
  position: number,
): Promise<void> {
  let done = 0
  let reopened = false
  while (done < length) {
    const file = await segment.file
    const count = await readOnce(file, target, offset + done, length - done, position + done)
    done += count
    if (count > 0) continue
    // Network file systems can serve a stale handle: one fresh look, then it is damage.
    if (reopened) throw new SegmentDamaged(segment.name)
    reopened = true
    segment.file = openFile(segment.name, 'r').then(async (fresh) => {
      await closeFile(file)
      return fresh
    })
  }
}
