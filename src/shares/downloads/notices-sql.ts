import type { Sql } from '../../database/connect.ts'

/** A share with downloads to tell its owner about. */
export interface DueShare {
  readonly id: string
  readonly name: string
  readonly ownerEmail: string
}

export interface DueBounds {
  /** Only shares whose owner had the last email before this time. */
  readonly emailedBefore: Date
  readonly now: Date
  /** Downloads that end later wait for the next email. */
  readonly until: Date
}

/** Downloads of people: previews, and downloads whose count was given back, are none. */
const ended = (sql: Sql, until: Date) => sql`
  downloads.finished_at > shares.notify_downloads_since
  and downloads.finished_at <= ${until}
  and downloads.target not like 'preview:%'
  and leases.counted`

/** Locks a due share that no other process has locked; null when there is none. */
export async function lockDueShare(
  sql: Sql,
  { emailedBefore, now, until }: DueBounds,
): Promise<DueShare | null> {
  return sql<DueShare[]>`
    select shares.id, shares.name, users.email as owner_email
    from shares
    join users on users.id = shares.owner_id
    where shares.notify_downloads_since is not null
      and shares.state = 'complete'
      and users.disabled_at is null
      and (
        shares.downloads_emailed_at is null
        or shares.downloads_emailed_at <= ${emailedBefore}
        -- Written while the clock was wrong.
        or shares.downloads_emailed_at > ${now}
      )
      and exists (
        select
        from downloads
        join leases on leases.id = downloads.lease_id
        where downloads.share_id = shares.id and ${ended(sql, until)}
      )
    limit 1
    for update of shares skip locked`.first()
}

/** How many people have ended downloads, and when the latest ended. */
export async function sumEndedDownloads(
  sql: Sql,
  shareId: string,
  until: Date,
): Promise<{ people: number; latest: Date }> {
  return sql<{ people: number; latest: Date }[]>`
    select count(distinct downloads.lease_id) as people, max(downloads.finished_at) as latest
    from shares
    join downloads on downloads.share_id = shares.id
    join leases on leases.id = downloads.lease_id
    where shares.id = ${shareId} and ${ended(sql, until)}`.one()
}

export async function markTold(sql: Sql, shareId: string, until: Date, now: Date): Promise<void> {
  await sql`
    update shares
    set notify_downloads_since = ${until}, downloads_emailed_at = ${now}
    where id = ${shareId}`
}
