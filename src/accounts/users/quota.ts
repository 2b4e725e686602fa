import type { Sql } from '../../database/connect.ts'
import { findQuota, lockUser, sumUsedBytes } from './sql.ts'

/** A quota that so many more bytes would exceed. Bytes on disk. */
export interface ExceededQuota {
  readonly quota: number
  readonly used: number
}

/**
 * The quota of an account and what it has on disk already, when so many more bytes would exceed
 * it; else null. The account stays locked until the transaction ends: however many chunks come at
 * once, whatever they are for, the true sum is what counts.
 * @param standard bytes for accounts that have no quota of their own, 0 for no limit
 */
export async function findExceededQuota(
  sql: Sql,
  userId: number,
  addedBytes: number,
  standard: number,
): Promise<ExceededQuota | null> {
  const quota = (await findQuota(sql, userId)) ?? standard
  if (quota === 0) return null
  await lockUser(sql, userId)
  const used = await sumUsedBytes(sql, userId)
  return used + addedBytes > quota ? { quota, used } : null
}
