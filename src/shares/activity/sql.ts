import type { Sql } from '../../database/connect.ts'
import type { PagePlace } from '../sql.ts'

export interface ActivityRow {
  readonly id: string
  /** See downloads/counting.ts. */
  readonly target: string
  /** Null unless the target is one file that is still in the share. */
  readonly file: { readonly id: number; readonly originalName: string } | null
  readonly ip: string
  readonly userAgent: string
  readonly startedAt: Date
  readonly finishedAt: Date | null
  readonly bytesSent: number
  /** Whether it opened its lease, and counts for it. */
  readonly counted: boolean
  readonly leaseId: string
  /** Whose personal link it came through; null for the link of the share. */
  readonly person: { readonly linkId: string; readonly email: string; readonly name: string } | null
  /** Transfers of this download that run now. */
  readonly running: number
}

/** Newest first, starting after `after`, or with the newest. */
export async function listDownloads(
  sql: Sql,
  share: { readonly id: string; readonly containerId: string },
  after: PagePlace | null,
  limit: number,
): Promise<ActivityRow[]> {
  const older = after
    ? sql`and (downloads.started_at, downloads.id) < (${after.createdAt}, ${after.id})`
    : sql``
  const rows = await sql<
    (Omit<ActivityRow, 'file' | 'person'> & {
      fileId: number | null
      originalName: string
      linkId: string | null
      email: string
      name: string
    })[]
  >`
    select downloads.id, downloads.target, files.id as file_id, files.original_name, downloads.ip,
      downloads.user_agent, downloads.started_at, downloads.finished_at, downloads.bytes_sent,
      downloads.lease_id, leases.counted and leases.id = downloads.id as counted, downloads.running,
      personal_links.id as link_id, personal_links.email, personal_links.name
    from downloads
    join leases on leases.id = downloads.lease_id
    left join personal_links on personal_links.id = leases.link_id
    left join files on files.container_id = ${share.containerId}
      and files.id = substring(downloads.target from '^(?:file|preview):([0-9]+)$')::integer
    where downloads.share_id = ${share.id}
      ${older}
    order by downloads.started_at desc, downloads.id desc
    limit ${limit}`
  return rows.map(({ fileId, originalName, linkId, email, name, ...download }) => ({
    ...download,
    person: linkId === null ? null : { linkId, email, name },
    file: fileId === null ? null : { id: fileId, originalName },
  }))
}

/** By share id: how many counted clients have only previewed files. */
export async function countPreviewers(
  sql: Sql,
  shares: readonly { readonly id: string; readonly downloadCount: number }[],
): Promise<ReadonlyMap<string, number>> {
  const ids = shares.filter((share) => share.downloadCount > 0).map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const rows = await sql<{ shareId: string; count: number }[]>`
    select downloads.share_id, count(*) as count
    from downloads
    join leases on leases.id = downloads.lease_id
    where downloads.share_id = any(${ids})
      and downloads.id = downloads.lease_id
      and downloads.target like 'preview:%'
      and leases.counted
      and not exists (
        select
        from downloads as others
        where others.lease_id = leases.id and others.target not like 'preview:%'
      )
    group by downloads.share_id`
  return new Map(rows.map(({ shareId, count }) => [shareId, count]))
}
