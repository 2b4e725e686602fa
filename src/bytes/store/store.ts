import { isSystemError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { Permits } from '../../lib/permits.ts'
import type { UnsyncedBytes } from '../segments/file-writer.ts'
import type { DiskFloor } from '../upkeep/free-space.ts'

/**
 * Where the bytes of all containers are. Names in a container are ids of segments, and
 * `manifestName`. A missing name is reported as ENOENT, an unreadable one as EIO; a place that
 * cannot be reached at all as CodedError unavailable.
 */
export interface StorageRoot {
  /** The database knows it, and the place itself: see storage-root.ts. */
  readonly id: string
  /** Names the place in messages, without secrets. */
  readonly name: string
  /** Null where there is no folder, and so no disk that could be full. */
  readonly folder: string | null
  /** Requests to a store by method and status, such as `PUT 200`; absent for a folder. */
  readonly requestCounts?: ReadonlyMap<string, number>
  /** Received bytes are gathered to this size before they are written. */
  readonly writeBytes: number

  /**
   * Begins a segment. It may be visible at once, and counts as stored once its writer has synced.
   * @throws CodedError not_found when the segment is gone by `exists`; system errors
   */
  create(segment: NewSegment): Promise<SegmentWriter>

  /**
   * Stores a whole text under a name: afterwards either the old or the new one is there.
   * @throws system errors: ENOENT where a container needs a place of its own and has none
   */
  replace(containerId: string, name: string, text: AsyncIterable<string>): Promise<void>

  /**
   * Stores a whole segment that has no writer; nothing of it can be seen before.
   * @param data buffers that do not change again
   * @throws CodedError unavailable; system errors, ENOENT when its container is removed meanwhile
   */
  put(containerId: string, segmentId: string, data: AsyncIterable<Buffer>): Promise<void>

  /** Opens something for reading. It may stay readable after its removal. */
  open(containerId: string, name: string): Promise<BlobReader>

  /** Bytes of a name; null for a missing one, and for one that cannot be a segment. */
  sizeOf(containerId: string, name: string): Promise<number | null>

  /** Ids of the containers with these first two letters, or of the segments of a container. */
  list(of: { readonly letters: string } | { readonly containerId: string }): AsyncIterable<string>

  /** Removes names durably, missing ones too. */
  remove(containerId: string, names: readonly string[]): Promise<void>

  /**
   * Removes a container with everything in it.
   * @param mayGoOn asked before each step of about 500 rows of work
   * @returns false when that said no first
   */
  removeContainer(containerId: string, mayGoOn: () => boolean): Promise<boolean>

  /**
   * Gives segments a second name in another container; removing one leaves the other.
   * @throws CodedError disk_full; system errors, ENOENT when one is gone; the signal's reason
   */
  link(links: SegmentLinks, space: Pick<DiskFloor, 'during'>): Promise<void>

  /** Removes what a killed process has begun and left. Returns its number. */
  removeAbandoned(): Promise<number>

  /**
   * Whether this is the place that the database knows: asked before anything is made or removed.
   * @throws CodedError unavailable when that cannot be told
   */
  isPresent(): Promise<boolean>
}

export interface BlobReader {
  /** Reads once; may return fewer bytes than asked for. Resolves with the count, 0 at the end. */
  read(target: Buffer, offset: number, length: number, position: number): Promise<number>
  /** Reads once into these buffers, one after the other; may return fewer bytes than they hold. */
  scatter(targets: readonly Buffer[], position: number): Promise<number>
  close(): Promise<void>
}

/** Fills the buffer from a position. Returns the count, which is smaller where the segment ends. */
export async function readFully(
  reader: Pick<BlobReader, 'read'>,
  target: Buffer,
  position: number,
): Promise<number> {
  for (let done = 0; ;) {
    const count = await reader.read(target, done, target.length - done, position + done)
    done += count
    if (count === 0 || done === target.length) return done
  }
}

/** Bounds that all writers of a process share. */
export interface WriterDeps {
  readonly unsynced: UnsyncedBytes
  readonly syncs: Permits
  readonly log: Log
}

export interface NewSegment {
  readonly containerId: string
  readonly segmentId: string
  /** The place for it, as its row says. */
  readonly rootId: string
  /** Upper bound of what will be appended; 0 when unknown. */
  readonly bytesMax: number
  readonly deps: WriterDeps
  /** Whether its row is still there. */
  readonly exists: () => Promise<boolean>
}

/** Segments of one container to be linked into another. */
export interface SegmentLinks {
  readonly fromContainerId: string
  readonly toContainerId: string
  readonly segments: readonly {
    readonly fromId: string
    readonly toId: string
    /** Where both are. */
    readonly rootId: string
    readonly bytes: number
  }[]
  /** Checked before each segment. */
  readonly signal?: AbortSignal
}

/**
 * The one appender of a segment, held by one request at a time.
 *
 * `end` is where the next chunk begins: bytes before it belong to rows that were sent to the
 * database, committed or not. Bytes after it belong to the request that holds the writer, and are
 * removed when that request fails. Any failure seals the writer for good.
 */
export interface SegmentWriter {
  readonly containerId: string
  readonly segmentId: string
  readonly end: number
  /** Offset of the next byte. */
  readonly position: number
  /** A sealed writer takes no more bytes. */
  readonly sealed: boolean
  /**
   * Appends buffers, which must stay unchanged until this settles.
   * @throws system errors, CodedError unavailable
   */
  append(buffers: Buffer[]): Promise<void>
  /**
   * Resolves once everything appended so far is stored for good, with the name of the segment.
   * @throws CodedError not_found when the container is gone, unavailable; system errors
   */
  sync(): Promise<void>
  /** Rows for all appended bytes are being sent: the bytes must not be written again. */
  advance(): void
  /** Another process has closed this segment's row: appended bytes could not be committed. */
  seal(): void
  /** Whether the stored segment is as this writer has written it. If not, it is sealed. */
  isIntact(): Promise<boolean>
  /**
   * The same, for a segment that must exist.
   * @throws CodedError unavailable; a repeated chunk goes to another writer
   */
  requireIntact(): Promise<void>
  /** Logs that the segment is not as this writer has written it. */
  reportChange(): void
  /** Removes bytes that were appended but not sent to the database. */
  rollBack(): Promise<void>
  /**
   * Reads appended bytes back, for a digest that was requested too late to compute on the way.
   * @throws CodedError unavailable when the bytes are gone, which also seals the writer
   */
  readBack(
    position: number,
    length: number,
    take: (data: Buffer) => void | Promise<void>,
  ): Promise<void>
  /** Resolves with false when nothing of the segment is stored. */
  close(): Promise<boolean>
}

/** The name of a manifest; all other names in a container are ids of segments. */
export const manifestName = 'manifest.json'

/** True when a name is missing, or something else has it. */
export function isMissing(error: unknown): boolean {
  return isSystemError(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP')
}

/** Ties the place of the bytes to its database. */
export const markerName = 'storage-root.json'

/** Why the service must not start with this place; the message says what to do. */
export class StorageRootError extends Error {
  override readonly name = 'StorageRootError'
}

/** The store refuses the credentials, or has no such bucket: the options are wrong. */
export class BucketRefused extends Error {
  override readonly name = 'BucketRefused'
}

export function markerOf(id: string): string {
  return `${JSON.stringify({ storageRoot: id })}\n`
}

/** @throws SyntaxError */
export function parseMarker(text: string): string {
  return (JSON.parse(text) as { storageRoot?: string }).storageRoot ?? ''
}
