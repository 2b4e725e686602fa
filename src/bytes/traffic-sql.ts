import type { Sql } from '../database/connect.ts'

export interface DayCounts {
  receivedBytes: number
  sentBytes: number
  /** Finished ones. */
  uploads: number
  downloads: number
}

/** A day is written as in `2030-12-31`, in UTC. */
export interface TrafficDay extends Readonly<DayCounts> {
  readonly day: string
  /** Bytes on disk at the end of the day. */
  readonly storedBytes: number
}

/**
 * Adds counts to their days. Stored bytes are those of now, which past days with a row are not
 * given.
 */
export async function addTraffic(
  sql: Sql,
  counted: readonly (readonly [day: string, counts: Readonly<DayCounts>])[],
  today: string,
): Promise<void> {
  const counts = counted.map(([, one]) => one)
  await sql`
    insert into traffic_days (
      day, received_bytes, sent_bytes, uploads, downloads, stored_bytes
    )
    select counted.*, stored.bytes
    from unnest(
      ${counted.map(([day]) => day)}::date[],
      ${counts.map((one) => one.receivedBytes)}::bigint[],
      ${counts.map((one) => one.sentBytes)}::bigint[],
      ${counts.map((one) => one.uploads)}::integer[],
      ${counts.map((one) => one.downloads)}::integer[]
    ) as counted
    cross join (
      select coalesce(sum(used_bytes), 0)::bigint as bytes from containers
    ) as stored
    on conflict (day) do update
    set received_bytes = traffic_days.received_bytes + excluded.received_bytes,
        sent_bytes = traffic_days.sent_bytes + excluded.sent_bytes,
        uploads = traffic_days.uploads + excluded.uploads,
        downloads = traffic_days.downloads + excluded.downloads,
        stored_bytes = case
          when excluded.day = ${today}::date then excluded.stored_bytes
          else traffic_days.stored_bytes
        end`
}

/** The recorded days of a period, and the last one before it. Oldest first. */
export async function listTraffic(sql: Sql, from: string, to: string): Promise<TrafficDay[]> {
  return sql<TrafficDay[]>`
    select to_char(day, 'YYYY-MM-DD') as day, received_bytes, sent_bytes, stored_bytes,
      uploads, downloads
    from traffic_days
    where day <= ${to}::date
      and day >= coalesce(
        (select max(day) from traffic_days where day < ${from}::date),
        ${from}::date
      )
    order by traffic_days.day`
}

/** The first recorded day, and the bytes on disk now. */
export async function findTrafficFrame(
  sql: Sql,
): Promise<{ readonly since: string | null; readonly storedBytes: number }> {
  return sql<{ since: string | null; storedBytes: number }[]>`
    select to_char(min(day), 'YYYY-MM-DD') as since,
      (select coalesce(sum(used_bytes), 0)::bigint from containers) as stored_bytes
    from traffic_days`.one()
}

export async function removeTrafficBefore(sql: Sql, day: string): Promise<number> {
  return sql`delete from traffic_days where day < ${day}::date`.changes()
}
