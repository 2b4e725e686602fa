import { bufferedBytesMax } from '../../bytes/send/transfer.ts'
import type { Sql } from '../../database/connect.ts'
import { stateAt } from '../sql.ts'

/**
 * A share, with the version of the password that the recipient has given: downloads counted under
 * another one do not apply.
 */
export interface OpenedShare {
  readonly id: string
  readonly passwordVersion: number
  /** The personal link that it was opened with; null for its own. */
  readonly linkId: string | null
}

/** No download begins with a link that was revoked since it was opened. */
const isLinkLive = (sql: Sql, linkId: string | null) => sql`
  (
    ${linkId}::uuid is null
    or exists (select from personal_links where id = ${linkId} and revoked_at is null)
  )`

const countOnce = (sql: Sql, share: OpenedShare, now: Date) => sql`
  update shares
  set download_count = download_count + 1
  where id = ${share.id}
    and ${stateAt(sql, now)} = 'complete'
    and password_version = ${share.passwordVersion}
    and (max_downloads = 0 or download_count < max_downloads)
    and ${isLinkLive(sql, share.linkId)}
  returning id`

/** Adds one to the share's count, unless it has ended, is at its limit or has another password. */
export async function countDownload(sql: Sql, share: OpenedShare, now: Date): Promise<boolean> {
  return countOnce(sql, share, now).exists()
}

export async function uncountDownload(sql: Sql, shareId: string): Promise<void> {
  await sql`
    update shares
    set download_count = greatest(download_count - 1, 0)
    where id = ${shareId}`
}

/** The first download of a lease has its id. */
export interface NewDownload {
  readonly id: string
  readonly target: string
  /** ETag of the sent version; null when the client may have bytes of others. */
  readonly etag: string | null
  /** Whether it begins with the first byte because the client has none, or wants none of them. */
  readonly isStart: boolean
  readonly ip: string
  readonly userAgent: string
  readonly startedAt: Date
  readonly processId: string
}

/** A lease covers downloads and previews separately, as many bytes of each. */
export type Budget = 'downloads' | 'previews'

/** Bytes that a transfer takes from its lease, and the least that the lease is good for. */
export interface LeaseUse {
  readonly budget: Budget
  readonly bytes: number
  readonly bytesMax: number
}

const usedBytes = (sql: Sql, budget: Budget) =>
  budget === 'previews' ? sql`preview_bytes_used` : sql`bytes_used`

/** The used bytes of both budgets of a new lease. */
const firstUse = ({ budget, bytes }: LeaseUse) =>
  budget === 'previews' ? { forFiles: 0, forPreviews: bytes } : { forFiles: bytes, forPreviews: 0 }

/** Counts a download, and opens a lease with it. False where `countDownload` is. */
export async function openLease(
  sql: Sql,
  share: OpenedShare,
  lease: LeaseUse & { readonly tokenHash: Buffer; readonly download: NewDownload },
): Promise<boolean> {
  const { tokenHash, download, bytesMax } = lease
  const { forFiles, forPreviews } = firstUse(lease)
  return sql`
    with counted as (${countOnce(sql, share, download.startedAt)}),
    opened as (
      insert into leases (
        id, share_id, link_id, password_version, token_hash, opened_at, bytes_used,
        preview_bytes_used, bytes_max
      )
      select ${download.id}::uuid, id, ${share.linkId}::uuid,
        ${share.passwordVersion}::integer, ${tokenHash}::bytea,
        ${download.startedAt}::timestamptz, ${forFiles}::bigint, ${forPreviews}::bigint,
        ${bytesMax}::bigint
      from counted
      returning id as lease_id, share_id
    )
    ${beginDownload(sql, download, 'opened')}`.exists()
}

/**
 * Begins a download of a lease, or goes on with the one of its target.
 * @param lease name of the query that returns `lease_id` and `share_id`
 */
const beginDownload = (sql: Sql, download: NewDownload, lease: string) => sql`
  insert into downloads (
    id, share_id, lease_id, target, etag, ip, user_agent, started_at, running, process_id
  )
  select ${download.id}::uuid, share_id, lease_id, ${download.target}::text, ${download.etag}::text,
    ${download.ip}::text, ${download.userAgent}::text, ${download.startedAt}::timestamptz, 1,
    ${download.processId}::uuid
  from ${sql(lease)}
  on conflict (lease_id, target) do update set
    running = downloads.running + 1,
    process_id = excluded.process_id,
    etag = case when ${download.isStart}::boolean then excluded.etag else downloads.etag end,
    sent_to = case
      when ${download.isStart}::boolean and downloads.etag is distinct from excluded.etag then 0
      else downloads.sent_to
    end
  returning id`

/** A lease that may cover a transfer. */
export interface FoundLease {
  readonly id: string
  /** False once its count was given back. */
  readonly counted: boolean
  /** Whether a download of the target has begun in it. */
  readonly hasTarget: boolean
}

/**
 * The latest lease of a token with enough bytes left, or with a count that was given back. Without
 * one, a transfer that resumes gets that of the latest download of its target from its address:
 * several clients may share an address.
 */
export async function findLease(
  sql: Sql,
  share: OpenedShare,
  asked: {
    readonly target: string
    readonly tokenHash: Buffer | null
    /** Null unless the transfer resumes a download. */
    readonly ip: string | null
    readonly since: Date
  },
  { budget, bytes, bytesMax }: LeaseUse,
): Promise<FoundLease | null> {
  const { target, tokenHash, ip, since } = asked
  const used = usedBytes(sql, budget)
  const covers = sql`
    leases.password_version = ${share.passwordVersion}
    and leases.link_id is not distinct from ${share.linkId}::uuid
    and leases.opened_at > ${since}
    and (
      not leases.counted
      or ${used} + ${bytes}::bigint <= greatest(leases.bytes_max, ${bytesMax}::bigint)
    )`
  return sql<FoundLease[]>`
    select id, counted,
      exists (
        select from downloads where lease_id = found.id and target = ${target}
      ) as has_target
    from (
      (
        select id, counted, 1 as preference
        from leases
        where share_id = ${share.id}
          and token_hash = ${tokenHash}
          and ${covers}
        order by opened_at desc, ${used} - bytes_max
        limit 1
      )
      union all
      (
        select leases.id, leases.counted, 2 as preference
        from downloads
        join leases on leases.id = downloads.lease_id
        where downloads.share_id = ${share.id}
          and downloads.target = ${target}
          and ${ip !== null}
          and downloads.ip = ${ip}
          and ${covers}
        order by downloads.started_at desc
        limit 1
      )
    ) as found
    order by preference
    limit 1`.first()
}

/**
 * Begins a transfer that a lease covers. Returns the id of its download; null when the lease is
 * used up, and when the share has ended or has another password now.
 */
export function useLease(
  sql: Sql,
  leaseId: string,
  { budget, bytes, bytesMax }: LeaseUse,
  download: NewDownload,
): Promise<string | null> {
  const used = usedBytes(sql, budget)
  const limit = sql`greatest(bytes_max, ${bytesMax}::bigint)`
  const change = sql`${used} = ${used} + ${bytes}, bytes_max = ${limit}`
  const condition = sql`counted and ${used} + ${bytes} <= ${limit}`
  return beginInLease(sql, leaseId, { change, condition }, download)
}

/** The same for a lease with a count that was given back: it counts again, from its first byte. */
export function reopenLease(
  sql: Sql,
  leaseId: string,
  use: LeaseUse,
  download: NewDownload,
): Promise<string | null> {
  const { forFiles, forPreviews } = firstUse(use)
  const change = sql`
    counted = true, bytes_used = ${forFiles}, preview_bytes_used = ${forPreviews},
    bytes_max = ${use.bytesMax}`
  return beginInLease(sql, leaseId, { change, condition: sql`not counted` }, download)
}

/** Begins a transfer of a lease that fulfils the condition, and is still one of its share. */
async function beginInLease(
  sql: Sql,
  leaseId: string,
  { change, condition }: Record<'change' | 'condition', ReturnType<typeof countOnce>>,
  download: NewDownload,
): Promise<string | null> {
  return sql<{ id: string }[]>`
    with used as (
      update leases
      set ${change}
      where id = ${leaseId}
        and ${condition}
        and exists (
          select
          from shares
          where shares.id = leases.share_id
            and shares.password_version = leases.password_version
            and ${stateAt(sql, download.startedAt)} = 'complete'
        )
        and not exists (
          select
          from personal_links
          where personal_links.id = leases.link_id and revoked_at is not null
        )
      returning id as lease_id, share_id
    )
    ${beginDownload(sql, download, 'used')}`.firstValue()
}

/**
 * Records the end of a transfer, and returns its unsent bytes to the lease. Like a beginning, it
 * locks the lease before its download.
 */
export async function settleTransfer(
  sql: Sql,
  transfer: {
    readonly id: string
    readonly budget: Budget
    readonly etag: string
    /** The end of what the client may have. */
    readonly sentTo: number
    readonly sent: number
    readonly unsent: number
    readonly finishedAt: Date | null
  },
): Promise<void> {
  const used = usedBytes(sql, transfer.budget)
  await sql`
    with settled as (
      update leases
      set ${used} = greatest(${used} - ${transfer.unsent}, 0)
      where id = (select lease_id from downloads where id = ${transfer.id})
      returning id
    )
    update downloads
    set running = greatest(running - 1, 0),
        bytes_sent = bytes_sent + ${transfer.sent},
        sent_to = greatest(
          sent_to, case when etag = ${transfer.etag} then ${transfer.sentTo}::bigint end
        ),
        -- All of one version, after a part of another: the client may join the two.
        etag = case
          when ${transfer.finishedAt}::timestamptz is null or etag = ${transfer.etag} then etag
        end,
        finished_at = coalesce(finished_at, ${transfer.finishedAt})
    from settled
    where downloads.id = ${transfer.id}
      and downloads.lease_id = settled.id`
}

/**
 * Takes the count back that a lease was opened with, unless another transfer of it runs or has
 * ended. Returns whether it did.
 * @param downloadId of any download of the lease
 * @param coveredMax only if its transfers have sent fewer bytes than this together
 */
export async function markUncounted(
  sql: Sql,
  downloadId: string,
  coveredMax: number,
): Promise<boolean> {
  return sql`
    update leases
    set counted = false
    where id = (select lease_id from downloads where id = ${downloadId})
      and counted
      and bytes_used + preview_bytes_used < ${coveredMax}
      and not exists (
        select
        from downloads
        where lease_id = leases.id
          and (running > 0 or finished_at is not null)
      )`.exists()
}

/** Marks transfers of dead processes as broken. It is unknown how much they have sent. */
export async function settleTransfersOf(sql: Sql, processId: string): Promise<void> {
  await sql`
    update downloads
    set running = 0, process_id = null, sent_to = ${Number.MAX_SAFE_INTEGER}
    where process_id = ${processId} and running > 0`
}

export async function listRunningProcesses(sql: Sql): Promise<string[]> {
  return sql<{ processId: string }[]>`
    select distinct process_id
    from downloads
    where running > 0 and process_id is not null`.column()
}

/**
 * Whether a rest from `start` on may belong to a transfer of another version. The latest lease of
 * the client knows; without one, every unfinished download from its address may be its own. A
 * client may lack the last bytes of a finished one.
 */
export async function hasOtherVersion(
  sql: Sql,
  shareId: string,
  rest: {
    readonly target: string
    readonly etag: string
    readonly start: number
    readonly tokenHash: Buffer | null
    readonly ip: string
  },
): Promise<boolean> {
  const { target, etag, start, tokenHash, ip } = rest
  return sql<{ isOther: boolean }[]>`
    with begun as (
      select
        downloads.etag is null
        or downloads.etag <> ${etag} and (running > 0 or sent_to >= ${start}) as is_other,
        coalesce(leases.token_hash = ${tokenHash}, false) as is_own, started_at,
        downloads.etag is null
        or finished_at is null
        or sent_to - ${start}::bigint <= ${bufferedBytesMax} as is_open
      -- Two index scans: an "or" would read every download of the target.
      from (
        select downloads.*
        from leases
        join downloads on downloads.lease_id = leases.id and target = ${target}
        where leases.share_id = ${shareId} and token_hash = ${tokenHash}
        union
        select *
        from downloads
        where share_id = ${shareId} and target = ${target} and ip = ${ip}
      ) as downloads
      join leases on leases.id = downloads.lease_id
    )
    select coalesce(
      (array_agg(is_other order by started_at desc) filter (where is_own))[1],
      bool_or(is_other) filter (where not is_own and is_open),
      false
    ) as is_other
    from begun`.oneValue()
}
