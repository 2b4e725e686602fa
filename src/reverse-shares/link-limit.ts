import { CodedError } from '../lib/errors.ts'

/** What guests replace and discard may cost this much disk beyond twice a link's limit. */
const rewriteBytesMax = 256 * 1024 * 1024

/**
 * @param liveBytes what all deliveries would refer to: that is the limit
 * @param usedBytes what they would have on disk: strangers could fill it by replacing and
 *   discarding chunks, delivery after delivery
 * @throws CodedError share_too_large, too_many_rewrites
 */
export function refuseFull(maxSize: number, liveBytes: number, usedBytes: number): void {
  if (liveBytes > maxSize) {
    throw new CodedError('share_too_large', {
      message: `This link accepts ${maxSize} bytes in total. That limit is reached.`,
      details: { limit: maxSize },
    })
  }
  if (usedBytes <= 2 * maxSize + rewriteBytesMax) return
  const message = 'Too many chunks were sent again or discarded at this link.'
  throw new CodedError('too_many_rewrites', { message })
}
