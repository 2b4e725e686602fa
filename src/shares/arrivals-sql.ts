import type { Sql } from '../database/connect.ts'
import type { ShareRow } from './sql.ts'

/** What comes in one chunk is counted at its end: of 100 MiB at 3 Mbit/s after five minutes. */
const growingMs = 5 * 60_000

/** What of a draft is there. */
export interface Arrival {
  readonly bytes: number
  /** Whether some of it came just now: see `growingMs`. */
  readonly isGrowing: boolean
}

/** By the ids of their containers, of those that are drafts: nothing more comes to the others. */
export async function listArrivals(
  sql: Sql,
  shares: readonly Pick<ShareRow, 'state' | 'containerId'>[],
  now: number,
): Promise<ReadonlyMap<string, Arrival>> {
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
      // A date to come was written by a clock that was wrong.
      const age = changedAt ? now - changedAt.getTime() : -1
      return [id, { bytes, isGrowing: age >= 0 && age < growingMs }] as const
    }),
  )
}
