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

/** Rewrites may cost this much disk beyond twice what the container's chunks hold. */
const rewriteBytesMax = 256 * 1024 * 1024

/** Where a chunk goes: a container, and the rules of whoever owns it. */
export interface UploadTarget {
  readonly containerId: string
  /** Chunks of one round are committed together: what is true of one of them is of all. */
  readonly round: string | null
  /** Bytes that one file may have, as the settings have it now; 0 for no limit. */
  readonly maxFileSize: number
  /**
   * What is known of a file with any of its chunks, against the rules it is completed by.
   * @throws CodedError blocked_extension, extension_not_allowed, file_too_large, share_too_large
   */
  checkFile(file: RuledFile): void
  /** Called with a sound chunk before it is stored: makes the owner take it, where it may. */
  open?(): Promise<void>
  /**
   * Takes the owning row `for share` and checks its state and the sender's rights again.
   * @throws CodedError when the chunk may not come any more
   */
  recheck(sql: Sql): Promise<void>
  /**
   * Whether the bytes may come, asked under the container's lock before any row is written.
   * @throws CodedError share_too_large, quota_exceeded
   */
  checkLimits(sql: Sql, growth: ContainerGrowth): Promise<void>
}

/** What a commit would do to its container. */
export interface ContainerGrowth {
  /** Bytes on disk that it adds. */
  readonly addedBytes: number
  /** Bytes its chunks would hold then. */
  readonly liveBytes: number
}

/** What identifies a chunk among those of its container. */
export interface ChunkName {
  readonly fileKey: string
  readonly index: number
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
  /** Null when the writer was synced; else the boot that the rows are to carry. */
  readonly bootId: string | null
}

/**
 * Writes the rows of chunks that were just appended to a segment writer, all or none.
 *
 * The writer's end moves the moment the rows are sent: when the connection breaks before the
 * answer, nobody knows whether they were committed, and the range is given up rather than written
 * twice. Chunks in a segment that was changed from outside are refused: they would be lost with it.
 * Chunks that have arrived before with the same bytes keep their old row; when all have, nothing is
 * sent and the writer may take its range back.
 */
export async function commitChunks(
  deps: CommitDeps,
  target: UploadTarget,
  writer: SegmentWriter,
  chunks: readonly LandedChunk[],
): Promise<void> {
  const latest = lastOfEach(chunks)
  const kept = await findKept(deps, writer, latest)
  await deps.database.begin(async (sql) => {
    // First, so that a commit that waits for finalize holds nothing that others wait for.
    const container = await rows.lockContainer(sql, target.containerId)
    if (!container) throw new CodedError('not_found')
    await target.recheck(sql)

    const known = new Map(
      (await rows.findChunks(sql, target.containerId, latest)).map((chunk) => [
        keyOf(chunk),
        chunk,
      ]),
    )
    const fresh = latest.filter((chunk) => {
      const old = known.get(keyOf(chunk))
      return !old || placeOf(old) !== kept.get(keyOf(chunk))
    })
    if (fresh.length === 0) return

    const growing = fresh.map(({ fileKey, index, length }) => ({
      fileKey,
      index,
      length,
      oldLength: known.get(keyOf({ fileKey, index }))?.length ?? null,
    }))
    await deps.fileSizes.check(sql, target.containerId, growing, target.maxFileSize)
    const liveBytes = growing.reduce((sum, chunk) => sum + chunk.length - (chunk.oldLength ?? 0), 0)
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
  })
}

/**
 * Which chunks have arrived before with the same bytes: their keys with the place of the old ones.
 * Compared outside the transaction; inside it the old row must still be at that place.
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

/** One row a chunk: of a chunk sent twice at once, the later one stands. */
function lastOfEach(chunks: readonly LandedChunk[]): LandedChunk[] {
  return [...new Map(chunks.map((chunk) => [keyOf(chunk), chunk])).values()]
}

function placeOf(chunk: rows.ChunkRow): string {
  return `${chunk.segmentId} ${chunk.segmentOffset}`
}

function keyOf(chunk: { fileKey: string; index: number }): string {
  return `${chunk.index} ${chunk.fileKey}`
}
