import type { Sql } from '../../database/connect.ts'

/** One counted download, and what came of it. */
export interface ActivityRow {
  readonly id: string
  /** 'archive', 'archive:<hash of the selection>' or 'file:<id>'. */
  readonly target: string
  /** Null unless one file was asked for that is still in the share. */
  readonly file: { readonly id: number; readonly originalName: string } | null
  readonly ip: string
  readonly userAgent: string
  readonly startedAt: Date
  readonly finishedAt: Date | null
  readonly bytesSent: number
  readonly counted: boolean
  /** Transfers of it that run now. */
  readonly running: number
}

/** A place in the log: what follows is older. */
export interface ActivityPlace {
  readonly startedAt: Date
  readonly id: string
}

/** Newest first, from after a place on, or from the newest on. */
export async function listDownloads(
  sql: Sql,
  share: { readonly id: string; readonly parcelId: string },
  after: ActivityPlace | null,
  limit: number,
): Promise<ActivityRow[]> {
  const older = after
    ? sql`and (downloads.started_at, downloads.id) < (${after.startedAt}, ${after.id})`
    : sql``
  const rows = await sql<
    {
      id: string
      target: string
      file_id: number | null
      original_name: string | null
      ip: string
      user_agent: string
      started_at: Date
      finished_at: Date | null
      bytes_sent: number
      counted: boolean
      running: number
    }[]
  >`
    select downloads.id, downloads.target, files.id as file_id, files.original_name, downloads.ip,
      downloads.user_agent, downloads.started_at, downloads.finished_at, downloads.bytes_sent,
      downloads.counted, downloads.running
    from downloads
    left join files on files.parcel_id = ${share.parcelId}
      and files.id = substring(downloads.target from '^file:([0-9]+)$')::integer
    where downloads.share_id = ${share.id}
      ${older}
    order by downloads.started_at desc, downloads.id desc
    limit ${limit}`
  return rows.map((row) => ({
    id: row.id,
    target: row.target,
    file: row.file_id === null ? null : { id: row.file_id, originalName: row.original_name ?? '' },
    ip: row.ip,
    userAgent: row.user_agent,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    bytesSent: row.bytes_sent,
    counted: row.counted,
    running: row.running,
  }))
}
