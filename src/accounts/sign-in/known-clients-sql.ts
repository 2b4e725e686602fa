import type { Sql } from '../../database/connect.ts'

export async function upsertAddress(
  sql: Sql,
  known: { userId: number; address: string; seenAt: Date },
): Promise<void> {
  await sql`
    insert into sign_in_addresses (user_id, address, seen_at)
    values (${known.userId}, ${known.address}, ${known.seenAt})
    on conflict (user_id, address) do update
    set seen_at = greatest(sign_in_addresses.seen_at, excluded.seen_at)`
}

/** Keeps the newest addresses. */
export async function deleteAddressesBeyond(sql: Sql, userId: number, max: number): Promise<void> {
  await sql`
    delete from sign_in_addresses
    where user_id = ${userId} and address in (
      select address
      from sign_in_addresses
      where user_id = ${userId}
      order by seen_at desc, address
      offset ${max}
    )`
}

export async function hasAddress(
  sql: Sql,
  userId: number,
  address: string,
  seenSince: Date,
): Promise<boolean> {
  const found = await sql`
    select 1
    from sign_in_addresses
    where user_id = ${userId} and address = ${address} and seen_at > ${seenSince}`
  return found.length > 0
}

export async function deleteAddressesBefore(sql: Sql, before: Date): Promise<number> {
  const deleted = await sql`delete from sign_in_addresses where seen_at <= ${before}`
  return deleted.count
}
