import type { Sql } from '../../database/connect.ts'
import { lockUser, sumUsage } from './sql.ts'

/** Bytes of replaced and removed chunks that an account may have on disk beside twice its quota. */
const unusedBytesMax = 1024 ** 3

/** A quota that the additional bytes would exceed. */
export interface ExceededQuota {
  readonly quota: number
  readonly used: number
}

/** Bytes that are added to files and chunks, and those that are added on disk. */
export interface AddedBytes {
  readonly addedLiveBytes: number
  readonly addedBytes: number
}

/**
 * The quota of an account and its used bytes, if additional bytes would exceed it, or if the
 * account would have more than twice the quota and 1 GiB on disk, where replaced and removed chunks
 * stay until their segments go (docs/decisions/0025-bytes-never-move.md); otherwise null. The
 * account stays locked until the transaction ends, so that concurrent chunks cannot exceed it
 * together.
 * @param account its quota is null for the standard
 * @param standard bytes for accounts without a quota, 0 for no limit
 */
export async function findExceededQuota(
  sql: Sql,
  account: { readonly userId: number; readonly quota: number | null },
  { addedLiveBytes, addedBytes }: AddedBytes,
  standard: number,
): Promise<ExceededQuota | null> {
  const { userId } = account
  const quota = account.quota ?? standard
  if (quota === 0) return null
  // In one round trip: the second statement begins when the first has the lock.
  const locking = lockUser(sql, userId)
  const summing = sumUsage(sql, userId)
  await Promise.allSettled([locking, summing])
  await locking
  const { liveBytes, storedBytes } = await summing
  const isExceeded =
    liveBytes + addedLiveBytes > quota || storedBytes + addedBytes > 2 * quota + unusedBytesMax
  return isExceeded ? { quota, used: liveBytes } : null
}
