import { crc32 } from 'node:zlib'
import type { Sql } from '../db/connect.ts'
import { isSystemError } from '../lib/errors.ts'
import { SegmentDamaged } from '../storage/segment-files.ts'
import type { Storage } from '../storage/storage.ts'
import * as rows from './os-durability-sql.ts'
import type { ChunkRow } from './sql.ts'

// DURABILITY=os: chunks are acknowledged before they are synced. Their rows carry the id of the
// boot they were written in until a sync in the background has covered them. After another boot
// nobody knows what reached the disk: what the CRC does not confirm is dropped, and is then listed
// as missing.

const readBytes = 256 * 1024

/** Syncs the segments of uncovered chunks, of one parcel or all, and marks the chunks covered. */
export async function syncUncovered(
  sql: Sql,
  storage: Storage,
  bootId: string,
  parcelId: string | null = null,
): Promise<number> {
  const segments = await rows.listUncoveredSegments(sql, bootId, parcelId)
  for (const segment of segments) {
    const until = await rows.databaseNow(sql)
    try {
      await storage.files.sync(segment.parcelId, segment.segmentId)
    } catch (error) {
      // The parcel was deleted meanwhile: its rows are gone as well.
      if (!isSystemError(error, 'ENOENT')) throw error
    }
    await rows.markCovered(sql, segment, until)
  }
  return segments.length
}

/** At start: checks the chunks of earlier boots that no sync had covered. Returns how many went. */
export async function checkDoubtful(sql: Sql, storage: Storage, bootId: string): Promise<number> {
  let dropped = 0
  for (;;) {
    const chunks = await rows.listDoubtfulChunks(sql, bootId)
    if (chunks.length === 0) return dropped
    for (const chunk of chunks) {
      const isWhole = await hasItsCrc(storage, chunk)
      await rows.settleDoubtfulChunk(sql, chunk, isWhole)
      if (!isWhole) dropped += 1
    }
  }
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
