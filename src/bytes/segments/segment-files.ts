import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { CodedError, isSystemError } from '../../lib/errors.ts'
import { OpenFile } from './open-file.ts'
import { segmentFile } from './container-folder.ts'
import type { StorageRoot } from '../storage-root.ts'

interface OpenSegment {
  readonly name: string
  readonly file: Promise<OpenFile>
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

/** True when the file is missing, or something else has its name. */
export function isMissing(error: unknown): boolean {
  return isSystemError(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP')
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
      this.#leave(segmentId, segment)
    }
    try {
      const file = await segment.file
      return {
        read: (target, offset, length, position) =>
          this.#readFully(segmentId, segment, file, { target, offset, length, position }),
        scatter: (targets, position) => file.scatter(targets, position),
        release,
      }
    } catch (error) {
      release()
      throw error
    }
  }

  /**
   * Length of a segment on disk; null when its file is gone, or something else has its name. Throws
   * other system errors.
   */
  async bytesOnDisk(containerId: string, segmentId: string): Promise<number | null> {
    return (await this.look(containerId, segmentId))?.bytes ?? null
  }

  /** The same, with its modification time. */
  async look(
    containerId: string,
    segmentId: string,
  ): Promise<{ bytes: number; writtenAt: Date } | null> {
    const found = await look(segmentFile(this.#root.folder, containerId, segmentId))
    return found && { bytes: found.size, writtenAt: found.mtime }
  }

  #use(containerId: string, segmentId: string): OpenSegment {
    const known = this.#open.get(segmentId)
    if (known) {
      known.users += 1
      return known
    }
    const name = segmentFile(this.#root.folder, containerId, segmentId)
    const segment: OpenSegment = { name, file: OpenFile.open(name, 'r'), users: 1 }
    this.#open.set(segmentId, segment)
    return segment
  }

  #leave(segmentId: string, segment: OpenSegment): void {
    segment.users -= 1
    if (segment.users > 0) return
    this.#forget(segmentId, segment)
    // A file that was never opened needs no close; a failed close leaves nothing to do.
    segment.file.then((file) => file.close()).catch(() => {})
  }

  /** The next reader opens the segment again; present readers keep their file. */
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
          // A file may keep failing even after its disk is back.
          this.#forget(segmentId, segment)
          throw error
        })
      if (count === 0) throw await this.#tooShort(segmentId, segment, position + length)
      done += count
    }
  }

  /**
   * Reports damage, unless the file of that name does hold the bytes: network file systems may
   * serve a handle from before the file grew. Then the client tries again with a newly opened file.
   */
  async #tooShort(segmentId: string, segment: OpenSegment, end: number): Promise<CodedError> {
    if (((await look(segment.name))?.size ?? 0) < end) return new SegmentDamaged(segment.name)
    this.#forget(segmentId, segment)
    return new CodedError('unavailable', { headers: { 'Retry-After': '1' } })
  }
}

/** Null without a regular file. */
async function look(name: string): Promise<Stats | null> {
  try {
    const found = await stat(name)
    return found.isFile() ? found : null
  } catch (error) {
    // EACCES is left out: wrong permissions lose nothing.
    if (isMissing(error) || isSystemError(error, 'EIO')) return null
    throw error
  }
}

/**
 * True for errors of a single object on disk, beside which others may be fine: wrong type, wrong
 * owner, or an unreadable sector. These also occur when the whole disk is gone: check `isMounted`.
 */
export function isUnreadable(error: unknown): boolean {
  return isSystemError(error, 'EISDIR', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM', 'EIO')
}
