import type { Sql } from '../database/connect.ts'

/** Waits for other transactions that queue emails on the topic; held until the end of this one. */
export async function lockTopic(sql: Sql, topic: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mails:${topic}`}, 0))`
}

/** An email that still gathers; locked, so that it is not sent meanwhile. */
export async function lockHeldEmail(
  sql: Sql,
  topic: string,
  recipient: string,
): Promise<{ id: string; contentSealed: Buffer } | null> {
  return sql<{ id: string; contentSealed: Buffer }[]>`
    select id, content_sealed
    from emails
    where topic = ${topic}
      and recipient = ${recipient}
      and held_until is not null
      and sent_at is null
      and dead_at is null
      and attempts = 0
    order by created_at desc
    limit 1
    for update`.first()
}

export async function replaceHeldContent(sql: Sql, id: string, contentSealed: Buffer) {
  await sql`update emails set content_sealed = ${contentSealed} where id = ${id}`
}

/** When the newest email of these kinds was first due; null when there is none. */
export async function findNewestDue(
  sql: Sql,
  topic: string,
  recipient: string,
  kinds: readonly string[],
): Promise<Date | null> {
  return sql<{ due: Date | null }[]>`
    select max(coalesce(held_until, created_at)) as due
    from emails
    where topic = ${topic} and recipient = ${recipient}
      and kind = any(${[...kinds]}::text[])`.firstValue()
}
