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

/** After a moment, and up to another. */
export interface Period {
  readonly since: Date
  readonly until: Date
}

/** Failed emails of a period, without those about problems: they would cause the next one. */
export async function countDeadEmails(sql: Sql, { since, until }: Period): Promise<number> {
  return sql<{ count: number }[]>`
    select count(*)
    from emails
    where sent_at is null
      and dead_at > ${since} and dead_at <= ${until}
      and kind not in ('problems', 'updated')`.oneValue()
}

/** Files whose damage was found in a period. */
export async function countDamagedFiles(sql: Sql, { since, until }: Period): Promise<number> {
  return sql<{ count: number }[]>`
    select count(*)
    from files
    where damaged_at > ${since} and damaged_at <= ${until}`.oneValue()
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
