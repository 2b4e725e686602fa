import { crc32 } from 'node:zlib'
import type { Database, Sql } from '../../database/connect.ts'
import { isSystemError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import { isUnreadable, SegmentDamaged } from '../segments/segment-files.ts'
import { requireMounted } from '../storage-root.ts'
import type { Storage } from '../storage.ts'
import * as rows from './os-durability-sql.ts'
import { accountBytes, lockParcel, type ChunkRow } from './sql.ts'

// DURABILITY=os: chunks are acknowledged before they are synced. Their rows carry the id of the
// boot they were written in until a sync in the background has covered them. After another boot
// nobody knows what reached the disk: what the CRC does not confirm is dropped, and is then listed
// as missing. What can be neither synced nor read stays as it is, until finalize asks for it.

const readBytes = 256 * 1024

export interface DurabilityParts {
  readonly database: Database
  readonly storage: Storage
  readonly log: Log
}

/**
 * Syncs all segments of uncovered chunks, and marks the chunks covered. One that cannot be synced
 * keeps its marks, and is tried again the next time. Returns how many were synced.
 */
export async function syncUncovered(
  { database, storage, log }: DurabilityParts,
  bootId: string,
): Promise<number> {
  let synced = 0
  for await (const segment of uncoveredSegments(database.sql, bootId, null)) {
    try {
      await cover(database.sql, storage, segment)
      synced += 1
    } catch (error) {
      if (!isUnreadable(error)) throw error
      const text = 'a segment could not be synced: it will be tried again'
      log.warn(text, { segment: segment.segmentId, cause: error })
    }
  }
  return synced
}

/** The same for one parcel, within a transaction. @throws system errors */
export async function syncParcel(
  sql: Sql,
  storage: Storage,
  bootId: string,
  parcelId: string,
): Promise<void> {
  for await (const segment of uncoveredSegments(sql, bootId, parcelId)) {
    await cover(sql, storage, segment)
  }
}

/**
 * Before a parcel is finalized: covers its chunks, those of other boots by their CRC. Drops what
 * can be neither synced nor read, so that it is listed as missing.
 * @throws CodedError unavailable when the disk is missing
 */
export async function settleUncovered(
  parts: DurabilityParts,
  bootId: string,
  parcelId: string,
): Promise<void> {
  const { database, storage } = parts
  if (!(await rows.hasUncovered(database.sql, parcelId))) return
  for await (const segment of uncoveredSegments(database.sql, bootId, parcelId)) {
    try {
      await cover(database.sql, storage, segment)
    } catch (error) {
      if (!isUnreadable(error)) throw error
      await dropUncovered(parts, segment, error)
    }
  }
  await checkDoubtful(parts, bootId, parcelId)
}

/**
 * Checks the chunks of earlier boots that no sync had covered: at start all, where those that
 * cannot be read are left alone; before finalize those of a parcel. Returns how many were dropped.
 */
export async function checkDoubtful(
  { database, storage, log }: DurabilityParts,
  bootId: string,
  parcelId: string | null = null,
): Promise<number> {
  const { sql } = database
  let dropped = 0
  let after: rows.DoubtfulChunk | null = null
  do {
    const page: rows.DoubtfulChunk[] = await rows.listDoubtfulChunks(sql, bootId, {
      parcelId,
      after,
    })
    for (const chunk of page) {
      try {
        const isWhole = await hasItsCrc(storage, chunk)
        await rows.settleDoubtfulChunk(sql, chunk, isWhole)
        if (!isWhole) dropped += 1
      } catch (error) {
        if (!isUnreadable(error)) throw error
        const { segmentId: segment, parcelId: parcel, index } = chunk
        log.warn('a chunk cannot be read', { parcel, segment, index, cause: error })
        if (parcelId === null) continue
        await requireMounted(storage.root)
        await rows.settleDoubtfulChunk(sql, chunk, false)
        dropped += 1
      }
    }
    after = page.at(-1) ?? null
  } while (after)
  return dropped
}

async function* uncoveredSegments(
  sql: Sql,
  bootId: string,
  parcelId: string | null,
): AsyncGenerator<rows.UncoveredSegment> {
  let after: rows.UncoveredSegment | null = null
  do {
    const page: rows.UncoveredSegment[] = await rows.listUncoveredSegments(sql, bootId, {
      parcelId,
      after,
    })
    yield* page
    after = page.at(-1) ?? null
  } while (after)
}

async function cover(sql: Sql, storage: Storage, segment: rows.UncoveredSegment): Promise<void> {
  const until = await rows.databaseNow(sql)
  try {
    await storage.files.sync(segment.parcelId, segment.segmentId)
  } catch (error) {
    // The parcel was deleted meanwhile: its rows are gone as well.
    if (!isSystemError(error, 'ENOENT')) throw error
  }
  await rows.markCovered(sql, segment, until)
}

/** After a failed sync the kernel may take the lost pages for written: nothing else would tell. */
async function dropUncovered(
  { database, storage, log }: DurabilityParts,
  segment: rows.UncoveredSegment,
  cause: unknown,
): Promise<void> {
  await requireMounted(storage.root)
  const { parcelId } = segment
  await storage.lanes.closeIdleOf(parcelId)
  const dropped = await database.begin(async (sql) => {
    await lockParcel(sql, parcelId)
    const { count, bytes } = await rows.deleteUncovered(sql, segment)
    await accountBytes(sql, parcelId, 0, -bytes)
    return count
  })
  const text = 'dropped chunks that could not be synced: the client has to send them again'
  log.error(text, { segment: segment.segmentId, chunks: dropped, cause })
}

async function hasItsCrc(
  storage: Storage,
  chunk: ChunkRow & { parcelId: string },
): Promise<boolean> {
  try {
    const segment = await storage.files.pin(chunk.parcelId, chunk.segmentId)
    try {
      const buffer = Buffer.allocUnsafeSlow(Math.min(readBytes, Math.max(1, chunk.length)))
      let crc = 0
      for (let done = 0; done < chunk.length;) {
        const count = Math.min(buffer.length, chunk.length - done)
        await segment.read(buffer, 0, count, chunk.segmentOffset + done)
        crc = crc32(buffer.subarray(0, count), crc)
        done += count
      }
      return crc === chunk.crc
    } finally {
      segment.release()
    }
  } catch (error) {
    if (isSystemError(error, 'ENOENT') || error instanceof SegmentDamaged) return false
    throw error
  }
}
