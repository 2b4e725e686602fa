import type { Sql } from '../database/connect.ts'
import { rowIdPattern } from '../lib/path-parameters.ts'
import { shownName } from '../shares/all-sql.ts'

/** An account and the space that it uses. */
export interface Usage {
  readonly id: number
  readonly email: string
  readonly name: string
  /** Bytes as counted for its quota. */
  readonly usedBytes: number
  /** Its own quota, 0 for no limit; null for the standard. */
  readonly quota: number | null
}

/** The accounts that use most. */
export async function listUsage(sql: Sql, countMax: number): Promise<Usage[]> {
  return sql<Usage[]>`
    select users.id, users.email, users.name, used.bytes as used_bytes, users.quota
    from (
      select user_id, sum(live_bytes)::bigint as bytes from usage group by user_id
    ) as used
    join users on users.id = used.user_id
    where used.bytes > 0
    order by used.bytes desc, users.id
    limit ${countMax}`
}

/** Reverse shares that guests can use now. */
export async function countOpenReverseShares(sql: Sql, now: Date): Promise<number> {
  return sql<{ count: number }[]>`
    select count(*)
    from reverse_shares
    join users on users.id = reverse_shares.owner_id
    where users.disabled_at is null
      and closed_at is null
      and (expires_at is null or expires_at > ${now})`.oneValue()
}

/** Where bytes come from or go to. A delivery has no share; a reverse share's name is private. */
export interface TransferPlace {
  readonly share: { readonly id: string; readonly name: string } | null
  readonly owner: { readonly id: number; readonly email: string }
}

/** Files on their way into a share or a delivery. */
export interface RunningUpload extends TransferPlace {
  readonly receivedBytes: number
  /** Null when the sender has not told. */
  readonly expectedBytes: number | null
  readonly lastReceivedAt: Date
}

type PlaceRow = {
  shareId: string | null
  shareName: string | null
  ownerId: number
  ownerEmail: string
}

/** Unfinished uploads with a chunk that was received since then, the latest first. */
export async function listRunningUploads(
  sql: Sql,
  { since, now, countMax }: { since: Date; now: Date; countMax: number },
): Promise<RunningUpload[]> {
  const rows = await sql<(PlaceRow & Omit<RunningUpload, 'share' | 'owner'>)[]>`
    select share_id, share_name, users.id as owner_id, users.email as owner_email,
      greatest(containers.live_bytes - earlier_bytes, 0) as received_bytes, expected_bytes,
      containers.changed_at as last_received_at
    from (
      select id as share_id, ${shownName(sql)} as share_name, owner_id, container_id,
        0 as earlier_bytes,
        nullif(expected_bytes, 0) as expected_bytes
      from shares
      where state = 'draft'
      union all
      select id, ${shownName(sql)}, owner_id, container_id, total_size, null
      from shares
      where adding_since is not null
      union all
      select null, null, reverse_shares.owner_id, deliveries.container_id, 0, null
      from deliveries
      join reverse_shares on reverse_shares.id = deliveries.reverse_share_id
      where deliveries.state = 'draft'
    ) as unfinished
    join containers on containers.id = unfinished.container_id
    join users on users.id = unfinished.owner_id
    where containers.changed_at > ${since} and containers.changed_at <= ${now}
      and not coalesce(containers.live_bytes >= expected_bytes, false)
    order by containers.changed_at desc
    limit ${countMax}`
  return rows.map((row) => ({ ...row, ...placeOf(row) }))
}

/** The shares, deliveries and reverse shares with these ids: see `TransferSubject`. */
export async function findTransferPlaces(
  sql: Sql,
  keys: readonly string[],
): Promise<ReadonlyMap<string, TransferPlace>> {
  if (keys.length === 0) return new Map()
  const rows = await sql<(PlaceRow & { key: string })[]>`
    select key, share_id, share_name, users.id as owner_id, users.email as owner_email
    from (
      select id as key, id as share_id, ${shownName(sql)} as share_name, owner_id
      from shares
      where id = any(${[...keys]}::text[])
      union all
      select id, null, null, owner_id
      from reverse_shares
      where id = any(${[...keys]}::text[])
      union all
      select deliveries.id::text, null, null, reverse_shares.owner_id
      from deliveries
      join reverse_shares on reverse_shares.id = deliveries.reverse_share_id
      where deliveries.id = any(${keys.filter((key) => rowIdPattern.test(key))}::uuid[])
    ) as places
    join users on users.id = places.owner_id`
  return new Map(rows.map((row) => [row.key, placeOf(row)]))
}

function placeOf({ shareId, shareName, ownerId, ownerEmail }: PlaceRow): TransferPlace {
  return {
    share: shareId === null ? null : { id: shareId, name: shareName ?? '' },
    owner: { id: ownerId, email: ownerEmail },
  }
}
