import type { Sql } from '../database/connect.ts'
import { dayMs } from '../lib/clock.ts'
import { refusedEvents } from './events.ts'

/** Numbers, words and lists of words: never secret, and bounded by `record`. */
export type Details = Readonly<Record<string, unknown>>

export interface AuditRow {
  readonly id: number
  readonly at: Date
  readonly actorKind: 'user' | 'guest' | 'anonymous' | 'operator' | 'system'
  /** Null unless the actor is a user. */
  readonly actorUserId: number | null
  readonly actorEmail: string
  readonly event: string
  readonly targetKind: string
  readonly targetId: string
  readonly targetName: string
  readonly ip: string
  readonly details: Details
}

/** One row per target. Copies the actor's present address. */
export async function insertRows(
  sql: Sql,
  entry: Pick<
    AuditRow,
    'at' | 'actorKind' | 'actorUserId' | 'event' | 'targetKind' | 'ip' | 'details'
  > & { targetIds: readonly string[]; targetNames: readonly string[] },
): Promise<void> {
  const { at, actorKind, actorUserId, event, targetKind, ip } = entry
  const details = JSON.stringify(entry.details)
  await sql`
    insert into audit (
      at, actor_kind, actor_user_id, actor_email, event, target_kind, target_id, target_name, ip,
      details
    )
    select
      ${at}::timestamptz, ${actorKind}, ${actorUserId}::integer,
      coalesce((select email from users where id = ${actorUserId}::integer), ''),
      ${event}, ${targetKind}, target.id, target.name, ${ip},
      ${details}::text::jsonb
    from unnest(${[...entry.targetIds]}::text[], ${[...entry.targetNames]}::text[])
      with ordinality as target (id, name, place)
    order by target.place`
}

/**
 * Counts a further failed sign-in in the newest row of this event and address, or of this event
 * from any address. False when there is none of the last day.
 */
export async function countInNewest(
  sql: Sql,
  event: string,
  ip: string | null,
  at: Date,
): Promise<boolean> {
  const from = ip === null ? sql`` : sql`and ip = ${ip}`
  return sql`
    update audit
    set details = details || jsonb_build_object(
      'more', coalesce((details ->> 'more')::bigint, 0) + 1,
      'more_until', ${at.toISOString()}::text
    )
    where id = (
      select id
      from audit
      where event = ${event} ${from} and at > ${new Date(at.getTime() - dayMs)}
      order by id desc
      limit 1
    )`.exists()
}

/** Filter of a list; null for no condition. */
export interface Filter {
  readonly actorUserId: number | null
  readonly actorEmail: string | null
  readonly event: string | null
  /** For example `share.`, for all events that begin with it. */
  readonly eventPrefix: string | null
  /** Whether the attempt failed. */
  readonly isRefused: boolean | null
  readonly targetId: string | null
  readonly targetName: string | null
  readonly ip: string | null
  /** In CIDR notation. */
  readonly network: string | null
  readonly since: Date | null
  /** Exclusive. */
  readonly until: Date | null
}

/** Newest first: at most `limit` rows older than `before`. */
export async function listRows(
  sql: Sql,
  filter: Filter,
  before: number | null,
  limit: number,
): Promise<AuditRow[]> {
  return sql<AuditRow[]>`
    select
      id, at, actor_kind, actor_user_id, actor_email, event, target_kind, target_id, target_name,
      ip, details
    from audit
    where true ${conditions(sql, filter)} ${before === null ? sql`` : sql`and id < ${before}`}
    order by id desc
    limit ${limit}`
}

/** Removes rows older than `before`, at most `limit`. Returns their number. */
export async function deleteOldRows(sql: Sql, before: Date, limit: number): Promise<number> {
  return sql`
    delete from audit
    where id in (
      select id
      from audit
      where at < ${before}
      order by at
      limit ${limit}
    )`.changes()
}

/** Only active conditions, so that each combination gets its own plan, with an index. */
function conditions(sql: Sql, filter: Filter) {
  const { actorUserId, actorEmail, event, eventPrefix, isRefused } = filter
  const { targetId, targetName, ip, network, since, until } = filter
  const none = sql``
  const refused = sql(refusedEvents)
  return sql`
    ${actorUserId === null ? none : sql`and actor_user_id = ${actorUserId}`}
    ${actorEmail === null ? none : sql`and lower(actor_email) = lower(${actorEmail})`}
    ${event === null ? none : sql`and event = ${event}`}
    ${eventPrefix === null ? none : sql`and event like ${likePrefix(eventPrefix)}`}
    ${isRefused === null ? none : sql`and event ${isRefused ? none : sql`not`} in ${refused}`}
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
