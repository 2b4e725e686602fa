import type { Sql } from '../database/connect.ts'
import { endOfTime, firstId } from '../lib/pages.ts'

export interface DeliveryRow {
  readonly id: string
  readonly reverseShareId: string
  readonly containerId: string
  readonly state: 'draft' | 'complete'
  readonly senderName: string
  readonly senderEmail: string
  readonly note: string
  /** Whether its guest was told that the owner may share it. */
  readonly allowSharing: boolean
  readonly listHash: Buffer | null
  /** Null while it is a draft. */
  readonly revision: string | null
  readonly createdAt: Date
  readonly finalizedAt: Date | null
  /** When the owner first saw it; null until then. */
  readonly seenAt: Date | null
  /** Bytes of received chunks. */
  readonly liveBytes: number
  /** When its last chunk was received; null before the first. */
  readonly changedAt: Date | null
  /** Hash of the network in which it began. */
  readonly networkHash: Buffer
}

const deliveryWithBytes = (sql: Sql) => sql`
  deliveries.id, deliveries.reverse_share_id, deliveries.container_id, deliveries.state,
  deliveries.sender_name, deliveries.sender_email, deliveries.note, deliveries.allow_sharing,
  deliveries.list_hash, deliveries.revision, deliveries.created_at, deliveries.finalized_at,
  deliveries.seen_at, deliveries.network_hash, containers.live_bytes, containers.changed_at`

export async function insertDelivery(
  sql: Sql,
  delivery: Pick<
    DeliveryRow,
    | 'id'
    | 'reverseShareId'
    | 'containerId'
    | 'senderName'
    | 'senderEmail'
    | 'note'
    | 'allowSharing'
    | 'createdAt'
    | 'networkHash'
  >,
): Promise<void> {
  await sql`
    insert into deliveries (
      id, reverse_share_id, container_id, state, sender_name, sender_email, note, allow_sharing,
      created_at, network_hash
    )
    values (
      ${delivery.id}, ${delivery.reverseShareId}, ${delivery.containerId}, 'draft',
      ${delivery.senderName}, ${delivery.senderEmail}, ${delivery.note},
      ${delivery.allowSharing}, ${delivery.createdAt}, ${delivery.networkHash}
    )`
}

/**
 * Chunks may be committed in parallel, but not while the delivery is finalized or deleted: that
 * locks it for a change.
 */
const locks = {
  none: (sql: Sql) => sql``,
  chunk: (sql: Sql) => sql`for share of deliveries`,
  change: (sql: Sql) => sql`for update of deliveries`,
}

export async function findDelivery(
  sql: Sql,
  id: string,
  lock: keyof typeof locks = 'none',
): Promise<DeliveryRow | null> {
  return sql<DeliveryRow[]>`
    select ${deliveryWithBytes(sql)}
    from deliveries
    join containers on containers.id = deliveries.container_id
    where deliveries.id = ${id}
    ${locks[lock](sql)}`.first()
}

/**
 * A delivery for its removal. Locks its link first: its bytes are those of the link's owner, who
 * must not change meanwhile.
 */
export async function lockWithLink(sql: Sql, id: string): Promise<DeliveryRow | null> {
  await sql`
    select 1
    from reverse_shares
    where id = (select reverse_share_id from deliveries where deliveries.id = ${id})
    for key share`
  return findDelivery(sql, id, 'change')
}

/** A condition: whether the delivery takes chunks. */
export const isDraft = (id: string) => (sql: Sql) =>
  sql`exists (select from deliveries where id = ${id} and state = 'draft')`

/**
 * Deliveries to a link, newest first, starting behind `behind` (null: with the newest). Includes
 * drafts with received bytes.
 */
export async function listDeliveries(
  sql: Sql,
  reverseShareId: string,
  after: DeliveryRow | null,
  limit: number,
): Promise<DeliveryRow[]> {
  const createdAt = after?.createdAt ?? endOfTime
  return sql<DeliveryRow[]>`
    select ${deliveryWithBytes(sql)}
    from deliveries
    join containers on containers.id = deliveries.container_id
    where deliveries.reverse_share_id = ${reverseShareId}
      and (deliveries.state = 'complete' or containers.live_bytes > 0)
      and deliveries.created_at <= ${createdAt}
      and (deliveries.created_at < ${createdAt} or deliveries.id > ${after?.id ?? firstId})
    order by deliveries.created_at desc, deliveries.id
    limit ${limit}`
}

/** The complete delivery, to a link of the account, that a file belongs to. */
export async function findDeliveryOfFile(
  sql: Sql,
  ownerId: number,
  fileId: number,
): Promise<DeliveryRow | null> {
  return sql<DeliveryRow[]>`
    select ${deliveryWithBytes(sql)}
    from files
    join containers on containers.id = files.container_id
    join deliveries on deliveries.container_id = files.container_id
    join reverse_shares on reverse_shares.id = deliveries.reverse_share_id
    where files.id = ${fileId}
      and deliveries.state = 'complete'
      and reverse_shares.owner_id = ${ownerId}`.first()
}

/**
 * Bytes of a link's deliveries: the live bytes of others than this one, complete or with a chunk
 * since `runningSince`; and the bytes on disk of all that began in its network, including those of
 * abandoned ones and of replaced and discarded chunks.
 */
export async function sumBytes(
  sql: Sql,
  { id, reverseShareId, networkHash }: Pick<DeliveryRow, 'id' | 'reverseShareId' | 'networkHash'>,
  runningSince: Date,
): Promise<{ othersLive: number; networkUsed: number }> {
  return sql<{ othersLive: number; networkUsed: number }[]>`
    select
      coalesce(
        sum(containers.live_bytes) filter (
          where deliveries.id <> ${id}
            and (deliveries.state = 'complete' or containers.changed_at >= ${runningSince})
        ),
        0
      ) as others_live,
      coalesce(
        sum(containers.used_bytes) filter (
          where deliveries.network_hash = ${networkHash}
        ),
        0
      ) as network_used
    from deliveries
    join containers on containers.id = deliveries.container_id
    where deliveries.reverse_share_id = ${reverseShareId}`.one()
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

/** Marks those of the given deliveries to a link that are complete and unseen. */
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

/** Limits for drafts without bytes (by their start) and for others (by their last chunk). */
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
        from containers
        where containers.id = deliveries.container_id and containers.used_bytes = 0
      )
    )
    and not exists (
      select 1
      from chunks
      where chunks.container_id = deliveries.container_id and chunks.created_at >= ${idleSince}
    )`

/** Without the excluded ones. */
export async function listAbandoned(
  sql: Sql,
  since: AbandonedSince,
  without: readonly string[],
): Promise<string[]> {
  return sql<{ id: string }[]>`
    select id
    from deliveries
    where ${isAbandoned(sql, since)} and id <> all(${[...without]}::uuid[])
    order by created_at
    limit 100`.column()
}

export async function isAbandonedDraft(
  sql: Sql,
  id: string,
  since: AbandonedSince,
): Promise<boolean> {
  return sql`select 1 from deliveries where id = ${id} and ${isAbandoned(sql, since)}`.exists()
}

export interface DamagedFile {
  readonly fileName: string
  readonly deliveryId: string
  readonly reverseShareId: string
  readonly reverseShareName: string
  readonly ownerEmail: string
}

/** Null for a file that belongs to no delivery. */
export async function findDamagedFile(sql: Sql, fileId: number): Promise<DamagedFile | null> {
  return sql<DamagedFile[]>`
    select files.original_name as file_name, deliveries.id as delivery_id, reverse_share_id,
      reverse_shares.name as reverse_share_name, users.email as owner_email
    from files
    join deliveries on deliveries.container_id = files.container_id
    join reverse_shares on reverse_shares.id = deliveries.reverse_share_id
    join users on users.id = reverse_shares.owner_id
    where files.id = ${fileId}`.first()
}
