import type { Sql } from '../../database/connect.ts'
import type { User } from '../users/sql.ts'

/** People who wait for approval. */
export interface Waiting {
  readonly count: number
  /** When the last of them signed up; null without any. */
  readonly newestAt: Date | null
}

export type WaitingPerson = Pick<User, 'id' | 'email' | 'name'> & { readonly requestedAt: Date }

export async function countWaiting(sql: Sql): Promise<Waiting> {
  return sql<Waiting[]>`
    select count(*) as count, max(requested_at) as newest_at
    from users
    where requested_at is not null`.one()
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
