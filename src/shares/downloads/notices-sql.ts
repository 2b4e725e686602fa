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

/**
 * Downloads of people: previews, and downloads whose count was given back, are none. A start in the
 * future was written while the clock was wrong.
 */
const ended = (sql: Sql, { until, now, emailedBefore }: DueBounds) => sql`
  downloads.finished_at > case
    when shares.notify_downloads_since > ${now} then ${emailedBefore}
    else shares.notify_downloads_since
  end
  and downloads.finished_at <= ${until}
  -- A lease lives a day. Without this, every download of the share would be read.
  and downloads.started_at
    > least(shares.notify_downloads_since, ${emailedBefore}) - interval '7 days'
  and downloads.target not like 'preview:%'
  and leases.counted`

/** Locks a due share that no other process has locked; null when there is none. */
export async function lockDueShare(sql: Sql, bounds: DueBounds): Promise<DueShare | null> {
  const { emailedBefore, now } = bounds
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
        where downloads.share_id = shares.id and ${ended(sql, bounds)}
        offset 0 -- One index scan per share: a plan that is kept would read all downloads.
      )
    limit 1
    for update of shares skip locked`.first()
}

/** How many people have ended downloads, and when the latest ended. */
export async function sumEndedDownloads(
  sql: Sql,
  shareId: string,
  bounds: DueBounds,
): Promise<{ people: number; latest: Date }> {
  return sql<{ people: number; latest: Date }[]>`
    select count(distinct downloads.lease_id) as people, max(downloads.finished_at) as latest
    from shares
    join downloads on downloads.share_id = shares.id
    join leases on leases.id = downloads.lease_id
    where shares.id = ${shareId} and ${ended(sql, bounds)}`.one()
}

export async function markTold(sql: Sql, shareId: string, until: Date, now: Date): Promise<void> {
  await sql`
    update shares
    set notify_downloads_since = ${until}, downloads_emailed_at = ${now}
    where id = ${shareId}`
}
