import type { Sql } from '../db/connect.ts'

/** False when it was marked before. */
export async function markDamaged(sql: Sql, fileId: number, at: Date): Promise<boolean> {
  const rows = await sql`
    update files
    set damaged_at = ${at}
    where id = ${fileId} and damaged_at is null
    returning id`
  return rows.length > 0
}
