import type { CloseWith, Database, Sql, TransactionOptions, Work } from '../../database/connect.ts'
import type { Clock } from '../../lib/clock.ts'
import { CodedError } from '../../lib/errors.ts'
import type { Checksummed } from '../segments/block-checksums.ts'
import type { SegmentWriter } from '../store/store.ts'
import type { Storage } from '../storage.ts'
import type { RuledFile } from './file-rules.ts'
import type { FileSizes } from './file-sizes.ts'
import {
  dropLater,
  dropOtherVersions,
  isInOrder,
  keyOf,
  requireUnbroken,
  withNeighbours,
} from './file-versions.ts'
import * as rows from './sql.ts'

/** Bytes that rewrites may use on disk beyond twice the live bytes of the container. */
const rewriteBytesMax = 256 * 1024 * 1024

/** The container of a chunk, and the rules of its owner. */
export interface UploadTarget {
  readonly containerId: string
  /** Chunks of one round and sender share all checks, so they may be committed together. */
  readonly round: string | null
  readonly sender: string
  /** Largest file in bytes by the current settings; 0 for no limit. */
  readonly maxFileSize: number
  /**
   * Checks what one chunk tells about its file against the rules that finalize applies.
   * @throws CodedError blocked_extension, extension_not_allowed, file_too_large, share_too_large
   */
  checkFile(file: RuledFile): void
  /**
   * Takes the owning row `for share` and checks its state and the sender's rights again.
   * @throws CodedError when the chunk is no longer allowed
   */
  recheck(sql: Sql): Promise<void>
  /**
   * Checks sizes and quota, under the container's lock and before any row is written.
   * @throws CodedError share_too_large, quota_exceeded
   */
  checkLimits(sql: Sql, growth: ContainerGrowth): Promise<void>
}

/** The change that a commit makes to its container. */
export interface ContainerGrowth {
  /** Bytes on disk that it adds. */
  readonly addedBytes: number
  /** Bytes of its chunks after the commit. */
  readonly liveBytes: number
  /** Bytes of its chunks that it adds; negative when chunks shrink. */
  readonly addedLiveBytes: number
}

/** What identifies a chunk among those of its container. */
export interface ChunkName {
  readonly fileKey: string
  readonly index: number
  /** What the sender has told of the file. */
  readonly file?: {
    readonly name: string
    /** The size of the whole file, whose chunks then come in order; null when unknown. */
    readonly size: number | null
    /** When it was last changed; null when unknown. */
    readonly modifiedAt: Date | null
  }
  /** Where the chunk before this one is, in a file of known size. */
  readonly after?: StoredPlace
}

/** Where the bytes of a chunk are. */
export interface StoredPlace {
  readonly segmentId: string
  readonly segmentOffset: number
}

/** A chunk whose bytes a segment writer has appended, and whose row comes next. */
export interface LandedChunk extends ChunkName, Checksummed {
  readonly segmentOffset: number
}

export interface CommitDeps {
  readonly database: Database
  /** See `Uploads.begin`. */
  readonly begin: <T>(
    containerId: string,
    work: Work<T>,
    options?: TransactionOptions,
  ) => Promise<T>
  readonly storage: Storage
  readonly clock: Clock
  readonly fileSizes: FileSizes
}

/**
 * Writes the rows of chunks that were just appended to a segment writer, all or none, in two round
 * trips.
 *
 * The writer's end moves when the rows are sent: if the connection breaks before the answer, the
 * rows may have been committed, so the range is given up rather than written twice. Chunks in a
 * segment that was changed from outside are refused, because they would be lost with it. A chunk
 * that is sent again replaces its row: the former bytes are dead until their segment goes.
 * @returns where the last of them is
 */
export async function commitChunks(
  deps: CommitDeps,
  target: UploadTarget,
  writer: SegmentWriter,
  chunks: readonly LandedChunk[],
): Promise<StoredPlace> {
  const commit = { deps, target, writer, latest: lastOfEach(chunks) }
  await deps.begin(target.containerId, (sql, closeWith) => commitInside(sql, closeWith, commit), {
    readsFirst: true,
  })
  const { segmentOffset } = chunks.at(-1)!
  return { segmentId: writer.segmentId, segmentOffset }
}

interface Commit {
  readonly deps: CommitDeps
  readonly target: UploadTarget
  readonly writer: SegmentWriter
  /** One row a chunk. */
  readonly latest: readonly LandedChunk[]
}

async function commitInside(
  sql: Sql,
  closeWith: CloseWith,
  { deps, target, writer, latest }: Commit,
): Promise<void> {
  const { containerId } = target
  const { container, found, committedEnd } = await lockAndRead(sql, deps, target, writer, latest)
  const known = new Map(found.map((chunk) => [keyOf(chunk), chunk]))
  requireUnbroken(latest, known)
  const otherBytes = await dropOtherVersions(sql, containerId, latest, known)
  const growing = latest.map((chunk) => ({
    fileKey: chunk.fileKey,
    index: chunk.index,
    length: chunk.length,
    oldLength: known.get(keyOf(chunk))?.length ?? null,
    isInOrder: isInOrder(chunk),
  }))
  const goneBytes = otherBytes + (await dropLater(sql, containerId, latest))
  const change =
    growing.reduce((sum, chunk) => sum + chunk.length - (chunk.oldLength ?? 0), 0) - goneBytes
  const liveBytes = container.liveBytes + change
  await deps.fileSizes.check(sql, { containerId, liveBytes }, growing, target.maxFileSize)
  const addedBytes = writer.position - requireOwned(writer, committedEnd)
  const growth = { addedBytes, liveBytes, addedLiveBytes: change }
  refuseRewrites(container.usedBytes, growth)
  await target.checkLimits(sql, growth)
  await writer.requireIntact()

  writer.advance()
  const gain = {
    segmentId: writer.segmentId,
    segmentEnd: writer.position,
    usedBytes: addedBytes,
    liveBytes: change,
    receivedAt: new Date(deps.clock.now()),
  }
  closeWith((last) => rows.storeChunks(last, containerId, latest, gain))
}

/**
 * Everything that a commit needs to know, in one round trip. The order is that of all locks: a
 * commit that waits for finalize holds no other lock.
 */
async function lockAndRead(
  sql: Sql,
  { storage }: CommitDeps,
  target: UploadTarget,
  writer: SegmentWriter,
  latest: readonly LandedChunk[],
) {
  const { containerId } = target
  const locking = rows.lockContainer(sql, containerId)
  const checking = target.recheck(sql)
  const finding = rows.findChunks(sql, containerId, withNeighbours(latest))
  const owning = rows.lockOwnSegment(sql, writer.segmentId, storage.writers.ownerId)
  await Promise.allSettled([locking, checking, finding, owning])
  const container = await locking
  if (!container) throw new CodedError('not_found')
  await checking
  return { container, found: await finding, committedEnd: await owning }
}

/**
 * The committed end of the writer's segment.
 * @throws CodedError unavailable when another process has closed its row
 */
function requireOwned(writer: SegmentWriter, committedEnd: number | null): number {
  if (committedEnd !== null) return committedEnd
  writer.seal()
  throw new CodedError('unavailable', { headers: { 'Retry-After': '1' } })
}

/** @throws CodedError too_many_rewrites when the container holds far more than its chunks need */
function refuseRewrites(usedBytes: number, growth: ContainerGrowth): void {
  const allowed = 2 * growth.liveBytes + rewriteBytesMax
  if (usedBytes + growth.addedBytes > allowed) throw new CodedError('too_many_rewrites')
}

/** One row a chunk: when a chunk comes twice at once, the later one stays. */
function lastOfEach(chunks: readonly LandedChunk[]): LandedChunk[] {
  return [...new Map(chunks.map((chunk) => [keyOf(chunk), chunk])).values()]
}
