import type { Sql } from '../database/connect.ts'

export async function recordRun(sql: Sql, name: string, at: Date): Promise<void> {
  await sql`
    insert into job_runs (name, done_at)
    values (${name}, ${at})
    on conflict (name) do update
    set done_at = excluded.done_at`
}

/** When each job with a row last finished, in any process. */
export async function listRuns(sql: Sql): Promise<{ name: string; doneAt: Date }[]> {
  return sql<{ name: string; doneAt: Date }[]>`
    select name, done_at
    from job_runs
    order by name
    limit 100`
}

/** The last reading of the clock. */
export interface ClockWatch {
  readonly at: Date
  readonly bootId: string
  readonly sinceBootMs: number
  /** The expected time; equals `at` unless the clock is doubted. */
  readonly expectedAt: Date
  readonly doubtedSince: Date | null
  /** How long the service must still run before it trusts the clock. */
  readonly doubtLeftMs: number
}

/** Null before the first start. */
export async function lockClockWatch(sql: Sql): Promise<ClockWatch | null> {
  return sql<ClockWatch[]>`
    select boot_id, since_boot_ms, seen_at as at, expected_at, doubted_since, doubt_left_ms
    from clock_watch
    for update`.first()
}

export async function saveClockWatch(sql: Sql, watch: ClockWatch): Promise<void> {
  await sql`
    insert into clock_watch (
      boot_id, since_boot_ms, seen_at, expected_at, doubted_since, doubt_left_ms
    )
    values (
      ${watch.bootId}, ${watch.sinceBootMs}, ${watch.at}, ${watch.expectedAt},
      ${watch.doubtedSince}, ${watch.doubtLeftMs}
    )
    on conflict (is_only) do update
    set boot_id = excluded.boot_id,
      since_boot_ms = excluded.since_boot_ms,
      seen_at = excluded.seen_at,
      expected_at = excluded.expected_at,
      doubted_since = excluded.doubted_since,
      doubt_left_ms = excluded.doubt_left_ms`
}
