import type { Sql } from '../database/connect.ts'
import { shareWithOwner, type Share } from './sql.ts'

export interface FoundShare {
  readonly share: Share
  /** Whether one of the leases has paid for a download under the present password. */
  readonly holdsLease: boolean
}

/**
 * The share of a link, found by its id or (in any case) its slug, with what admission decides on.
 * Null when there is none.
 */
export async function findForRecipient(
  sql: Sql,
  asked: {
    readonly name: string
    /** Hex hashes of lease tokens, by the id of their share. */
    readonly leaseHashes: ReadonlyMap<string, string>
    /** Older downloads are ignored. */
    readonly since: Date
  },
): Promise<FoundShare | null> {
  const { name, leaseHashes, since } = asked
  const [row] = await sql<(Share & Pick<FoundShare, 'holdsLease'>)[]>`
    select ${shareWithOwner(sql)},
      ${leaseHashes.size > 0} and exists (
        select
        from downloads
        where downloads.share_id = shares.id
          and downloads.password_version = shares.password_version
          and downloads.started_at > ${since}
          and downloads.lease_hash = (
            select decode(leases.hash, 'hex')
            from unnest(${[...leaseHashes.keys()]}::text[], ${[...leaseHashes.values()]}::text[])
              as leases (share_id, hash)
            where leases.share_id = shares.id
          )
      ) as holds_lease
    from shares
    join users on users.id = shares.owner_id
    where shares.id = ${name} or lower(shares.slug collate "C") = ${name.toLowerCase()}
    order by shares.id = ${name} desc
    limit 1`
  if (!row) return null
  const { holdsLease, ...share } = row
  return { share, holdsLease }
}

/** Whether an address has begun to download a target of a share under its present password. */
export async function hasBegunDownload(
  sql: Sql,
  { id, passwordVersion }: Pick<Share, 'id' | 'passwordVersion'>,
  begun: { readonly target: string; readonly ip: string; readonly since: Date },
): Promise<boolean> {
  const rows = await sql`
    select 1
    from downloads
    where share_id = ${id}
      and password_version = ${passwordVersion}
      and started_at > ${begun.since}
      and target = ${begun.target}
      and ip = ${begun.ip}
    limit 1`
  return rows.length > 0
}
