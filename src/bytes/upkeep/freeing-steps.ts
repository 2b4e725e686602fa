// The rows of a container, freed in pages.
import type { Sql } from '../../database/connect.ts'
import * as rows from './freeing-sql.ts'
import { freeThumbnails } from '../thumbnails-sql.ts'

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
    (sql, limit) => rows.freeSegments(sql, containerId, limit),
    (sql, limit) => rows.freeSegmentTombstones(sql, containerId, limit),
  ])
  return async (sql) => ((await rows.closeContainer(sql, containerId)) ? free(sql) : null)
}

/** Frees the rows of a tombstone. */
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
    thumbnails(containerId, 'all'),
    freeFiles,
    freeFolders(containerId, 'all'),
    freeChunks(containerId),
  ]
}

function freeReceived(containerId: string): Stage[] {
  return [
    thumbnails(containerId, 'pending'),
    freeFolders(containerId, 'pending'),
    freeChunks(containerId),
  ]
}

function thumbnails(containerId: string, which: 'all' | 'pending'): Stage {
  return (sql, limit) => freeThumbnails(sql, containerId, which, limit)
}

function freeFolders(containerId: string, which: 'all' | 'pending'): Stage {
  return (sql, limit) => rows.freeFolders(sql, containerId, which, limit)
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
  return [rows.freeDownloads, rows.freeLeases].map((free): Stage => {
    return (sql, limit) => free(sql, shareId, limit)
  })
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
