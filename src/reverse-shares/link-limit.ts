import { CodedError } from '../lib/errors.ts'

/** Replaced and discarded chunks may take this much disk beyond twice a link's limit. */
const rewriteBytesMax = 256 * 1024 * 1024

/**
 * @param liveBytes live bytes of all deliveries, which the limit is about
 * @param usedBytes their bytes on disk: guests could fill the disk by replacing and discarding
 *   chunks, delivery after delivery
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
