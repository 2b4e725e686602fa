import type { Sql } from '../database/connect.ts'
import { stateAt } from '../shares/all-sql.ts'
import type { ShareState } from '../shares/sql.ts'

/** Totals over the whole service. */
export interface Totals {
  readonly databaseBytes: number
  readonly containers: number
  /** Committed bytes on disk, and those that rows still refer to. */
  readonly usedBytes: number
  readonly liveBytes: number
  /** Containers with bytes to be removed. */
  readonly tombstones: number
  readonly users: number
  readonly shares: Readonly<Record<ShareState, number>>
  readonly reverseShares: number
}

type SharesByState = { drafts: number; complete: number; expired: number }

export async function countAll(sql: Sql, now: Date): Promise<Totals> {
  const [row] = await sql<(Omit<Totals, 'shares'> & SharesByState)[]>`
    select pg_database_size(current_database()) as database_bytes,
      containers.*, shares.*,
      (select count(*) from tombstones) as tombstones,
      (select count(*) from users) as users,
      (select count(*) from reverse_shares) as reverse_shares
    from (
      select count(*) as containers,
        coalesce(sum(used_bytes), 0)::bigint as used_bytes,
        coalesce(sum(live_bytes), 0)::bigint as live_bytes
      from containers
    ) as containers, (
      select count(*) filter (where state = 'draft') as drafts,
        count(*) filter (where state = 'complete') as complete,
        count(*) filter (where state = 'expired') as expired
      from (select ${stateAt(sql, now)} as state from shares) as states
    ) as shares`
  const { drafts, complete, expired, ...totals } = row!
  return { ...totals, shares: { draft: drafts, complete, expired } }
}

/** The database's clock. */
export async function findNow(sql: Sql): Promise<Date> {
  const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`
  return row!.now
}
