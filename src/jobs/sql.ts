import type { Sql } from '../db/connect.ts'

export async function findLastRun(sql: Sql, name: string): Promise<Date | null> {
  const [row] = await sql<{ done_at: Date }[]>`select done_at from job_runs where name = ${name}`
  return row?.done_at ?? null
}

export async function recordRun(sql: Sql, name: string, at: Date): Promise<void> {
  await sql`
    insert into job_runs (name, done_at)
    values (${name}, ${at})
    on conflict (name) do update
    set done_at = excluded.done_at`
}

/** When each job that keeps such a row was last done, whichever process did it. */
export async function listRuns(sql: Sql): Promise<{ name: string; doneAt: Date }[]> {
  const rows = await sql<{ name: string; done_at: Date }[]>`
    select name, done_at
    from job_runs
    order by name
    limit 100`
  return rows.map((row) => ({ name: row.name, doneAt: row.done_at }))
}
