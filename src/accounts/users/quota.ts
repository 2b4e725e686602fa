import type { Sql } from '../../database/connect.ts'
import { findQuota, lockUser, sumUsedBytes } from './sql.ts'

/** A quota that the additional bytes would exceed. Bytes on disk. */
export interface ExceededQuota {
  readonly quota: number
  readonly used: number
}

/**
 * The quota of an account and its bytes on disk, if additional bytes would exceed it; otherwise
 * null. The account stays locked until the transaction ends, so that concurrent chunks cannot
 * exceed it together.
 * @param standard bytes for accounts without a quota, 0 for no limit
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
