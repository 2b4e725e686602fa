import { findExceededQuota } from '../accounts/users/quota.ts'
import type { ContainerGrowth } from '../bytes/receive/commit.ts'
import { refuseLargeShare } from '../bytes/receive/file-rules.ts'
import type { Sql } from '../database/connect.ts'
import { CodedError } from '../lib/errors.ts'
import { sumBytes, type DeliveryRow } from './deliveries-sql.ts'
import { refuseFull, refuseRewrites, runningSince } from './link-limit.ts'
import { lockForGrowth, type ReverseShare } from './sql.ts'
import type { RequestDeps } from './deps.ts'

type Deps = Pick<RequestDeps, 'settings' | 'clock'>

interface Found {
  readonly reverse: ReverseShare
  readonly delivery: DeliveryRow
}

/**
 * Exact sums, under locks. A guest learns only that the link is full, not what others use.
 * @throws CodedError share_too_large, too_many_rewrites, quota_exceeded
 */
export async function checkLimits(
  sql: Sql,
  deps: Deps,
  found: Found,
  growth: ContainerGrowth,
): Promise<void> {
  const { reverse } = found
  const { maxShareSize, userQuota } = deps.settings.values
  refuseLargeShare(growth.liveBytes, maxShareSize)
  const account = { userId: reverse.ownerId, quota: reverse.ownerQuota }
  await checkSize(sql, deps, found, { ...growth, quota: account.quota ?? userQuota })
  const exceeded = await findExceededQuota(sql, account, growth, userQuota)
  if (exceeded === null) return
  const message = 'The account that receives these files has no space left.'
  throw new CodedError('quota_exceeded', { message })
}

/**
 * The limit of the link, and the bound for what its guests send again.
 * @param growth the delivery afterwards; its quota is 0 for no limit
 * @throws CodedError share_too_large, too_many_rewrites
 */
export async function checkSize(
  sql: Sql,
  { clock }: Pick<Deps, 'clock'>,
  { reverse, delivery }: Found,
  growth: Pick<ContainerGrowth, 'liveBytes' | 'addedBytes'> & { readonly quota: number },
): Promise<void> {
  const maxSize = (await lockForGrowth(sql, reverse.id)) ?? 0
  const limits = [maxSize, growth.quota].filter((limit) => limit > 0)
  if (limits.length === 0) return
  const since = runningSince(clock.now())
  const { othersLive, networkUsed } = await sumBytes(sql, delivery, since)
  const isResumed = delivery.changedAt !== null && delivery.changedAt < since
  refuseFull(maxSize, othersLive + growth.liveBytes, isResumed)
  if (growth.addedBytes > 0) refuseRewrites(Math.min(...limits), networkUsed + growth.addedBytes)
}
