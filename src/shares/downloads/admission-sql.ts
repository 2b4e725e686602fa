import type { Sql } from '../../database/connect.ts'
import type { PersonalLink } from '../personal-links/sql.ts'
import { shareWithOwner, type Share } from '../sql.ts'

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
  const rows = await sql`
    select 1
    from downloads
    join leases on leases.id = downloads.lease_id
    where downloads.share_id = ${id}
      and downloads.target = ${begun.target}
      and downloads.ip = ${begun.ip}
      and leases.password_version = ${passwordVersion}
      and leases.link_id is not distinct from ${begun.linkId}::uuid
      and leases.opened_at > ${begun.since}
    limit 1`
  return rows.length > 0
}
