import type { Sql } from '../../database/connect.ts'

/** Sent bytes may still be in a kernel when a client loses its connection: not much more. */
export const bufferedBytesMax = 8 * 1024 * 1024

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
  const [row] = await sql<{ isOther: boolean }[]>`
    with begun as (
      select
        downloads.etag is null
        or downloads.etag <> ${etag} and (running > 0 or sent_to >= ${start}) as is_other,
        coalesce(leases.token_hash = ${tokenHash}, false) as is_own, started_at,
        downloads.etag is null
        or finished_at is null
        or sent_to - ${start}::bigint <= ${bufferedBytesMax} as is_open
      from downloads
      join leases on leases.id = downloads.lease_id
      where downloads.share_id = ${shareId}
        and downloads.target = ${target}
        and (leases.token_hash = ${tokenHash} or downloads.ip = ${ip})
    )
    select coalesce(
      (array_agg(is_other order by started_at desc) filter (where is_own))[1],
      bool_or(is_other) filter (where not is_own and is_open),
      false
    ) as is_other
    from begun`
  return row!.isOther
}
