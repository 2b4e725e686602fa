import type { Sql } from '../../database/connect.ts'
import { CodedError } from '../../lib/errors.ts'
import * as rows from './sql.ts'

/** Keeps each statement well below statement_timeout. */
const pageRows = 1000
const extentRows = pageRows * 5

export interface CopyTarget {
  readonly containerId: string
  readonly segments: readonly rows.LinkedSegment[]
  readonly createdAt: Date
  /** Checked before each page. */
  readonly signal: AbortSignal
}

/**
 * Gives a container the files with these ids, in that order, and their extents in the segments that
 * both containers have. Returns the sum of their bytes.
 * @throws CodedError not_found when one of them is gone; the signal's reason
 */
export async function copyFiles(
  sql: Sql,
  fileIds: readonly number[],
  to: CopyTarget,
): Promise<number> {
  let bytes = 0
  for (let start = 0; start < fileIds.length; start += pageRows) {
    to.signal.throwIfAborted()
    const fromIds = fileIds.slice(start, start + pageRows)
    const copied = await rows.insertCopiedFiles(sql, fromIds, to)
    if (copied.length !== fromIds.length) throw new CodedError('not_found')
    bytes += copied.reduce((sum, { size }) => sum + size, 0)
    const toIds = copied.map(({ id }) => id)
    let after: rows.ExtentPlace | null = { fileId: 0, position: 0 }
    while (after) {
      const page = { after, limit: extentRows }
      after = await rows.insertCopiedExtents(sql, { fromIds, toIds }, to.segments, page)
    }
  }
  return bytes
}
