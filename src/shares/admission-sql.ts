import type { Sql } from '../database/connect.ts'
import { shareWithOwner, type ShareRow } from './sql.ts'

export interface FoundShare {
  readonly share: ShareRow
  /** Whether one of the leases has paid for a download under the present password. */
  readonly holdsLease: boolean
  /**
   * For a share with a limit: whether the address has begun to download the target under the
   * present password.
   */
  readonly mayResume: boolean
}

/**
 * The share of a link, found by its id or (in any case) its slug, with everything that admission
 * decides on. Null when there is none.
 */
export async function findForRecipient(
  sql: Sql,
  asked: {
    readonly name: string
    /** Hex hashes of lease tokens, by the id of their share. */
    readonly leaseHashes: ReadonlyMap<string, string>
    /** Null unless the request resumes a download. */
    readonly resumed: { readonly target: string; readonly ip: string } | null
    /** Older downloads are ignored. */
    readonly since: Date
  },
): Promise<FoundShare | null> {
  const { name, leaseHashes, resumed, since } = asked
  const paidDownload = sql`
    select
    from downloads
    where downloads.share_id = shares.id
      and downloads.password_version = shares.password_version
      and downloads.started_at > ${since}`
  const [row] = await sql<(ShareRow & Omit<FoundShare, 'share'>)[]>`
    select ${shareWithOwner(sql)},
      ${leaseHashes.size > 0} and exists (
        ${paidDownload} and downloads.lease_hash = (
          select decode(leases.hash, 'hex')
          from unnest(${[...leaseHashes.keys()]}::text[], ${[...leaseHashes.values()]}::text[])
            as leases (share_id, hash)
          where leases.share_id = shares.id
        )
      ) as holds_lease,
      ${resumed !== null} and shares.max_downloads > 0 and exists (
        ${paidDownload}
          and downloads.target = ${resumed?.target ?? ''}
          and downloads.ip = ${resumed?.ip ?? ''}
      ) as may_resume
    from shares
    join users on users.id = shares.owner_id
    where shares.id = ${name} or lower(shares.slug collate "C") = ${name.toLowerCase()}
    order by shares.id = ${name} desc
    limit 1`
  if (!row) return null
  const { holdsLease, mayResume, ...share } = row
  return { share, holdsLease, mayResume }
}
