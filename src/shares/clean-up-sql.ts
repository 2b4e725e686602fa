import type { Sql } from '../database/connect.ts'

/** Complete shares past their expiry, without the excluded ones. */
export async function listExpired(
  sql: Sql,
  now: Date,
  without: readonly string[],
): Promise<string[]> {
  return sql<{ id: string }[]>`
    select id
    from shares
    where expires_at <= ${now} and state = 'complete' and id <> all(${[...without]}::text[])
    order by expires_at
    limit 100`.column()
}

const begunAt = {
  draft: (sql: Sql) => sql`created_at`,
  additions: (sql: Sql) => sql`adding_since`,
}
type Unfinished = keyof typeof begunAt

const abandoned = (sql: Sql, what: Unfinished, since: Date) => sql`
  ${what === 'draft' ? sql`state = 'draft' and` : sql``} ${begunAt[what](sql)} < ${since}
    and not exists (
      select 1
      from chunks
      where chunks.container_id = shares.container_id and chunks.created_at >= ${since}
    )`

/** Drafts, or shares with additions, that got nothing since `since`, without the excluded ones. */
export async function listAbandoned(
  sql: Sql,
  what: Unfinished,
  since: Date,
  without: readonly string[],
): Promise<string[]> {
  return sql<{ id: string }[]>`
    select id
    from shares
    where ${abandoned(sql, what, since)} and id <> all(${[...without]}::text[])
    order by ${begunAt[what](sql)}
    limit 100`.column()
}

export async function isAbandoned(
  sql: Sql,
  what: Unfinished,
  id: string,
  since: Date,
): Promise<boolean> {
  return sql`select 1 from shares where id = ${id} and ${abandoned(sql, what, since)}`.exists()
}

export async function markExpired(sql: Sql, id: string): Promise<void> {
  await sql`update shares set state = 'expired', adding_since = null where id = ${id}`
}
