import type { Sql } from '../database/connect.ts'
import type { RequiredField } from './required-fields.ts'

/** What the owner of a link decides. */
export interface LinkTerms {
  readonly name: string
  /** Bytes of all deliveries together; 0 for no limit. */
  readonly maxSize: number
  readonly notify: boolean
  readonly thankYouMessage: string
  readonly instructions: string
  /** Lower case, without a dot; empty for all file types. */
  readonly allowedExtensions: readonly string[]
  readonly requiredFields: readonly RequiredField[]
  /** Whether the first complete delivery closes it. */
  readonly once: boolean
  /** Whether the owner may share deliveries; guests read this before they send. */
  readonly allowSharing: boolean
}

export interface NewReverseShare extends LinkTerms {
  readonly id: string
  /** Second name of the link; null without one. */
  readonly slug: string | null
  readonly ownerId: number
  readonly passwordHash: string | null
  readonly expiresAt: Date | null
  readonly createdAt: Date
}

export interface ReverseShare extends NewReverseShare {
  /** When a delivery closed it; null while it is open. */
  readonly closedAt: Date | null
  readonly ownerName: string
  /** Null while the owner's account is enabled. */
  readonly ownerDisabledAt: Date | null
  /** Bytes on disk that the owner may have; null for the standard, 0 for no limit. */
  readonly ownerQuota: number | null
}

/** What the address of a reverse share is made of. */
export type LinkedReverseShare = Pick<ReverseShare, 'id' | 'slug'>

const reverseShareWithOwner = (sql: Sql) => sql`
  reverse_shares.id, reverse_shares.slug, reverse_shares.owner_id, reverse_shares.name,
  reverse_shares.max_size,
  reverse_shares.password_hash, reverse_shares.notify, reverse_shares.thank_you_message,
  reverse_shares.instructions, reverse_shares.allowed_extensions,
  reverse_shares.required_fields, reverse_shares.once, reverse_shares.allow_sharing,
  reverse_shares.closed_at, reverse_shares.expires_at, reverse_shares.created_at,
  users.name as owner_name, users.disabled_at as owner_disabled_at, users.quota as owner_quota`

export async function insertReverseShare(
  sql: Sql,
  reverse: NewReverseShare & { readonly sendEmailTo: string },
): Promise<void> {
  await sql`
    insert into reverse_shares (
      id, slug, owner_id, name, max_size, password_hash, notify, send_email_to, thank_you_message,
      instructions, allowed_extensions, required_fields, once, allow_sharing, expires_at,
      created_at
    )
    values (
      ${reverse.id}, ${reverse.slug}, ${reverse.ownerId}, ${reverse.name}, ${reverse.maxSize},
      ${reverse.passwordHash}, ${reverse.notify}, ${reverse.sendEmailTo},
      ${reverse.thankYouMessage}, ${reverse.instructions},
      ${[...reverse.allowedExtensions]}::text[], ${[...reverse.requiredFields]}::text[],
      ${reverse.once}, ${reverse.allowSharing}, ${reverse.expiresAt}, ${reverse.createdAt}
    )`
}

const locks = {
  none: (sql: Sql) => sql``,
  // Guests work in parallel, but not while the link is changed or deleted. This is the weakest
  // lock, so that `lockForGrowth` can follow without two guests blocking each other.
  guest: (sql: Sql) => sql`for key share of reverse_shares`,
  // Waits for running transactions of guests, and blocks new ones.
  change: (sql: Sql) => sql`for update of reverse_shares`,
}

export async function findReverseShare(
  sql: Sql,
  id: string,
  lock: keyof typeof locks = 'none',
): Promise<ReverseShare | null> {
  return sql<ReverseShare[]>`
    select ${reverseShareWithOwner(sql)}
    from reverse_shares
    join users on users.id = reverse_shares.owner_id
    where reverse_shares.id = ${id}
    ${locks[lock](sql)}`.first()
}

/** The reverse share of a link, found by its id or (in any case) its slug. */
export async function findReverseShareByName(sql: Sql, name: string): Promise<ReverseShare | null> {
  return sql<ReverseShare[]>`
    select ${reverseShareWithOwner(sql)}
    from reverse_shares
    join users on users.id = reverse_shares.owner_id
    where reverse_shares.id = ${name}
      or lower(reverse_shares.slug collate "C") = ${name.toLowerCase()}`.first()
}

/**
 * Serialises the chunk commits of one link while its bytes are counted. Returns its limit, or null
 * for a link without one, which is not locked.
 */
export async function lockForGrowth(sql: Sql, id: string): Promise<number | null> {
  return sql<{ maxSize: number }[]>`
    select max_size
    from reverse_shares
    where id = ${id} and max_size > 0
    for no key update`.firstValue()
}

/**
 * Closes a link that is for one delivery, in the transaction that completes the delivery. Of two
 * simultaneous ones the second waits for the first. Returns whether the link was open.
 */
export async function closeAfterDelivery(sql: Sql, id: string, now: Date): Promise<boolean> {
  return sql`
    update reverse_shares
    set closed_at = ${now}
    where id = ${id} and closed_at is null`.exists()
}

export interface ReverseShareSummary extends ReverseShare {
  readonly ownerEmail: string
  readonly deliveryCount: number
  readonly fileCount: number
  readonly damagedFiles: number
  readonly totalSize: number
  /** Complete deliveries that the owner has not seen yet. */
  readonly newDeliveryCount: number
}

/** Links of one account, or of all, newest first. */
export async function listReverseShares(
  sql: Sql,
  ownerId: number | null,
): Promise<ReverseShareSummary[]> {
  return sql<ReverseShareSummary[]>`
    select ${reverseShareWithOwner(sql)}, users.email as owner_email, delivered.*
    from reverse_shares
    join users on users.id = reverse_shares.owner_id
    cross join lateral (
      select count(distinct deliveries.id) as delivery_count,
        count(files.id) as file_count,
        count(files.damaged_at) as damaged_files,
        coalesce(sum(files.size), 0) as total_size,
        count(distinct deliveries.id) filter (where deliveries.seen_at is null)
          as new_delivery_count
      from deliveries
      left join files on files.container_id = deliveries.container_id
      where deliveries.reverse_share_id = reverse_shares.id and deliveries.state = 'complete'
    ) as delivered
    where ${ownerId}::integer is null or reverse_shares.owner_id = ${ownerId}
    order by reverse_shares.created_at desc, reverse_shares.id`
}

export async function updateReverseShare(sql: Sql, reverse: ReverseShare): Promise<void> {
  await sql`
    update reverse_shares
    set name = ${reverse.name},
        slug = ${reverse.slug},
        max_size = ${reverse.maxSize},
        password_hash = ${reverse.passwordHash},
        notify = ${reverse.notify},
        thank_you_message = ${reverse.thankYouMessage},
        instructions = ${reverse.instructions},
        allowed_extensions = ${[...reverse.allowedExtensions]}::text[],
        required_fields = ${[...reverse.requiredFields]}::text[],
        once = ${reverse.once},
        allow_sharing = ${reverse.allowSharing},
        closed_at = ${reverse.closedAt},
        expires_at = ${reverse.expiresAt}
    where id = ${reverse.id}`
}

export async function transferReverseShares(sql: Sql, fromId: number, toId: number): Promise<void> {
  await sql`update reverse_shares set owner_id = ${toId} where owner_id = ${fromId}`
}

/** Locks the links of an account against guests, always in the same order. */
export async function lockReverseSharesOf(
  sql: Sql,
  ownerId: number,
): Promise<Pick<ReverseShare, 'id' | 'name'>[]> {
  return sql<{ id: string; name: string }[]>`
    select id, name
    from reverse_shares
    where owner_id = ${ownerId}
    order by id
    for update`
}

/** Deletes links with the rows of their deliveries, and returns the deliveries. */
export async function deleteReverseShares(
  sql: Sql,
  ids: readonly string[],
): Promise<{ deliveryId: string; containerId: string }[]> {
  const rows = await sql<{ deliveryId: string; containerId: string }[]>`
    delete from deliveries
    where reverse_share_id = any(${[...ids]}::text[])
    returning id as delivery_id, container_id`
  await sql`delete from reverse_shares where id = any(${[...ids]}::text[])`
  return rows
}
