// The rows of a container, freed in pages.
import type { Sql } from '../../database/connect.ts'
import * as rows from './freeing-sql.ts'

/** Rows of one transaction. Keeps each statement well below statement_timeout. */
export const pageRows = 5_000

/**
 * Frees at most a page of rows. Returns their number, or null while another transaction blocks it.
 */
export type Step = (sql: Sql) => Promise<number | null>

/** Frees at most `limit` rows. Returns their number. */
type Stage = (sql: Sql, limit: number) => Promise<number>

/** Closes a container for new bytes, and frees the rows of its segments. */
export function closeContainer(containerId: string): Step {
  const free = freeAll([
    tableOf('segments', containerId),
    tableOf('segment_tombstones', containerId),
  ])
  return async (sql) => ((await rows.closeContainer(sql, containerId)) ? free(sql) : null)
}

export function freeRows(containerId: string, frees: rows.Frees, shareId: string | null): Step {
  if (frees === 'chunks') return freeAll(freeReceived(containerId))
  const isWhole = frees === 'container' && shareId !== null
  return freeAll([...freeContents(containerId), ...(isWhole ? freeTransfers(shareId) : [])])
}

function freeContents(containerId: string): Stage[] {
  let afterId = 0
  const freeFiles: Stage = async (sql, limit) => {
    const { freed, lastId } = await rows.freeFiles(sql, containerId, afterId, limit)
    afterId = lastId
    return freed
  }
  return [
    tableOf('thumbnails', containerId),
    freeFiles,
    tableOf('folders', containerId),
    freeChunks(containerId),
  ]
}

function freeReceived(containerId: string): Stage[] {
  return [
    tableOf('thumbnails', containerId, 'pending'),
    tableOf('folders', containerId, 'pending'),
    freeChunks(containerId),
  ]
}

function tableOf(
  table: Parameters<typeof rows.freeTable>[1],
  ownerId: string,
  which: 'all' | 'pending' = 'all',
): Stage {
  return (sql, limit) => rows.freeTable(sql, table, ownerId, limit, which)
}

function freeChunks(containerId: string): Stage {
  let after: rows.ChunkPlace = { fileKey: '', index: -1 }
  return async (sql, limit) => {
    const { freed, last } = await rows.freeChunks(sql, containerId, after, limit)
    after = last
    return freed
  }
}

/** Downloads first: they refer to their lease. */
function freeTransfers(shareId: string): Stage[] {
  return [(sql, limit) => rows.freeDownloads(sql, shareId, limit), tableOf('leases', shareId)]
}

/** Runs one page of the first stages that have rows left. */
function freeAll(stages: readonly Stage[]): Step {
  return async (sql) => {
    let freed = 0
    for (const stage of stages) {
      while (freed < pageRows) {
        const count = await stage(sql, pageRows - freed)
        if (count === 0) break
        freed += count
      }
    }
    return freed
  }
}
