import type { Sql } from '../database/connect.ts'
import type { OpenRequests } from '../bytes/receive/uploads.ts'
import type { Share } from './sql.ts'

/** A pause between two chunks that is no pause of the upload. */
const growingMs = 75_000

export interface DraftProgress {
  readonly bytes: number
  /** Received bytes of chunks that are not stored yet. */
  readonly bytesComing: number
  /** Whether a chunk is being received, or was stored within `growingMs`. */
  readonly isGrowing: boolean
  /** When its last chunk was received; null before the first. */
  readonly lastAt: Date | null
}

/**
 * By container id. Covers drafts only: other shares are complete. Chunks are counted when they end,
 * and 100 MiB at 3 Mbit/s take almost five minutes, so that open requests count, too.
 */
export async function listDraftProgress(
  sql: Sql,
  shares: readonly Pick<Share, 'state' | 'containerId'>[],
  now: number,
  open: Pick<OpenRequests, 'has' | 'bytesOf'>,
): Promise<ReadonlyMap<string, DraftProgress>> {
  const containerIds = shares.flatMap(({ state, containerId }) =>
    state === 'draft' ? [containerId] : [],
  )
  if (containerIds.length === 0) return new Map()
  const rows = await sql<{ id: string; bytes: number; changedAt: Date | null }[]>`
    select id, live_bytes as bytes, changed_at
    from containers
    where id = any(${containerIds}::uuid[])`
  return new Map(
    rows.map(({ id, bytes, changedAt }) => {
      // A date in the future was written by a clock that was wrong.
      const age = changedAt ? now - changedAt.getTime() : -1
      const isGrowing = open.has(id) || (age >= 0 && age < growingMs)
      return [id, { bytes, bytesComing: open.bytesOf(id), isGrowing, lastAt: changedAt }] as const
    }),
  )
}
