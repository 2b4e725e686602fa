import type { Sql } from '../../database/connect.ts'

/** Whether a backup is copying segments that a removal could take away from it. */
export async function isRemovalHeld(sql: Sql): Promise<boolean> {
  const rows = await sql`select 1 from backup_runs where held_until > now() limit 1`
  return rows.length > 0
}
