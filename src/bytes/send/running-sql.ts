import type { Sql } from '../../database/connect.ts'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Versions of existing shares, reverse shares and deliveries: see running.ts. */
export async function listWithdrawalVersions(
  sql: Sql,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...keys]
  const deliveryIds = ids.filter((key) => uuid.test(key))
  const rows = await sql<{ key: string; version: string }[]>`
    select id as key, password_version::text as version
    from shares
    where id = any(${ids}::text[])
    union all
    select id, ''
    from reverse_shares
    where id = any(${ids}::text[])
    union all
    select id::text, ''
    from deliveries
    where id = any(${deliveryIds}::uuid[])`
  return new Map(rows.map(({ key, version }) => [key, version]))
}
