import type { Sql } from '../../database/connect.ts'

/** The last notice of a kind. */
export interface SentNotice {
  readonly kind: string
  readonly about: string
  readonly sentAt: Date
}

/** Blocks other processes until the transaction ends, so that each notice is sent once. */
export async function lockNotices(sql: Sql): Promise<SentNotice[]> {
  await sql`lock table administrator_notices in share row exclusive mode`
  return sql<SentNotice[]>`select kind, about, sent_at from administrator_notices`
}

export async function saveNotice(sql: Sql, { kind, about, sentAt }: SentNotice): Promise<void> {
  await sql`
    insert into administrator_notices (kind, about, sent_at)
    values (${kind}, ${about}, ${sentAt})
    on conflict (kind) do update
    set about = excluded.about, sent_at = excluded.sent_at`
}

/** Failed emails since a time, without those about problems: they would cause the next one. */
export async function countDeadEmails(sql: Sql, since: Date): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)
    from emails
    where sent_at is null and dead_at > ${since} and kind not in ('problems', 'updated')`
  return row?.count ?? 0
}

/** Files whose damage was found since a time. */
export async function countDamagedFiles(sql: Sql, since: Date): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)
    from files
    where damaged_at > ${since}`
  return row?.count ?? 0
}

/** The newest migration, and whether the database is older than it: an update, not a new one. */
export async function findNewestMigration(
  sql: Sql,
): Promise<{ name: string; appliedAt: Date; isUpdate: boolean } | null> {
  return sql<{ name: string; appliedAt: Date; isUpdate: boolean }[]>`
    select name, applied_at,
      applied_at > (select min(applied_at) from migrations) + interval '10 minutes' as is_update
    from migrations
    order by name collate "C" desc
    limit 1`.first()
}
