import type { Sql } from './connect.ts'
import { isLiving } from './instances-sql.ts'

/** Key of the advisory lock of exact decisions: "limits" in ASCII. */
const limitsKey = '119190614439027'

/** Tokens that an instance has given to a key of a limiter; negative for refunds. */
export interface Takes {
  readonly limiter: string
  readonly key: string
  readonly change: number
}

/** Takes of another instance, in the order of their numbers. */
export interface HeardTakes extends Takes {
  readonly instanceId: string
  readonly seq: number
}

/**
 * Until the end of the transaction, no other instance decides. One that falls silent meanwhile
 * loses its turn after two seconds.
 */
export async function lockLimits(sql: Sql): Promise<void> {
  await sql`
    select set_config('idle_in_transaction_session_timeout', '2s', true),
      set_config('lock_timeout', '4s', true),
      pg_advisory_xact_lock(${limitsKey}::bigint)`
}

/** The number of the last takes of each instance. */
export async function listLastTakes(sql: Sql): Promise<{ instanceId: string; seq: number }[]> {
  return sql<{ instanceId: string; seq: number }[]>`
    select instance_id, max(seq) as seq
    from limiter_takes
    group by instance_id`
}

/** @param heard the last number that was heard of each instance */
export async function listTakes(
  sql: Sql,
  instanceId: string,
  heard: ReadonlyMap<string, number>,
): Promise<HeardTakes[]> {
  return sql<HeardTakes[]>`
    select takes.instance_id, takes.seq, takes.limiter, takes.key, takes.change
    from instances
    left join unnest(
      ${[...heard.keys()]}::uuid[], ${[...heard.values()]}::bigint[]
    ) as heard (id, seq) on heard.id = instances.id
    cross join lateral (
      select *
      from limiter_takes
      where limiter_takes.instance_id = instances.id
        and limiter_takes.seq > coalesce(heard.seq, 0)
    ) as takes
    where instances.id <> ${instanceId} and ${isLiving(sql)}
    order by takes.instance_id, takes.seq`
}

export async function insertTakes(
  sql: Sql,
  instanceId: string,
  seq: number,
  takes: readonly Takes[],
): Promise<void> {
  await sql`
    insert into limiter_takes (instance_id, seq, limiter, key, change)
    select ${instanceId}, ${seq}::bigint, limiter, key, change
    from unnest(
      ${takes.map(({ limiter }) => limiter)}::text[],
      ${takes.map(({ key }) => key)}::text[],
      ${takes.map(({ change }) => change)}::integer[]
    ) as takes (limiter, key, change)`
}
