import type { Sql } from '../../database/connect.ts'
import { invalidInput } from '../../lib/errors.ts'
import type { Share } from '../sql.ts'
import { listDownloads, type ActivityPlace, type ActivityRow } from './sql.ts'

export interface ActivityPage {
  readonly downloads: readonly ActivityRow[]
  /** Where the next page begins; null on the last one. */
  readonly next: string | null
}

/** Milliseconds since 1970 and the id of the last download on the previous page. */
const cursorPattern = /^([0-9]{1,13})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/**
 * Counted downloads of a share, newest first.
 * @param limit downloads per page
 * @param cursor `next` of the previous page
 * @throws CodedError invalid_input for a malformed cursor
 */
export async function listActivity(
  sql: Sql,
  share: Share,
  limit: number,
  cursor: string | null,
): Promise<ActivityPage> {
  const after = cursor === null ? null : readCursor(cursor)
  // One row more than asked for tells whether there is a next page.
  const found = await listDownloads(sql, share, after, limit + 1)
  const downloads = found.slice(0, limit)
  const last = found.length > limit ? downloads.at(-1) : undefined
  return { downloads, next: last ? writeCursor(last) : null }
}

function writeCursor({ startedAt, id }: ActivityPlace): string {
  return Buffer.from(`${startedAt.getTime()}.${id}`).toString('base64url')
}

function readCursor(cursor: string): ActivityPlace {
  const parts = cursorPattern.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  const [, startedMs, id] = parts ?? []
  if (startedMs === undefined || id === undefined) {
    throw invalidInput('cursor', 'must be a cursor from a previous answer')
  }
  return { startedAt: new Date(Number(startedMs)), id }
}
