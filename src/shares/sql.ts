import type { Sql } from '../database/connect.ts'
import { endOfTime } from '../lib/pages.ts'
import type { Life } from '../settings/expiry.ts'
import type { PersonalLink } from './personal-links/sql.ts'

/** `expired`: the files are gone; the row stays, so that the link can say so. */
export const shareStates = ['draft', 'complete', 'expired'] as const
export type ShareState = (typeof shareStates)[number]

/** Whether the link of a share opens for anyone, or only its personal links do. */
export const audiences = ['anyone', 'named'] as const
export type Audience = (typeof audiences)[number]

/** What the holder of a personal link shows besides: see personal-links/. */
export const recipientProofs = ['none', 'code', 'account'] as const
export type RecipientProof = (typeof recipientProofs)[number]

/** Outcomes of emailing recipients, as answers name them. */
export const emailOutcomes = [
  'queued',
  'no recipients',
  'limit reached',
  'not configured',
  'queue full',
] as const
export type EmailOutcome = (typeof emailOutcomes)[number] | 'too many'

export interface Share extends Life {
  readonly id: string
  readonly ownerId: number
  readonly containerId: string
  readonly state: ShareState
  readonly name: string
  readonly message: string
  readonly passwordHash: string | null
  readonly audience: Audience
  readonly recipientProof: RecipientProof
  /** Grows when the password, the audience or the proof changes. */
  readonly passwordVersion: number
  /** Custom link; null when there is none. */
  readonly slug: string | null
  /** Only for drafts: whether the link already announces the files. */
  readonly published: boolean
  /** Only for drafts: total size as announced by the owner; 0 when unknown. */
  readonly expectedBytes: number
  readonly maxDownloads: number
  readonly downloadCount: number
  readonly createdAt: Date
  readonly finalizedAt: Date | null
  readonly listHash: Buffer | null
  readonly revision: string | null
  /** When its files changed after finalize. */
  readonly revisedAt: Date | null
  readonly totalSize: number
  /** Set while files may be added to the complete share: see additions/. */
  readonly addingSince: Date | null
  /** The additions that upload tokens are issued for; kept after they end. */
  readonly additionsId: string | null
  /** The email about the additions finalized last; null when none was requested. */
  readonly emailOutcome: EmailOutcome | null
  readonly ownerName: string
  /** Null while the owner's account is enabled. */
  readonly ownerDisabledAt: Date | null
  /** Bytes on disk that the owner may have; null for the standard, 0 for no limit. */
  readonly ownerQuota: number | null
  /** Grows when all sessions of the owner are ended. */
  readonly ownerUploadVersion: number
}

/** The fields that make the address of a share. */
export type LinkedShare = Pick<Share, 'id' | 'slug'>

export const shareWithOwner = (sql: Sql) => sql`
  shares.id, shares.owner_id, shares.container_id, shares.state, shares.name, shares.message,
  shares.audience, shares.recipient_proof, shares.password_hash, shares.password_version,
  shares.slug, shares.published, shares.expected_bytes, shares.max_downloads,
  shares.download_count, shares.expiration_val as expiration_value, shares.expiration_unit,
  shares.fixed_end as is_end_fixed, shares.expires_at, shares.created_at, shares.finalized_at,
  shares.list_hash, shares.revision, shares.revised_at, shares.total_size, shares.adding_since,
  shares.additions_id, shares.email_outcome,
  users.name as owner_name, users.disabled_at as owner_disabled_at, users.quota as owner_quota,
  users.upload_version as owner_upload_version`

export async function insertShare(
  sql: Sql,
  share: {
    id: string
    ownerId: number
    containerId: string
    name: string
    message: string
    recipients: string
    audience: Audience
    recipientProof: RecipientProof
    passwordHash: string | null
    maxDownloads: number
    slug: string | null
    createdAt: Date
  } & Life,
): Promise<Share> {
  return sql<Share[]>`
    with inserted as (
      insert into shares (
        id, owner_id, container_id, state, name, message, recipients, audience, recipient_proof,
        password_hash, max_downloads, slug, expiration_val, expiration_unit, fixed_end,
        expires_at, created_at
      )
      values (
        ${share.id}, ${share.ownerId}, ${share.containerId}, 'draft', ${share.name},
        ${share.message}, ${share.recipients}, ${share.audience},
        ${share.recipientProof}, ${share.passwordHash}, ${share.maxDownloads}, ${share.slug},
        ${share.expirationValue}, ${share.expirationUnit}, ${share.isEndFixed}, ${share.expiresAt},
        ${share.createdAt}
      )
      returning *
    )
    select ${shareWithOwner(sql)}
    from inserted as shares
    join users on users.id = shares.owner_id`.one()
}

/** The present state of a share before the clean-up has run, like `asOf` in access.ts. */
export const stateAt = (sql: Sql, now: Date) => sql`
  case
    when shares.state = 'complete' and shares.expires_at <= ${now}::timestamptz then 'expired'
    else shares.state
  end`

/**
 * Chunks may be committed in parallel, but not while the share is finalized or deleted: that locks
 * it for a change.
 */
const locks = {
  none: (sql: Sql) => sql``,
  chunk: (sql: Sql) => sql`for share of shares`,
  change: (sql: Sql) => sql`for update of shares`,
}

export async function findShare(
  sql: Sql,
  id: string,
  lock: keyof typeof locks = 'none',
): Promise<Share | null> {
  return sql<Share[]>`
    select ${shareWithOwner(sql)}
    from shares
    join users on users.id = shares.owner_id
    where shares.id = ${id}
    ${locks[lock](sql)}`.first()
}

/** A condition: whether the share takes chunks of the same draft, or the same additions. */
export const takesChunks =
  ({ id, additionsId }: Pick<Share, 'id' | 'additionsId'>) =>
  (sql: Sql) =>
    sql`exists (
    select
    from shares
    where id = ${id}
      and additions_id is not distinct from ${additionsId}::uuid
      and (state = 'draft' or adding_since is not null)
  )`

/**
 * A share for a change of its files or chunks: locks its container first, as everywhere (see "Lock
 * order" in docs/internals.md).
 */
export async function lockShareWithFiles(sql: Sql, id: string): Promise<Share | null> {
  await sql`
    select 1
    from containers
    where id = (select container_id from shares where shares.id = ${id})
    for update`
  return findShare(sql, id, 'change')
}

/** What the list of an account shows of a share. */
export type ListedShare = Pick<
  Share,
  | 'id'
  | 'containerId'
  | 'state'
  | 'name'
  | 'audience'
  | 'passwordHash'
  | 'slug'
  | 'published'
  | 'expectedBytes'
  | 'maxDownloads'
  | 'downloadCount'
  | 'createdAt'
  | 'expiresAt'
  | 'totalSize'
>

/** Where a page of a list begins: behind this row. */
export type PagePlace = Pick<Share, 'id' | 'createdAt'>

/** Newest first, starting behind `after` (null: with the newest). */
export async function listSharesOf(
  sql: Sql,
  ownerId: number,
  after: PagePlace | null,
  limit: number,
): Promise<ListedShare[]> {
  const createdAt = after?.createdAt ?? endOfTime
  return sql<ListedShare[]>`
    select id, container_id, state, name, audience, password_hash, slug, published,
      expected_bytes, max_downloads, download_count, created_at, expires_at, total_size
    from shares
    where shares.owner_id = ${ownerId}
      and shares.created_at <= ${createdAt}
      and (shares.created_at < ${createdAt} or shares.id > ${after?.id ?? ''})
    order by shares.created_at desc, shares.id
    limit ${limit}`
}

export async function completeShare(
  sql: Sql,
  share: {
    id: string
    listHash: Buffer
    revision: string
    totalSize: number
    expiresAt: Date | null
    finalizedAt: Date
  },
): Promise<void> {
  await sql`
    update shares
    set state = 'complete',
        expected_bytes = 0,
        list_hash = ${share.listHash},
        revision = ${share.revision},
        total_size = ${share.totalSize},
        expires_at = ${share.expiresAt},
        finalized_at = ${share.finalizedAt}
    where id = ${share.id}`
}

/** Locks the shares of an account, always in the same order. */
export async function lockSharesOf(sql: Sql, ownerId: number): Promise<void> {
  await sql`
    select count(*)
    from (select 1 from shares where owner_id = ${ownerId} order by id for update) as locked`
}

export async function transferShares(sql: Sql, fromId: number, toId: number): Promise<void> {
  await sql`update shares set owner_id = ${toId} where owner_id = ${fromId}`
}

/** Deletes the rows of an account's shares and returns what their clean-up needs. */
export async function deleteSharesOf(
  sql: Sql,
  ownerId: number,
): Promise<Pick<Share, 'id' | 'name' | 'containerId'>[]> {
  return sql<Pick<Share, 'id' | 'name' | 'containerId'>[]>`
    delete from shares
    where owner_id = ${ownerId}
    returning id, name, container_id`
}

export async function deleteShareRow(sql: Sql, id: string): Promise<void> {
  await sql`delete from shares where id = ${id}`
}

/** Replaces the hash of the unchanged password of a link. */
export async function renewHash(
  sql: Sql,
  links: 'shares' | 'reverse_shares',
  { id, passwordHash }: { readonly id: string; readonly passwordHash: string | null },
  renewed: string,
): Promise<void> {
  await sql`
    update ${sql(links)}
    set password_hash = ${renewed}
    where id = ${id} and password_hash = ${passwordHash}`
}

/** The personal link that a share was found by. */
export type OpenedLink = Pick<PersonalLink, 'id' | 'token' | 'email' | 'lastOpenedAt'>

export interface FoundShare {
  readonly share: Share
  readonly link: OpenedLink | null
  /**
   * The client's lease, opened under the present password: null without one; `used_up` when all
   * its bytes were taken, or its count was given back.
   */
  readonly lease: 'counted' | 'used_up' | null
}

/**
 * The share of a link, found by its id, (in any case) its slug, or the token of a personal link,
 * with what admission decides on. Null when there is none.
 */
export async function findForRecipient(
  sql: Sql,
  asked: {
    readonly name: string
    /** The secret that the client's leases belong to: see `leaseTokenOf`. */
    readonly downloader: string | null
    /** Older leases are ignored. */
    readonly since: Date
  },
): Promise<FoundShare | null> {
  const { name, downloader, since } = asked
  const [row] = await sql<(Share & Pick<FoundShare, 'lease'> & LinkColumns)[]>`
    select ${shareWithOwner(sql)}, links.id as link_id, links.token as link_token,
      links.email as link_email, links.last_opened_at as link_opened_at,
      case when ${downloader}::text is not null then (
        select case when bool_or(${hasBytesLeft(sql)}) then 'counted' else 'used_up' end
        from leases
        where leases.share_id = shares.id
          and leases.password_version = shares.password_version
          and leases.opened_at > ${since}
          and leases.token_hash =
            sha256(
              convert_to(${downloader}::text || '.' || coalesce(links.token, shares.id), 'UTF8')
            )
        having count(*) > 0
      ) end as lease
    from shares
    join users on users.id = shares.owner_id
    left join personal_links as links on links.share_id = shares.id
      and links.token = ${name}
      and links.revoked_at is null
    where shares.id = ${name}
      or lower(shares.slug collate "C") = ${name.toLowerCase()}
      or shares.id = (
        select share_id from personal_links where token = ${name} and revoked_at is null
      )
    order by shares.id = ${name} desc, links.id
    limit 1`
  if (!row) return null
  const { lease, linkId, linkToken, linkEmail, linkOpenedAt, ...share } = row
  const link =
    linkId === null
      ? null
      : { id: linkId, token: linkToken, email: linkEmail, lastOpenedAt: linkOpenedAt }
  return { share, link, lease }
}

interface LinkColumns {
  readonly linkId: string | null
  readonly linkToken: string
  readonly linkEmail: string
  readonly linkOpenedAt: Date | null
}

/** A share without bytes can be taken as often as its lease lives. */
const hasBytesLeft = (sql: Sql) => sql`
  leases.counted
  and leases.bytes_used < greatest(leases.bytes_max, 2 * shares.total_size, 1)`

/** Whether an address has begun to download a target of a share under its present password. */
export async function hasBegunDownload(
  sql: Sql,
  { id, passwordVersion }: Pick<Share, 'id' | 'passwordVersion'>,
  begun: {
    readonly linkId: string | null
    readonly target: string
    readonly ip: string
    readonly since: Date
  },
): Promise<boolean> {
  return sql`
    select 1
    from downloads
    join leases on leases.id = downloads.lease_id
    where downloads.share_id = ${id}
      and downloads.target = ${begun.target}
      and downloads.ip = ${begun.ip}
      and leases.password_version = ${passwordVersion}
      and leases.link_id is not distinct from ${begun.linkId}::uuid
      and leases.opened_at > ${begun.since}
    limit 1`.exists()
}
