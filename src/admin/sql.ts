import type { Sql } from '../database/connect.ts'
import { stateAt } from '../shares/sql.ts'

/** What only the database knows. */
export interface DatabaseFigures {
  readonly databaseBytes: number
  readonly users: number
  readonly sessions: number
  readonly drafts: number
  readonly complete: number
  readonly expired: number
  readonly reverseShares: number
  readonly containers: number
  /** Committed bytes on disk, and those that rows still refer to. */
  readonly usedBytes: number
  readonly liveBytes: number
  /** Containers with bytes to be removed. */
  readonly tombstones: number
  readonly queuedEmails: number
  readonly deadEmails: number
  readonly damagedFiles: number
  /** The last finished check of all bytes; null before the first. */
  readonly verifiedAt: Date | null
  readonly missing: number | null
  readonly short: number | null
  readonly rotten: number | null
  readonly orphaned: number | null
}

export async function readFigures(sql: Sql, now: Date): Promise<DatabaseFigures> {
  return sql<DatabaseFigures[]>`
    select pg_database_size(current_database()) as database_bytes,
      (select count(*) from users) as users,
      (select count(*) from sessions where expires_at > ${now}) as sessions,
      shares.*,
      (select count(*) from reverse_shares) as reverse_shares,
      containers.*,
      (select count(*) from tombstones) as tombstones,
      emails.*,
      (select count(*) from files where damaged_at is not null) as damaged_files,
      runs.finished_at as verified_at, runs.missing, runs.short, runs.rotten, runs.orphaned
    from (
      select count(*) filter (where state = 'draft') as drafts,
        count(*) filter (where state = 'complete') as complete,
        count(*) filter (where state = 'expired') as expired
      from (select ${stateAt(sql, now)} as state from shares) as states
    ) as shares
    cross join (
      select count(*) as containers,
        coalesce(sum(used_bytes), 0)::bigint as used_bytes,
        coalesce(sum(live_bytes), 0)::bigint as live_bytes
      from containers
    ) as containers
    cross join (
      select count(*) filter (where dead_at is null) as queued_emails,
        count(*) filter (where dead_at is not null) as dead_emails
      from emails
      where sent_at is null
    ) as emails
    left join lateral (
      select finished_at, missing, short, rotten, orphaned
      from verify_runs
      where finished_at is not null
      order by id desc
      limit 1
    ) as runs on true`.one()
}

/** The database's clock. */
export async function findNow(sql: Sql): Promise<Date> {
  return sql<{ now: Date }[]>`select clock_timestamp() as now`.oneValue()
}
