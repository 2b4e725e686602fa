import type { Sql } from '../database/connect.ts'
import type { Share } from './sql.ts'

/** A chunk is counted when it ends: 100 MiB at 3 Mbit/s take almost five minutes. */
export const growingMs = 5 * 60_000

/** The received part of a draft. */
export interface Arrival {
  readonly bytes: number
  /** Whether a chunk arrived within `growingMs`. */
  readonly isGrowing: boolean
  /** When its last chunk arrived; null before the first. */
  readonly lastAt: Date | null
}

/** By container id. Covers drafts only: other shares are complete. */
export async function listArrivals(
  sql: Sql,
  shares: readonly Pick<Share, 'state' | 'containerId'>[],
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
      // A date in the future was written by a clock that was wrong.
      const age = changedAt ? now - changedAt.getTime() : -1
      return [id, { bytes, isGrowing: age >= 0 && age < growingMs, lastAt: changedAt }] as const
    }),
  )
}
