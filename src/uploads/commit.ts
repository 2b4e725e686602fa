import type { Database, Sql } from '../db/connect.ts'
import { CodedError } from '../lib/errors.ts'
import type { Lane } from '../storage/lane.ts'
import * as rows from './sql.ts'

/** Rewrites may cost this much disk beyond twice what the parcel's chunks hold. */
const rewriteBytesMax = 256 * 1024 * 1024

/** Where a chunk goes: a parcel, and the rules of whoever owns it. */
export interface UploadTarget {
  readonly parcelId: string
  /**
   * Takes the owning row `for share` and checks its state and the sender's rights again.
   * @throws CodedError when the chunk may not come any more
   */
  recheck(sql: Sql): Promise<void>
  /**
   * Whether the bytes may come, asked under the parcel's lock before any row is written.
   * @throws CodedError share_too_large, quota_exceeded
   */
  checkLimits(sql: Sql, growth: ParcelGrowth): Promise<void>
}

/** What a commit would do to its parcel. */
export interface ParcelGrowth {
  /** Bytes on disk that it adds. */
  readonly addedBytes: number
  /** Bytes its chunks would hold then. */
  readonly liveBytes: number
}

/** A chunk whose bytes lie in a lane, synced, and whose row is to be written. */
export interface LandedChunk {
  readonly fileKey: string
  readonly index: number
  readonly segmentOffset: number
  readonly length: number
  readonly crc: number
}

/**
 * Writes the rows of chunks that were just appended to a lane, all or none.
 *
 * The lane's end moves the moment the rows are sent: when the connection breaks before the answer,
 * nobody knows whether they were committed, and the range is given up rather than written twice.
 * Chunks that have arrived before with the same bytes keep their old row; when all have, nothing is
 * sent and the lane may take its range back.
 */
export async function commitChunks(
  database: Database,
  target: UploadTarget,
  lane: Lane,
  ownerId: string,
  chunks: readonly LandedChunk[],
  bootId: string | null,
): Promise<void> {
  const end = lane.position
  await database.begin(async (sql) => {
    await target.recheck(sql)
    const parcel = await rows.lockParcel(sql, target.parcelId)
    if (!parcel) throw new CodedError('not_found')

    const latest = lastOfEach(chunks)
    const known = await rows.findChunks(
      sql,
      target.parcelId,
      latest.map((chunk) => chunk.fileKey),
      latest.map((chunk) => chunk.index),
    )
    const knownByKey = new Map(known.map((chunk) => [keyOf(chunk), chunk]))
    const fresh = latest.filter((chunk) => {
      const old = knownByKey.get(keyOf(chunk))
      return !old || old.length !== chunk.length || old.crc !== chunk.crc
    })
    if (fresh.length === 0) return

    const committedEnd = await rows.lockOwnSegment(sql, lane.segmentId, ownerId)
    if (committedEnd === null) {
      lane.seal()
      throw new CodedError('unavailable', { headers: { 'Retry-After': '1' } })
    }
    const usedBytes = end - committedEnd
    const liveBytes = fresh.reduce(
      (sum, chunk) => sum + chunk.length - (knownByKey.get(keyOf(chunk))?.length ?? 0),
      0,
    )
    const allowed = 2 * (parcel.liveBytes + liveBytes) + rewriteBytesMax
    if (parcel.usedBytes + usedBytes > allowed) throw new CodedError('too_many_rewrites')

    await target.checkLimits(sql, {
      addedBytes: usedBytes,
      liveBytes: parcel.liveBytes + liveBytes,
    })

    lane.advance()
    await rows.upsertChunks(
      sql,
      target.parcelId,
      fresh.map((chunk) => ({ ...chunk, segmentId: lane.segmentId })),
      bootId,
    )
    await rows.moveSegmentEnd(sql, lane.segmentId, end)
    await rows.accountBytes(sql, target.parcelId, usedBytes, liveBytes)
  })
}

/** One row a chunk: of a chunk sent twice at once, the later one stands. */
function lastOfEach(chunks: readonly LandedChunk[]): LandedChunk[] {
  return [...new Map(chunks.map((chunk) => [keyOf(chunk), chunk])).values()]
}

function keyOf(chunk: { fileKey: string; index: number }): string {
  return `${chunk.index} ${chunk.fileKey}`
}
