import type { Sql } from '../database/connect.ts'

/** Complete shares past their expiry, without the excluded ones. */
export async function listExpired(
  sql: Sql,
  now: Date,
  without: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from shares
    where expires_at <= ${now} and state = 'complete' and id <> all(${[...without]}::text[])
    order by expires_at
    limit 100`
  return rows.map((row) => row.id)
}

const isAbandoned = (sql: Sql, since: Date) => sql`
  state = 'draft'
    and created_at < ${since}
    and not exists (
      select 1
      from chunks
      where chunks.container_id = shares.container_id and chunks.created_at >= ${since}
    )`

/** Drafts that have received nothing since `since`, without the excluded ones. */
export async function listAbandonedDrafts(
  sql: Sql,
  since: Date,
  without: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from shares
    where ${isAbandoned(sql, since)} and id <> all(${[...without]}::text[])
    order by created_at
    limit 100`
  return rows.map((row) => row.id)
}

export async function isAbandonedDraft(sql: Sql, id: string, since: Date): Promise<boolean> {
  return sql`select 1 from shares where id = ${id} and ${isAbandoned(sql, since)}`.exists()
}

export async function markExpired(sql: Sql, id: string): Promise<void> {
  await sql`update shares set state = 'expired', adding_since = null where id = ${id}`
}
