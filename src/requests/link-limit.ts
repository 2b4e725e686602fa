import { createHash } from 'node:crypto'
import { networkOf } from '../http/client-ip.ts'
import { CodedError } from '../lib/errors.ts'

/** Replaced and discarded chunks may take this much disk beyond twice a link's limit. */
const rewriteBytesMax = 8 * 1024 * 1024
/** A delivery without a chunk for so long no longer holds its space in a link. */
const runningMs = 60 * 60_000

/** Deliveries with a chunk since then count for the limit of their link. */
export function runningSince(now: number): Date {
  return new Date(now - runningMs)
}

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
export function refuseFull(maxSize: number, liveBytes: number, isResumed: boolean): void {
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
export function refuseRewrites(limit: number, usedBytes: number): void {
  if (usedBytes <= 2 * limit + rewriteBytesMax) return
  throw new CodedError('too_many_rewrites', {
    message: 'Too many chunks from your network were sent again or discarded at this link.',
  })
}
