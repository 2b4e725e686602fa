import type { Sql } from '../database/connect.ts'

/** An account whose usage differs from the sum of what it owns, as counted and as summed. */
export interface UsageDrift {
  readonly userId: number
  readonly counted: number
  readonly summed: number
  /** The same on disk. */
  readonly countedStored: number
  readonly summedStored: number
}

const drifts = (sql: Sql, accounts: readonly number[]) => sql`
  select users.id as user_id,
    coalesce(counted.live, 0)::bigint as counted, coalesce(summed.live, 0)::bigint as summed,
    coalesce(counted.stored, 0)::bigint as counted_stored,
    coalesce(summed.stored, 0)::bigint as summed_stored
  from users
  left join (
    select user_id, sum(live_bytes) as live, sum(stored_bytes) as stored
    from usage
    where user_id = any(${accounts})
    group by user_id
  ) as counted on counted.user_id = users.id
  left join (
    select owner_id, sum(live_bytes) as live, sum(used_bytes) as stored
    from (
      select owner_id, live_bytes, used_bytes
      from shares
      join containers on containers.id = shares.container_id
      where state <> 'expired' and owner_id = any(${accounts})
      union all
      select owner_id, live_bytes, used_bytes
      from deliveries
      join containers on containers.id = deliveries.container_id
      join reverse_shares on reverse_shares.id = deliveries.reverse_share_id
      where owner_id = any(${accounts})
    ) as owned
    group by owner_id
  ) as summed on summed.owner_id = users.id
  where users.id = any(${accounts}) and (coalesce(counted.live, 0), coalesce(counted.stored, 0))
    <> (coalesce(summed.live, 0), coalesce(summed.stored, 0))`

/** A page of all accounts, after the last of the page before. */
export async function listAccountIds(
  sql: Sql,
  last: number | null,
  limit: number,
): Promise<number[]> {
  return sql<{ id: number }[]>`
    select id
    from users
    where id > ${last ?? 0}
    order by id
    limit ${limit}`.column()
}

/** Sums over all containers of these accounts. */
export async function listUsageDrifts(
  sql: Sql,
  accounts: readonly number[],
): Promise<UsageDrift[]> {
  return sql<UsageDrift[]>`${drifts(sql, accounts)}`
}

/** Lets no transaction count until this one ends, so that two cannot mend the same drift. */
export async function lockUsage(sql: Sql): Promise<void> {
  await sql`lock table usage in share row exclusive mode`
}

export async function mendUsage(sql: Sql, accounts: readonly number[]): Promise<void> {
  await sql`
    insert into usage (user_id, part, live_bytes, stored_bytes)
    select user_id, 0, summed - counted, summed_stored - counted_stored
    from (${drifts(sql, accounts)}) as drifted
    on conflict (user_id, part) do update
    set live_bytes = usage.live_bytes + excluded.live_bytes,
        stored_bytes = usage.stored_bytes + excluded.stored_bytes`
}
