import type { Sql } from '../db/connect.ts'
import { lockUser, sumUsedBytes } from './sql.ts'

/**
 * What an account has on disk already, when so many more bytes would exceed its quota; else null.
 * The account stays locked until the transaction ends: however many chunks come at once, whatever
 * they are for, the true sum is what counts.
 * @param quota bytes on disk, 0 for no limit
 */
export async function findExceededUse(
  sql: Sql,
  userId: number,
  addedBytes: number,
  quota: number,
): Promise<number | null> {
  if (quota === 0) return null
  await lockUser(sql, userId)
  const used = await sumUsedBytes(sql, userId)
  return used + addedBytes > quota ? used : null
}
