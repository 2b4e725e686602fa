import type { Sql } from '../database/connect.ts'
import { rowIdPattern } from '../lib/path-parameters.ts'

/**
 * Versions of existing shares, with those of their personal links, and of reverse shares and
 * deliveries: see `RunningTransfers.abortWithdrawn`.
 */
export async function listWithdrawalVersions(
  sql: Sql,
  keys: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const ids = [...keys]
  const deliveryIds = ids.filter((key) => rowIdPattern.test(key))
  const rows = await sql<{ key: string; version: string }[]>`
    select id as key, password_version::text as version
    from shares
    where id = any(${ids}::text[])
    union all
    select shares.id, shares.password_version || ' ' || personal_links.id
    from personal_links
    join shares on shares.id = personal_links.share_id
    where shares.id = any(${ids}::text[]) and personal_links.revoked_at is null
    union all
    select id, ''
    from reverse_shares
    where id = any(${ids}::text[])
    union all
    select id::text, ''
    from deliveries
    where id = any(${deliveryIds}::uuid[])`
  const versions = new Map<string, Set<string>>()
  for (const { key, version } of rows) {
    versions.set(key, (versions.get(key) ?? new Set()).add(version))
  }
  return versions
}
