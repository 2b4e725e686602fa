import { crc32 } from '../../lib/crc32.ts'
import type { Database, Sql } from '../../database/connect.ts'
import { isSystemError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import { isUnreadable, SegmentDamaged } from '../segments/segment-files.ts'
import { requireMounted } from '../storage-root.ts'
import type { Storage } from '../storage.ts'
import * as rows from './os-durability-sql.ts'
import { accountBytes, lockContainer, type Chunk } from './sql.ts'

// DURABILITY=os: chunks are acknowledged before they are synced. Their rows carry the id of the
// boot they were written in until a sync in the background has covered them. After a reboot it is
// unknown what reached the disk: chunks that their CRC does not confirm are dropped and listed as
// missing. Chunks that can be neither synced nor read stay until finalize.

const readBytes = 256 * 1024

export interface DurabilityDeps {
  readonly database: Database
  readonly storage: Storage
  readonly log: Log
}

/**
 * Syncs all segments of uncovered chunks, and marks the chunks covered. Segments that fail to sync
 * keep their marks and are tried again next time. Returns the number of synced segments.
 */
export async function syncUncovered(
  { database, storage, log }: DurabilityDeps,
  bootId: string,
): Promise<number> {
  let synced = 0
  for await (const segment of uncoveredSegments(database.sql, bootId, null)) {
    try {
      await cover(database.sql, storage, segment)
      synced += 1
    } catch (error) {
      if (!isUnreadable(error)) throw error
      const text = 'segment sync failed: will retry'
      log.warn(text, { segment: segment.segmentId, cause: error })
    }
  }
  return synced
}

/** The same for one container, within a transaction. @throws system errors */
export async function syncContainer(
  sql: Sql,
  storage: Storage,
  bootId: string,
  containerId: string,
): Promise<void> {
  for await (const segment of uncoveredSegments(sql, bootId, containerId)) {
    await cover(sql, storage, segment)
  }
}

/**
 * Call before a container is finalized: covers its chunks, those of other boots by their CRC. Drops
 * chunks that can be neither synced nor read, so that they are listed as missing.
 * @throws CodedError unavailable when the disk is missing
 */
export async function settleUncovered(
  deps: DurabilityDeps,
  bootId: string,
  containerId: string,
): Promise<void> {
  const { database, storage } = deps
  if (!(await rows.hasUncovered(database.sql, containerId))) return
  for await (const segment of uncoveredSegments(database.sql, bootId, containerId)) {
    try {
      await cover(database.sql, storage, segment)
    } catch (error) {
      if (!isUnreadable(error)) throw error
      await dropUncovered(deps, segment, error)
    }
  }
  await checkDoubtful(deps, bootId, containerId)
}

/**
 * Checks uncovered chunks of earlier boots: at start all of them, leaving unreadable ones alone;
 * before finalize those of one container. Returns the number of dropped chunks.
 */
export async function checkDoubtful(
  deps: DurabilityDeps,
  bootId: string,
  containerId: string | null = null,
): Promise<number> {
  const { database, storage, log } = deps
  const { sql } = database
  let dropped = 0
  let after: rows.DoubtfulChunk | null = null
  do {
    const page: rows.DoubtfulChunk[] = await rows.listDoubtfulChunks(sql, bootId, {
      containerId,
      after,
    })
    for (const chunk of page) {
      try {
        const isWhole = await hasItsCrc(storage, chunk)
        if (isWhole) await rows.keepDoubtfulChunk(sql, chunk)
        else dropped += await dropDoubtful(deps, chunk)
      } catch (error) {
        if (!isUnreadable(error)) throw error
        const { segmentId: segment, containerId: container, index } = chunk
        log.warn('chunk is unreadable', { container, segment, index, cause: error })
        if (containerId === null) continue
        await requireMounted(storage.root)
        dropped += await dropDoubtful(deps, chunk)
      }
    }
    after = page.at(-1) ?? null
  } while (after)
  return dropped
}

/** Returns 1, or 0 when the chunk was sent again meanwhile. */
async function dropDoubtful(
  { database }: DurabilityDeps,
  chunk: rows.DoubtfulChunk,
): Promise<number> {
  const { containerId } = chunk
  return database.begin(async (sql) => {
    await lockContainer(sql, containerId)
    const bytes = await rows.dropDoubtfulChunk(sql, chunk)
    await accountBytes(sql, containerId, 0, -bytes)
    return bytes > 0 ? 1 : 0
  })
}

async function* uncoveredSegments(
  sql: Sql,
  bootId: string,
  containerId: string | null,
): AsyncGenerator<rows.UncoveredSegment> {
  let after: rows.UncoveredSegment | null = null
  do {
    const page: rows.UncoveredSegment[] = await rows.listUncoveredSegments(sql, bootId, {
      containerId,
      after,
    })
    yield* page
    after = page.at(-1) ?? null
  } while (after)
}

async function cover(sql: Sql, storage: Storage, segment: rows.UncoveredSegment): Promise<void> {
  const until = await rows.databaseNow(sql)
  try {
    await storage.files.sync(segment.containerId, segment.segmentId)
  } catch (error) {
    // The container was deleted meanwhile, and its rows with it.
    if (!isSystemError(error, 'ENOENT')) throw error
  }
  await rows.markCovered(sql, segment, until)
}

/** Call after a failed sync: the kernel may count lost pages as written, and stay silent. */
async function dropUncovered(
  { database, storage, log }: DurabilityDeps,
  segment: rows.UncoveredSegment,
  cause: unknown,
): Promise<void> {
  await requireMounted(storage.root)
  const { containerId } = segment
  await storage.writers.closeIdleOf(containerId)
  const dropped = await database.begin(async (sql) => {
    await lockContainer(sql, containerId)
    const { count, bytes } = await rows.deleteUncovered(sql, segment)
    await accountBytes(sql, containerId, 0, -bytes)
    return count
  })
  const text = 'dropped chunks after failed sync: client must resend them'
  log.error(text, { segment: segment.segmentId, chunks: dropped, cause })
}

async function hasItsCrc(
  storage: Storage,
  chunk: Chunk & { containerId: string },
): Promise<boolean> {
  try {
    const segment = await storage.files.pin(chunk.containerId, chunk.segmentId)
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
