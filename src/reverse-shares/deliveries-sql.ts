import type { Sql } from '../database/connect.ts'
import { endOfTime, firstId } from '../lib/pages.ts'

export interface DeliveryRow {
  readonly id: string
  readonly reverseShareId: string
  readonly parcelId: string
  readonly state: 'draft' | 'complete'
  readonly senderName: string
  readonly senderEmail: string
  readonly note: string
  readonly listHash: Buffer | null
  /** Null while it is a draft. */
  readonly revision: string | null
  readonly createdAt: Date
  readonly finalizedAt: Date | null
  /** When the owner saw it first; null until then. */
  readonly seenAt: Date | null
  /** Bytes that have arrived. */
  readonly liveBytes: number
}

interface DeliveryColumns {
  id: string
  reverse_share_id: string
  parcel_id: string
  state: 'draft' | 'complete'
  sender_name: string
  sender_email: string
  note: string
  list_hash: Buffer | null
  revision: string | null
  created_at: Date
  finalized_at: Date | null
  seen_at: Date | null
  live_bytes: number
}

const columns = (sql: Sql) => sql`
  deliveries.id, deliveries.reverse_share_id, deliveries.parcel_id, deliveries.state,
  deliveries.sender_name, deliveries.sender_email, deliveries.note, deliveries.list_hash,
  deliveries.revision, deliveries.created_at, deliveries.finalized_at, deliveries.seen_at,
  parcels.live_bytes`

export async function insertDelivery(
  sql: Sql,
  delivery: Pick<
    DeliveryRow,
    'id' | 'reverseShareId' | 'parcelId' | 'senderName' | 'senderEmail' | 'note' | 'createdAt'
  >,
): Promise<void> {
  await sql`
    insert into deliveries (
      id, reverse_share_id, parcel_id, state, sender_name, sender_email, note, created_at
    )
    values (
      ${delivery.id}, ${delivery.reverseShareId}, ${delivery.parcelId}, 'draft',
      ${delivery.senderName}, ${delivery.senderEmail}, ${delivery.note}, ${delivery.createdAt}
    )`
}

export async function findDelivery(sql: Sql, id: string): Promise<DeliveryRow | null> {
  const [row] = await sql<DeliveryColumns[]>`
    select ${columns(sql)}
    from deliveries
    join parcels on parcels.id = deliveries.parcel_id
    where deliveries.id = ${id}`
  return row ? toDelivery(row) : null
}

/** Chunks may come together, but not while the delivery is finalized or deleted. */
export async function lockDeliveryForChunk(sql: Sql, id: string): Promise<DeliveryRow | null> {
  const [row] = await sql<DeliveryColumns[]>`
    select ${columns(sql)}
    from deliveries
    join parcels on parcels.id = deliveries.parcel_id
    where deliveries.id = ${id}
    for share of deliveries`
  return row ? toDelivery(row) : null
}

export async function lockDeliveryForChange(sql: Sql, id: string): Promise<DeliveryRow | null> {
  const [row] = await sql<DeliveryColumns[]>`
    select ${columns(sql)}
    from deliveries
    join parcels on parcels.id = deliveries.parcel_id
    where deliveries.id = ${id}
    for update of deliveries`
  return row ? toDelivery(row) : null
}

/**
 * Deliveries to a link, newest first, behind this one (null: from the newest): drafts too, once
 * bytes of them have arrived.
 */
export async function listDeliveries(
  sql: Sql,
  reverseShareId: string,
  after: DeliveryRow | null,
  limit: number,
): Promise<DeliveryRow[]> {
  const createdAt = after?.createdAt ?? endOfTime
  const rows = await sql<DeliveryColumns[]>`
    select ${columns(sql)}
    from deliveries
    join parcels on parcels.id = deliveries.parcel_id
    where deliveries.reverse_share_id = ${reverseShareId}
      and (deliveries.state = 'complete' or parcels.live_bytes > 0)
      and deliveries.created_at <= ${createdAt}
      and (deliveries.created_at < ${createdAt} or deliveries.id > ${after?.id ?? firstId})
    order by deliveries.created_at desc, deliveries.id
    limit ${limit}`
  return rows.map(toDelivery)
}

/** The complete delivery to one of the account's links that a file belongs to. */
export async function findDeliveryOfFile(
  sql: Sql,
  ownerId: number,
  fileId: number,
): Promise<DeliveryRow | null> {
  const [row] = await sql<DeliveryColumns[]>`
    select ${columns(sql)}
    from files
    join parcels on parcels.id = files.parcel_id
    join deliveries on deliveries.parcel_id = files.parcel_id
    join reverse_shares on reverse_shares.id = deliveries.reverse_share_id
    where files.id = ${fileId}
      and deliveries.state = 'complete'
      and reverse_shares.owner_id = ${ownerId}`
  return row ? toDelivery(row) : null
}

/**
 * Bytes that deliveries to a link hold, finished or not: what the others than this one refer to,
 * and what all of them have on disk, replaced and discarded chunks included.
 */
export async function sumBytes(
  sql: Sql,
  reverseShareId: string,
  deliveryId: string,
): Promise<{ othersLive: number; used: number }> {
  const [row] = await sql<{ others_live: number; used: number }[]>`
    select
      coalesce(sum(parcels.live_bytes) filter (where deliveries.id <> ${deliveryId}), 0)
        as others_live,
      coalesce(sum(parcels.used_bytes), 0) as used
    from deliveries
    join parcels on parcels.id = deliveries.parcel_id
    where deliveries.reverse_share_id = ${reverseShareId}`
  return { othersLive: row?.others_live ?? 0, used: row?.used ?? 0 }
}

export async function completeDelivery(
  sql: Sql,
  delivery: {
    id: string
    listHash: Buffer
    revision: string
    finalizedAt: Date
  },
): Promise<void> {
  await sql`
    update deliveries
    set state = 'complete',
        list_hash = ${delivery.listHash},
        revision = ${delivery.revision},
        finalized_at = ${delivery.finalizedAt}
    where id = ${delivery.id}`
}

/** Those of a link among the given ones that are complete and were not seen before. */
export async function markSeen(
  sql: Sql,
  reverseShareId: string,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  await sql`
    update deliveries
    set seen_at = ${now}
    where reverse_share_id = ${reverseShareId}
      and id = any(${[...ids]}::uuid[])
      and state = 'complete'
      and seen_at is null`
}

export async function deleteDeliveryRow(sql: Sql, id: string): Promise<void> {
  await sql`delete from deliveries where id = ${id}`
}

/** Drafts without a byte that began before one date, others to which none came since another. */
export interface AbandonedSince {
  readonly emptyBefore: Date
  readonly idleSince: Date
}

const isAbandoned = (sql: Sql, { emptyBefore, idleSince }: AbandonedSince) => sql`
  deliveries.state = 'draft'
    and deliveries.created_at < ${emptyBefore}
    and (
      deliveries.created_at < ${idleSince}
      or exists (
        select 1
        from parcels
        where parcels.id = deliveries.parcel_id and parcels.used_bytes = 0
      )
    )
    and not exists (
      select 1
      from chunks
      where chunks.parcel_id = deliveries.parcel_id and chunks.created_at >= ${idleSince}
    )`

/** Without some of them. */
export async function listAbandoned(
  sql: Sql,
  since: AbandonedSince,
  without: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from deliveries
    where ${isAbandoned(sql, since)} and id <> all(${[...without]}::uuid[])
    order by created_at
    limit 100`
  return rows.map((row) => row.id)
}

export async function isAbandonedDraft(
  sql: Sql,
  id: string,
  since: AbandonedSince,
): Promise<boolean> {
  const rows = await sql`select 1 from deliveries where id = ${id} and ${isAbandoned(sql, since)}`
  return rows.length > 0
}

function toDelivery(row: DeliveryColumns): DeliveryRow {
  return {
    id: row.id,
    reverseShareId: row.reverse_share_id,
    parcelId: row.parcel_id,
    state: row.state,
    senderName: row.sender_name,
    senderEmail: row.sender_email,
    note: row.note,
    listHash: row.list_hash,
    revision: row.revision,
    createdAt: row.created_at,
    finalizedAt: row.finalized_at,
    seenAt: row.seen_at,
    liveBytes: row.live_bytes,
  }
}

/** A damaged file, and whom to tell. */
export interface DamagedFile {
  readonly fileName: string
  readonly reverseShareId: string
  readonly reverseShareName: string
  readonly ownerEmail: string
}

/** Null for a file that nobody has delivered. */
export async function findDamagedFile(sql: Sql, fileId: number): Promise<DamagedFile | null> {
  const [row] = await sql<{ original_name: string; id: string; name: string; email: string }[]>`
    select files.original_name, reverse_shares.id, reverse_shares.name, users.email
    from files
    join deliveries on deliveries.parcel_id = files.parcel_id
    join reverse_shares on reverse_shares.id = deliveries.reverse_share_id
    join users on users.id = reverse_shares.owner_id
    where files.id = ${fileId}`
  if (!row) return null
  return {
    fileName: row.original_name,
    reverseShareId: row.id,
    reverseShareName: row.name,
    ownerEmail: row.email,
  }
}
