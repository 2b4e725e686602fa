import type { Sql } from '../../database/connect.ts'
import type { User } from '../users/sql.ts'

export type WaitingPerson = Pick<User, 'id' | 'email' | 'name'> & { readonly requestedAt: Date }

/** People who wait for approval. */
export async function countWaiting(sql: Sql): Promise<number> {
  return sql<{ count: number }[]>`
    select count(*)
    from users
    where requested_at is not null`.oneValue()
}

/** When the last of them signed up, or null; none that the clock was ahead for. */
export async function findNewestWaiting(sql: Sql, now: Date): Promise<Date | null> {
  return sql<{ at: Date | null }[]>`
    select max(requested_at) as at
    from users
    where requested_at <= ${now}`.firstValue()
}

/** Those who have waited longest first. */
export async function listWaiting(sql: Sql, countMax: number): Promise<WaitingPerson[]> {
  return sql<WaitingPerson[]>`
    select id, email, name, requested_at
    from users
    where requested_at is not null
    order by requested_at, id
    limit ${countMax}`
}

/** Removes people who have waited since before this moment: nothing can be theirs yet. */
export async function deleteWaiting(sql: Sql, before: Date): Promise<Pick<User, 'id' | 'email'>[]> {
  return sql<Pick<User, 'id' | 'email'>[]>`
    delete from users
    where requested_at < ${before}
    returning id, email`
}
