import type { Sql } from '../database/connect.ts'
import { stateAt } from '../shares/all-sql.ts'
import type { ShareState } from '../shares/sql.ts'

/** Everything the service has, in numbers. */
export interface Totals {
  readonly databaseBytes: number
  readonly parcels: number
  /** Bytes on disk that were ever committed, and those that something still refers to. */
  readonly usedBytes: number
  readonly liveBytes: number
  /** Parcels whose bytes are still to be removed. */
  readonly tombstones: number
  readonly users: number
  readonly shares: Readonly<Record<ShareState, number>>
  readonly reverseShares: number
}

interface TotalsColumns {
  database_bytes: number
  parcels: number
  used_bytes: number
  live_bytes: number
  tombstones: number
  users: number
  drafts: number
  complete: number
  expired: number
  reverse_shares: number
}

export async function countAll(sql: Sql, now: Date): Promise<Totals> {
  const [row] = await sql<TotalsColumns[]>`
    select pg_database_size(current_database()) as database_bytes,
      parcels.*, shares.*,
      (select count(*) from tombstones) as tombstones,
      (select count(*) from users) as users,
      (select count(*) from reverse_shares) as reverse_shares
    from (
      select count(*) as parcels,
        coalesce(sum(used_bytes), 0)::bigint as used_bytes,
        coalesce(sum(live_bytes), 0)::bigint as live_bytes
      from parcels
    ) as parcels, (
      select count(*) filter (where state = 'draft') as drafts,
        count(*) filter (where state = 'complete') as complete,
        count(*) filter (where state = 'expired') as expired
      from (select ${stateAt(sql, now)} as state from shares) as states
    ) as shares`
  const { drafts, complete, expired } = row!
  return {
    databaseBytes: row!.database_bytes,
    parcels: row!.parcels,
    usedBytes: row!.used_bytes,
    liveBytes: row!.live_bytes,
    tombstones: row!.tombstones,
    users: row!.users,
    shares: { draft: drafts, complete, expired },
    reverseShares: row!.reverse_shares,
  }
}
