import type { Sql } from '../../database/connect.ts'
import { lockUser, sumUsedBytes } from './sql.ts'

/** A quota that the additional bytes would exceed. */
export interface ExceededQuota {
  readonly quota: number
  readonly used: number
}

/**
 * The quota of an account and its used bytes, if additional bytes would exceed it; otherwise
 * null. The account stays locked until the transaction ends, so that concurrent chunks cannot
 * exceed it together.
 * @param account its quota is null for the standard
 * @param standard bytes for accounts without a quota, 0 for no limit
 */
export async function findExceededQuota(
  sql: Sql,
  account: { readonly userId: number; readonly quota: number | null },
  addedBytes: number,
  standard: number,
): Promise<ExceededQuota | null> {
  const { userId } = account
  const quota = account.quota ?? standard
  if (quota === 0) return null
  // In one round trip: the second statement begins when the first has the lock.
  const locking = lockUser(sql, userId)
  const summing = sumUsedBytes(sql, userId)
  await Promise.allSettled([locking, summing])
  await locking
  const used = await summing
  return used + addedBytes > quota ? { quota, used } : null
}
