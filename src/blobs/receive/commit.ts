import type { Database, Sql } from '../../database/connect.ts'
import type { Clock } from '../../lib/clock.ts'
import { CodedError } from '../../lib/errors.ts'
import type { Checksummed } from '../segments/block-checksums.ts'
import type { SegmentWriter } from '../segments/segment-writer.ts'
import type { Storage } from '../storage.ts'
import type { RuledFile } from './file-rules.ts'
import type { FileSizes } from './file-sizes.ts'
import { hasSameBytes } from './same-bytes.ts'
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
  /** Called with a valid chunk before it is stored: may open the owner for new files. */
  open?(): Promise<void>
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
  readonly storage: Storage
  readonly clock: Clock
  readonly fileSizes: FileSizes
  /** Null when the writer was synced; else the id of this boot, for the rows. */
  readonly bootId: string | null
}

/**
 * Writes the rows of chunks that were just appended to a segment writer, all or none.
 *
 * The writer's end moves when the rows are sent: if the connection breaks before the answer, the
 * rows may have been committed, so the range is given up rather than written twice. Chunks in a
 * segment that was changed from outside are refused, because they would be lost with it. Chunks
 * that arrived before with the same bytes keep their old row; if all did, nothing is sent and the
 * writer may take its range back.
 * @returns where the last of them is
 */
export async function commitChunks(
  deps: CommitDeps,
  target: UploadTarget,
  writer: SegmentWriter,
  chunks: readonly LandedChunk[],
): Promise<StoredPlace> {
  const latest = lastOfEach(chunks)
  const kept = await findKept(deps, writer, latest)
  return deps.database.begin(async (sql) => {
    // First: a commit that waits for finalize must not hold other locks.
    const container = await rows.lockContainer(sql, target.containerId)
    if (!container) throw new CodedError('not_found')
    await target.recheck(sql)

    const found = await rows.findChunks(sql, target.containerId, withNeighbours(latest))
    const known = new Map(found.map((chunk) => [keyOf(chunk), chunk]))
    requireUnbroken(latest, known)
    const otherBytes = await dropOtherVersions(sql, target.containerId, latest, known)
    const fresh = latest.filter((chunk) => {
      const old = known.get(keyOf(chunk))
      return !old || placeOf(old) !== kept.get(keyOf(chunk)) || tellsOtherSize(chunk, old)
    })
    const last = latest.at(-1)!
    const place = fresh.includes(last)
      ? { segmentId: writer.segmentId, segmentOffset: last.segmentOffset }
      : known.get(keyOf(last))!
    if (fresh.length === 0) return place

    const growing = fresh.map(({ fileKey, index, length }) => ({
      fileKey,
      index,
      length,
      oldLength: known.get(keyOf({ fileKey, index }))?.length ?? null,
    }))
    const goneBytes = otherBytes + (await dropLater(sql, target.containerId, fresh))
    await deps.fileSizes.check(sql, target.containerId, growing, target.maxFileSize)
    const liveBytes =
      growing.reduce((sum, chunk) => sum + chunk.length - (chunk.oldLength ?? 0), 0) - goneBytes
    const addedBytes = await growSegment(sql, deps, writer)
    const growth = { addedBytes, liveBytes: container.liveBytes + liveBytes }
    refuseRewrites(container.usedBytes, growth)
    await target.checkLimits(sql, growth)
    await writer.requireIntact()

    writer.advance()
    const { segmentId } = writer
    await rows.upsertChunks(
      sql,
      target.containerId,
      fresh.map((chunk) => ({ ...chunk, segmentId })),
      deps.bootId,
    )
    const at = new Date(deps.clock.now())
    await rows.accountBytes(sql, target.containerId, addedBytes, liveBytes, at)
    return place
  })
}

/**
 * Finds chunks that arrived before with the same bytes: their keys, and the places of the old ones.
 * Compares outside the transaction; inside it the old row must still be at that place.
 */
async function findKept(
  { database, storage }: CommitDeps,
  writer: SegmentWriter,
  chunks: readonly LandedChunk[],
): Promise<ReadonlyMap<string, string>> {
  const kept = new Map<string, string>()
  const known = await rows.findChunks(database.sql, writer.containerId, chunks)
  if (known.length === 0) return kept
  const byKey = new Map(chunks.map((chunk) => [keyOf(chunk), chunk]))
  for (const old of known) {
    const chunk = byKey.get(keyOf(old))
    if (chunk?.length !== old.length || chunk.crc !== old.crc) continue
    if (await hasSameBytes(storage.files, writer, chunk.segmentOffset, old)) {
      kept.set(keyOf(old), placeOf(old))
    }
  }
  return kept
}

/** Moves the segment's committed end to the writer's position. Returns by how much. */
async function growSegment(
  sql: Sql,
  { storage }: CommitDeps,
  writer: SegmentWriter,
): Promise<number> {
  const committedEnd = await rows.lockOwnSegment(sql, writer.segmentId, storage.writers.ownerId)
  if (committedEnd === null) {
    writer.seal()
    throw new CodedError('unavailable', { headers: { 'Retry-After': '1' } })
  }
  await rows.moveSegmentEnd(sql, writer.segmentId, writer.position)
  return writer.position - committedEnd
}

/** @throws CodedError too_many_rewrites when the container holds far more than its chunks need */
function refuseRewrites(usedBytes: number, growth: ContainerGrowth): void {
  const allowed = 2 * growth.liveBytes + rewriteBytesMax
  if (usedBytes + growth.addedBytes > allowed) throw new CodedError('too_many_rewrites')
}

/** A file with another size is another version of it, even if this chunk is the same. */
function tellsOtherSize({ index, file }: LandedChunk, old: rows.Chunk): boolean {
  return index === 0 && (file?.size ?? null) !== old.fileSize
}

/** The chunks, the first chunk of each file, and those right before: they tell its version. */
function withNeighbours(chunks: readonly LandedChunk[]): ChunkName[] {
  return chunks.flatMap(({ fileKey, index, after }) => [
    { fileKey, index },
    ...(index > 0 ? [{ fileKey, index: 0 }] : []),
    ...(after && index > 1 ? [{ fileKey, index: index - 1 }] : []),
  ])
}

/**
 * A file of known size comes in order, so its chunk before must still be the one of this sender:
 * else two archives with the same path would be mixed.
 * @throws CodedError conflict
 */
function requireUnbroken(
  chunks: readonly LandedChunk[],
  known: ReadonlyMap<string, rows.Chunk>,
): void {
  for (const { fileKey, index, after } of chunks) {
    if (!after) continue
    const before = known.get(keyOf({ fileKey, index: index - 1 }))
    if (before && placeOf(before) === placeOf(after)) continue
    throw new CodedError('conflict', {
      message: `${fileKey} was replaced by another upload. Send it again.`,
    })
  }
}

/**
 * A chunk of unknown file size replaces a file of known size as a whole: the rest would be another
 * version. Forgets such chunks in `known`, and returns their bytes.
 */
async function dropOtherVersions(
  sql: Sql,
  containerId: string,
  chunks: readonly LandedChunk[],
  known: Map<string, rows.Chunk>,
): Promise<number> {
  const replaced = new Set<string>()
  for (const { fileKey, file, after } of chunks) {
    const isSized = (file?.size ?? null) !== null || after !== undefined
    const head = known.get(keyOf({ fileKey, index: 0 }))
    if (!isSized && head && head.fileSize !== null) replaced.add(fileKey)
  }
  if (replaced.size === 0) return 0
  for (const [key, { fileKey }] of known) if (replaced.has(fileKey)) known.delete(key)
  const behindNothing = [...replaced].map((fileKey) => ({ fileKey, index: -1 }))
  return rows.deleteLaterChunks(sql, containerId, behindNothing)
}

/**
 * Deletes what an earlier version of these files has behind the new chunks. Returns the bytes of
 * it. Files of unknown size may come in any order, so they keep theirs.
 */
async function dropLater(
  sql: Sql,
  containerId: string,
  fresh: readonly LandedChunk[],
): Promise<number> {
  const inOrder = fresh.filter(({ file }) => (file?.size ?? null) !== null)
  return inOrder.length > 0 ? rows.deleteLaterChunks(sql, containerId, inOrder) : 0
}

/** One row a chunk: when a chunk comes twice at once, the later one stays. */
function lastOfEach(chunks: readonly LandedChunk[]): LandedChunk[] {
  return [...new Map(chunks.map((chunk) => [keyOf(chunk), chunk])).values()]
}

function placeOf(chunk: StoredPlace): string {
  return `${chunk.segmentId} ${chunk.segmentOffset}`
}

function keyOf(chunk: { fileKey: string; index: number }): string {
  return `${chunk.index} ${chunk.fileKey}`
}
