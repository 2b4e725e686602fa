import type { Sql } from '../database/connect.ts'
import { refusedActs } from './acts.ts'

/** Numbers, words and lists of words: never what is secret, and bounded by `record`. */
export type Details = Readonly<Record<string, unknown>>

export interface AuditRow {
  readonly id: number
  readonly at: Date
  readonly actorKind: string
  /** Null for everybody but users. */
  readonly actorUserId: number | null
  readonly actorEmail: string
  readonly act: string
  readonly targetKind: string
  readonly targetId: string
  readonly targetName: string
  readonly ip: string
  readonly details: Details
}

/** One row a target. The actor's address is looked up as it is now. */
export async function insertRows(
  sql: Sql,
  entry: Pick<
    AuditRow,
    'at' | 'actorKind' | 'actorUserId' | 'act' | 'targetKind' | 'ip' | 'details'
  > & { targetIds: readonly string[]; targetNames: readonly string[] },
): Promise<void> {
  const { at, actorKind, actorUserId, act, targetKind, ip } = entry
  const details = JSON.stringify(entry.details)
  await sql`
    insert into audit (
      at, actor_kind, actor_user_id, actor_email, act, target_kind, target_id, target_name, ip,
      details
    )
    select
      ${at}::timestamptz, ${actorKind}, ${actorUserId}::integer,
      coalesce((select email from users where id = ${actorUserId}::integer), ''),
      ${act}, ${targetKind}, target.id, target.name, ${ip},
      ${details}::text::jsonb
    from unnest(${[...entry.targetIds]}::text[], ${[...entry.targetNames]}::text[])
      with ordinality as target (id, name, place)
    order by target.place`
}

/**
 * Counts one more failed login in the newest row of this act and address, or of this act from
 * anywhere. False when there is none.
 */
export async function countInNewest(
  sql: Sql,
  act: string,
  ip: string | null,
  at: Date,
): Promise<boolean> {
  const from = ip === null ? sql`` : sql`and ip = ${ip}`
  const rows = await sql`
    update audit
    set details = details || jsonb_build_object(
      'more', coalesce((details ->> 'more')::bigint, 0) + 1,
      'more_until', ${at.toISOString()}::text
    )
    where id = (
      select id
      from audit
      where act = ${act} ${from}
      order by id desc
      limit 1
    )
    returning id`
  return rows.length > 0
}

/** What to list; null for no such condition. */
export interface Filter {
  readonly actorUserId: number | null
  readonly actorEmail: string | null
  readonly act: string | null
  /** Such as `share.`, for all acts that begin with it. */
  readonly actPrefix: string | null
  /** Whether it came to nothing. */
  readonly isRefused: boolean | null
  readonly targetId: string | null
  readonly targetName: string | null
  readonly ip: string | null
  /** In CIDR notation. */
  readonly network: string | null
  readonly since: Date | null
  /** Not included. */
  readonly until: Date | null
}

/** Newest first: at most `limit` rows older than the one called `before`. */
export async function listRows(
  sql: Sql,
  filter: Filter,
  before: number | null,
  limit: number,
): Promise<AuditRow[]> {
  const rows = await sql<AuditColumns[]>`
    select
      id, at, actor_kind, actor_user_id, actor_email, act, target_kind, target_id, target_name,
      ip, details
    from audit
    where true ${conditions(sql, filter)} ${before === null ? sql`` : sql`and id < ${before}`}
    order by id desc
    limit ${limit}`
  return rows.map(toRow)
}

/** Removes rows from before a moment, at most `limit`. Returns how many. */
export async function deleteOldRows(sql: Sql, before: Date, limit: number): Promise<number> {
  const rows = await sql`
    delete from audit
    where id in (
      select id
      from audit
      where at < ${before}
      order by at
      limit ${limit}
    )
    returning id`
  return rows.length
}

/** Only what is asked for: each combination gets a plan, and with it an index, of its own. */
function conditions(sql: Sql, filter: Filter) {
  const { actorUserId, actorEmail, act, actPrefix, isRefused } = filter
  const { targetId, targetName, ip, network, since, until } = filter
  const none = sql``
  const refused = sql(refusedActs)
  return sql`
    ${actorUserId === null ? none : sql`and actor_user_id = ${actorUserId}`}
    ${actorEmail === null ? none : sql`and lower(actor_email) = lower(${actorEmail})`}
    ${act === null ? none : sql`and act = ${act}`}
    ${actPrefix === null ? none : sql`and act like ${likePrefix(actPrefix)}`}
    ${isRefused === null ? none : sql`and act ${isRefused ? none : sql`not`} in ${refused}`}
    ${targetId === null ? none : sql`and target_id = ${targetId}`}
    ${targetName === null ? none : sql`and lower(target_name) = lower(${targetName})`}
    ${ip === null ? none : sql`and ip = ${ip}`}
    ${network === null ? none : sql`and nullif(ip, '')::inet <<= ${network}::cidr`}
    ${since === null ? none : sql`and at >= ${since}`}
    ${until === null ? none : sql`and at < ${until}`}`
}

function likePrefix(prefix: string): string {
  return `${prefix.replaceAll(/[\\%_]/g, '\\$&')}%`
}

interface AuditColumns {
  id: number
  at: Date
  actor_kind: string
  actor_user_id: number | null
  actor_email: string
  act: string
  target_kind: string
  target_id: string
  target_name: string
  ip: string
  details: Details
}

function toRow(row: AuditColumns): AuditRow {
  return {
    id: row.id,
    at: row.at,
    actorKind: row.actor_kind,
    actorUserId: row.actor_user_id,
    actorEmail: row.actor_email,
    act: row.act,
    targetKind: row.target_kind,
    targetId: row.target_id,
    targetName: row.target_name,
    ip: row.ip,
    details: row.details,
  }
}
