import type { Database } from '../../database/connect.ts'
import type { Log } from '../../lib/log.ts'
import { requireMounted } from '../storage-root.ts'
import type { Storage } from '../storage.ts'
import { accountBytes, deleteChunksBehind, listChunkSegments, lockContainer } from './sql.ts'

interface LostChunksDeps {
  readonly database: Database
  readonly storage: Storage
  readonly log: Log
}

/**
 * Drops received chunks whose bytes are no longer on disk, so that they are listed as missing and
 * the client sends them again. That happens after a restore of a database that is newer than the
 * files. Looks at sizes alone.
 * @throws CodedError unavailable when the whole disk is missing
 */
export async function dropLostChunks(
  { database, storage, log }: LostChunksDeps,
  containerId: string,
): Promise<void> {
  for (const { segmentId, end } of await listChunkSegments(database.sql, containerId)) {
    const bytesOnDisk = (await storage.files.bytesOnDisk(containerId, segmentId)) ?? 0
    if (bytesOnDisk >= end) continue
    await requireMounted(storage.root)
    // Bytes appended behind the loss would hide it from a check of sizes.
    await storage.writers.closeIdleOf(containerId)
    const dropped = await database.begin(async (sql) => {
      await lockContainer(sql, containerId)
      const lost = await deleteChunksBehind(sql, { containerId, segmentId, bytesOnDisk })
      await accountBytes(sql, containerId, 0, -lost.bytes)
      return lost.count
    })
    if (dropped === 0) continue
    const what = 'dropped chunks with missing bytes: client must resend them'
    log.error(what, { segment: segmentId, left: bytesOnDisk, chunks: dropped })
  }
}
