import type { Sql } from '../../database/connect.ts'

/** A share, and which of its passwords a visitor has come past. */
interface OpenedShare {
  readonly id: string
  readonly passwordVersion: number
}

/** Adds one to the share's count, unless its limit is reached or its password has changed. */
export async function countDownload(sql: Sql, share: OpenedShare): Promise<boolean> {
  const rows = await sql`
    update shares
    set download_count = download_count + 1
    where id = ${share.id}
      and state = 'complete'
      and password_version = ${share.passwordVersion}
      and (max_downloads = 0 or download_count < max_downloads)
    returning id`
  return rows.length > 0
}

/** What decides whether a share can be counted, beside its limit; null when it is deleted. */
export async function findCountedShare(
  sql: Sql,
  id: string,
): Promise<{ state: string; passwordVersion: number } | null> {
  const [row] = await sql<{ state: string; passwordVersion: number }[]>`
    select state, password_version from shares where id = ${id}`
  return row ?? null
}

export async function uncountDownload(sql: Sql, shareId: string): Promise<void> {
  await sql`
    update shares
    set download_count = greatest(download_count - 1, 0)
    where id = ${shareId}`
}

export interface NewDownload {
  readonly id: string
  readonly shareId: string
  readonly passwordVersion: number
  readonly target: string
  readonly leaseHash: Buffer
  readonly ip: string
  readonly userAgent: string
  readonly startedAt: Date
  readonly processId: string
  readonly bytes: number
}

export async function insertDownload(sql: Sql, download: NewDownload): Promise<void> {
  await sql`
    insert into downloads (
      id, share_id, password_version, target, lease_hash, ip, user_agent, started_at, running,
      process_id, bytes_charged
    )
    values (
      ${download.id}, ${download.shareId}, ${download.passwordVersion}, ${download.target},
      ${download.leaseHash}, ${download.ip}, ${download.userAgent}, ${download.startedAt}, 1,
      ${download.processId}, ${download.bytes}
    )`
}

export interface DownloadRow {
  readonly id: string
  readonly target: string
  readonly running: number
  readonly isFinished: boolean
  readonly isCounted: boolean
}

const countedDownload = (sql: Sql) =>
  sql`id, target, running, finished_at is not null as is_finished, counted as is_counted`

/** What a lease cookie has paid for, latest first. */
export async function listLeased(
  sql: Sql,
  share: OpenedShare,
  leaseHash: Buffer,
  since: Date,
): Promise<DownloadRow[]> {
  return sql<DownloadRow[]>`
    select ${countedDownload(sql)}
    from downloads
    where share_id = ${share.id}
      and lease_hash = ${leaseHash}
      and password_version = ${share.passwordVersion}
      and started_at > ${since}
    order by started_at desc
    limit 100`
}

/** The latest download of the target from this address. */
export async function findByAddress(
  sql: Sql,
  share: OpenedShare,
  target: string,
  ip: string,
  since: Date,
): Promise<DownloadRow | null> {
  const [row] = await sql<DownloadRow[]>`
    select ${countedDownload(sql)}
    from downloads
    where share_id = ${share.id}
      and target = ${target}
      and ip = ${ip}
      and password_version = ${share.passwordVersion}
      and started_at > ${since}
    order by started_at desc
    limit 1`
  return row ?? null
}

interface Charge {
  readonly id: string
  readonly bytes: number
  readonly bytesMax: number
  readonly processId: string
  /** Only when no transfer of it runs and none has reached the end. */
  readonly onlyBroken: boolean
}

/** The download is not in use, where that matters, and the share's password is still the same. */
const mayContinue = (sql: Sql, { onlyBroken }: Charge) => sql`
  (not ${onlyBroken} or (running = 0 and finished_at is null))
  and password_version = (
    select shares.password_version from shares where shares.id = downloads.share_id
  )`

/**
 * Charges a transfer to a download that is counted, within what the count pays for. With
 * `onlyBroken`, of two at the same instant one gets it. And only while the share's password is the
 * one it was begun under.
 */
export async function chargeDownload(sql: Sql, charge: Charge): Promise<boolean> {
  const rows = await sql`
    update downloads
    set bytes_charged = bytes_charged + ${charge.bytes},
        running = running + 1,
        process_id = ${charge.processId}
    where id = ${charge.id}
      and counted
      and bytes_charged + ${charge.bytes} <= ${charge.bytesMax}
      and ${mayContinue(sql, charge)}
    returning id`
  return rows.length > 0
}

/** The same for one whose count was given back: it is paid for anew, from its first byte on. */
export async function recountDownload(sql: Sql, charge: Charge): Promise<boolean> {
  const rows = await sql`
    update downloads
    set counted = true,
        bytes_charged = ${charge.bytes},
        running = running + 1,
        process_id = ${charge.processId}
    where id = ${charge.id}
      and not counted
      and ${mayContinue(sql, charge)}
    returning id`
  return rows.length > 0
}

/** A transfer has ended: what it did not send is given back to the lease. */
export async function settleTransfer(
  sql: Sql,
  transfer: { id: string; sent: number; unsent: number; finishedAt: Date | null },
): Promise<void> {
  await sql`
    update downloads
    set running = greatest(running - 1, 0),
        bytes_sent = bytes_sent + ${transfer.sent},
        bytes_charged = greatest(bytes_charged - ${transfer.unsent}, 0),
        finished_at = coalesce(finished_at, ${transfer.finishedAt})
    where id = ${transfer.id}`
}

/**
 * Takes the count back, when nothing else of this download runs or has ended.
 * @param coveredMax and when its transfers have sent fewer bytes than this, counted together
 */
export async function markUncounted(sql: Sql, id: string, coveredMax: number): Promise<boolean> {
  const rows = await sql`
    update downloads
    set counted = false
    where id = ${id}
      and counted
      and running = 0
      and finished_at is null
      and bytes_charged < ${coveredMax}
    returning id`
  return rows.length > 0
}

/** Transfers that ran in processes which are gone have broken. */
export async function settleTransfersOf(sql: Sql, processId: string): Promise<void> {
  await sql`
    update downloads
    set running = 0, process_id = null
    where process_id = ${processId} and running > 0`
}

export async function listRunningProcesses(sql: Sql): Promise<string[]> {
  const rows = await sql<{ processId: string }[]>`
    select distinct process_id
    from downloads
    where running > 0 and process_id is not null`
  return rows.map((row) => row.processId)
}
