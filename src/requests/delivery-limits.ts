import { createHash } from 'node:crypto'
import { findExceededQuota } from '../accounts/users/quota.ts'
import type { ContainerGrowth } from '../bytes/receive/commit.ts'
import { refuseLargeShare } from '../bytes/receive/file-rules.ts'
import type { Sql } from '../database/connect.ts'
import { CodedError } from '../lib/errors.ts'
import { sumBytes } from './deliveries-sql.ts'
import type { OpenDelivery } from './link-of-guest.ts'
import { lockForGrowth } from './sql.ts'
import type { RequestDeps } from './deps.ts'
import { networkOf } from '../http/client-ip.ts'

type Deps = Pick<RequestDeps, 'settings' | 'clock'>

/**
 * Exact sums, under locks. A guest learns only that the link is full, not what others use.
 * @throws CodedError share_too_large, too_many_rewrites, quota_exceeded
 */
export async function checkLimits(
  sql: Sql,
  deps: Deps,
  found: OpenDelivery,
  growth: ContainerGrowth,
) {
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
  { reverse, delivery }: OpenDelivery,
  growth: Pick<ContainerGrowth, 'liveBytes' | 'addedBytes'> & { readonly quota: number },
): Promise<void> {
  const maxSize = (await lockForGrowth(sql, reverse.id)) ?? 0
  const limits = [maxSize, growth.quota].filter((limit) => limit > 0)
  if (limits.length === 0) return
  const since = new Date(clock.now() - runningMs)
  const { othersLive, networkUsed } = await sumBytes(sql, delivery, since)
  const isResumed = delivery.changedAt !== null && delivery.changedAt < since
  refuseFull(maxSize, othersLive + growth.liveBytes, isResumed)
  if (growth.addedBytes > 0) refuseRewrites(Math.min(...limits), networkUsed + growth.addedBytes)
}

/** Replaced and discarded chunks may take this much disk beyond twice a link's limit. */
const rewriteBytesMax = 8 * 1024 * 1024
/** A delivery without a chunk for so long no longer counts for the limit of its link. */
const runningMs = 60 * 60_000

/** Names the network of a guest among those of its link, without telling the address. */
export function networkHashOf(reverseShareId: string, ip: string): Buffer {
  const network = networkOf(ip) ?? ip
  return createHash('sha256').update(`${reverseShareId} ${network}`).digest().subarray(0, 16)
}

/**
 * @param maxSize bytes of all deliveries to a link; 0 for no limit
 * @param liveBytes live bytes of the deliveries that count
 * @param isResumed whether this delivery has paused for so long that others could take its space
 * @throws CodedError share_too_large
 */
function refuseFull(maxSize: number, liveBytes: number, isResumed: boolean): void {
  if (maxSize === 0 || liveBytes <= maxSize) return
  const limit = `This link accepts ${maxSize} bytes in total.`
  const reason = isResumed
    ? 'While this delivery paused, others used its space. Cancel it, and send less.'
    : 'That limit is reached.'
  throw new CodedError('share_too_large', {
    message: `${limit} ${reason}`,
    details: { limit: maxSize },
  })
}

/**
 * Guests could fill the disk by replacing, discarding and abandoning chunks, delivery after
 * delivery. That counts for their network alone, so that it keeps no others out.
 * @param limit bytes that the link, or its owner, may have
 * @param usedBytes bytes on disk of the link's deliveries from one network
 * @throws CodedError too_many_rewrites
 */
function refuseRewrites(limit: number, usedBytes: number): void {
  if (usedBytes <= 2 * limit + rewriteBytesMax) return
  throw new CodedError('too_many_rewrites', {
    message: 'Too many chunks from your network were sent again or discarded at this link.',
  })
}
