import type { Sql } from '../../database/connect.ts'

/** A share, with the version of the password that the recipient has given. */
interface OpenedShare {
  readonly id: string
  readonly passwordVersion: number
}

const countOnce = (sql: Sql, share: OpenedShare) => sql`
  update shares
  set download_count = download_count + 1
  where id = ${share.id}
    and state = 'complete'
    and password_version = ${share.passwordVersion}
    and (max_downloads = 0 or download_count < max_downloads)
  returning id`

/** Adds one to the share's count, unless its limit is reached or its password has changed. */
export async function countDownload(sql: Sql, share: OpenedShare): Promise<boolean> {
  const rows = await countOnce(sql, share)
  return rows.length > 0
}

/**
 * The fields that decide whether a share can be counted, beside its limit; null when it is deleted.
 */
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
  readonly target: string
  readonly leaseHash: Buffer
  readonly ip: string
  readonly userAgent: string
  readonly startedAt: Date
  readonly processId: string
  readonly bytes: number
}

/** The same, with a row for the download from which it can be resumed. */
export async function insertCountedDownload(
  sql: Sql,
  share: OpenedShare,
  download: NewDownload,
): Promise<boolean> {
  const rows = await sql`
    with counted as (${countOnce(sql, share)})
    insert into downloads (
      id, share_id, password_version, target, lease_hash, ip, user_agent, started_at, running,
      process_id, bytes_charged
    )
    select ${download.id}::uuid, id, ${share.passwordVersion}::integer, ${download.target}::text,
      ${download.leaseHash}::bytea, ${download.ip}::text, ${download.userAgent}::text,
      ${download.startedAt}::timestamptz, 1, ${download.processId}::uuid, ${download.bytes}::bigint
    from counted
    returning id`
  return rows.length > 0
}

/** A download that a transfer may continue. */
export interface PaidDownload {
  readonly id: string
  /** False once its count was given back. */
  readonly counted: boolean
}

/**
 * The latest download of a target that a lease has paid for. Without one, a transfer that resumes
 * gets the latest from its address.
 */
export async function findPaidDownload(
  sql: Sql,
  share: OpenedShare,
  asked: {
    readonly target: string
    readonly leaseHash: Buffer | null
    /** Null unless the transfer resumes a download. */
    readonly ip: string | null
    readonly since: Date
  },
): Promise<PaidDownload | null> {
  const ofTarget = sql`
    from downloads
    where share_id = ${share.id}
      and target = ${asked.target}
      and password_version = ${share.passwordVersion}
      and started_at > ${asked.since}`
  const [row] = await sql<PaidDownload[]>`
    select id, counted
    from (
      (
        select id, counted, 1 as preference
        ${ofTarget} and lease_hash = ${asked.leaseHash}
        order by started_at desc
        limit 1
      )
      union all
      (
        select id, counted, 2 as preference
        ${ofTarget} and ${asked.ip !== null} and ip = ${asked.ip}
        order by started_at desc
        limit 1
      )
    ) as paid
    order by preference
    limit 1`
  return row ?? null
}

interface Charge {
  readonly id: string
  readonly bytes: number
  readonly bytesMax: number
  readonly processId: string
  /** Only if none of its transfers runs or has reached the end. */
  readonly onlyBroken: boolean
}

/** The download is not in use, where that matters, and the share's password is still the same. */
const mayContinue = (sql: Sql, { onlyBroken }: Charge) => sql`
  (not ${onlyBroken} or (running = 0 and finished_at is null))
  and password_version = (
    select shares.password_version from shares where shares.id = downloads.share_id
  )`

/**
 * Charges a transfer to a counted download, within the bytes that the count pays for, and only
 * under the password that it began with. With `onlyBroken`, only one of two simultaneous transfers
 * succeeds.
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

/**
 * The same for a download with a count that was given back: it is paid again, from its first byte.
 */
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

/** Records the end of a transfer, and returns its unsent bytes to the lease. */
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
 * Takes the count back, unless another transfer of this download runs or has ended.
 * @param coveredMax only if its transfers have sent fewer bytes than this together
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

/** Marks transfers of dead processes as broken. */
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
