import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { CodedError, isSystemError } from '../../lib/errors.ts'
import { OpenFile } from './open-file.ts'
import { segmentFile } from './parcel-folder.ts'
import type { StorageRoot } from '../storage-root.ts'

interface OpenSegment {
  readonly name: string
  readonly file: Promise<OpenFile>
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

/** True when there is no such file, or something in its place that cannot be a segment. */
export function isMissing(error: unknown): boolean {
  return isSystemError(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP')
}

/** A segment has fewer bytes than a row says: never padded, always an error. */
export class SegmentDamaged extends CodedError {
  constructor(name: string) {
    super('internal', { cause: new Error(`${name} is shorter than its extents`) })
  }
}

/** True when bytes are not there, as against bytes that are other ones. */
export function isLost(error: unknown): boolean {
  return isMissing(error) || error instanceof SegmentDamaged
}

/**
 * Segments open for reading, one file for all transfers that read the same one. It is closed when
 * the last of them has released it and its last read has settled.
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
  async pin(parcelId: string, segmentId: string): Promise<PinnedSegment> {
    const segment = this.#use(parcelId, segmentId)
    let released = false
    const release = () => {
      if (released) return
      released = true
      this.#leave(segmentId, segment)
    }
    try {
      const file = await segment.file
      return {
        read: (target, offset, length, position) =>
          this.#readFully(segmentId, segment, file, { target, offset, length, position }),
        release,
      }
    } catch (error) {
      release()
      throw error
    }
  }

  /**
   * How long a segment is on disk; null when its file is gone, or something else is in its place.
   * Throws other system errors.
   */
  async bytesOnDisk(parcelId: string, segmentId: string): Promise<number | null> {
    return (await this.look(parcelId, segmentId))?.bytes ?? null
  }

  /** The same, with when it was written to last. */
  async look(
    parcelId: string,
    segmentId: string,
  ): Promise<{ bytes: number; writtenAt: Date } | null> {
    const found = await look(segmentFile(this.#root.folder, parcelId, segmentId))
    return found && { bytes: found.size, writtenAt: found.mtime }
  }

  /** Makes everything written to a segment so far durable, by any process. */
  async sync(parcelId: string, segmentId: string): Promise<void> {
    const file = await OpenFile.open(segmentFile(this.#root.folder, parcelId, segmentId), 'r+')
    try {
      await file.sync()
    } finally {
      await file.close()
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
    const segment: OpenSegment = { name, file: OpenFile.open(name, 'r'), users: 1 }
    this.#open.set(segmentId, segment)
    return segment
  }

  #leave(segmentId: string, segment: OpenSegment): void {
    segment.users -= 1
    if (segment.users > 0) return
    this.#forget(segmentId, segment)
    // A file that was never opened needs no closing; a failed close leaves nothing to do.
    segment.file.then((file) => file.close()).catch(() => {})
  }

  /** The next reader opens the segment again; those who have it keep what they have. */
  #forget(segmentId: string, segment: OpenSegment): void {
    if (this.#open.get(segmentId) === segment) this.#open.delete(segmentId)
  }

  async #readFully(
    segmentId: string,
    segment: OpenSegment,
    file: OpenFile,
    wanted: { target: Buffer; offset: number; length: number; position: number },
  ): Promise<void> {
    const { target, offset, length, position } = wanted
    let done = 0
    while (done < length) {
      const count = await file
        .read(target, offset + done, length - done, position + done)
        .catch((error: unknown) => {
          // An open file may fail for ever though its disk is back.
          this.#forget(segmentId, segment)
          throw error
        })
      if (count === 0) throw await this.#tooShort(segmentId, segment, position + length)
      done += count
    }
  }

  /**
   * Damage, unless the file of that name does hold the bytes: network file systems can serve a
   * handle from before it grew. Then the client tries again, with a file opened afresh.
   */
  async #tooShort(segmentId: string, segment: OpenSegment, end: number): Promise<CodedError> {
    if (((await look(segment.name))?.size ?? 0) < end) return new SegmentDamaged(segment.name)
    this.#forget(segmentId, segment)
    return new CodedError('unavailable', { headers: { 'Retry-After': '1' } })
  }
}

/** Null unless a regular file is there. */
async function look(name: string): Promise<Stats | null> {
  try {
    const found = await stat(name)
    return found.isFile() ? found : null
  } catch (error) {
    // Not EACCES: wrong permissions lose nothing.
    if (isMissing(error) || isSystemError(error, 'EIO')) return null
    throw error
  }
}

/**
 * True for errors of one thing on the disk, beside which others may be fine: not a segment or not a
 * folder, not ours, or in a sector that cannot be read. When the whole disk is away it says so too:
 * ask `isMounted`.
 */
export function isUnreadable(error: unknown): boolean {
  return isSystemError(error, 'EISDIR', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM', 'EIO')
}
