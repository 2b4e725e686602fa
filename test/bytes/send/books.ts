// Transfers as Counting sees them: what was requested, and how it ended.
import { randomToken } from '../../../src/lib/random-id.ts'
import type { TransferEnd } from '../../../src/bytes/send/counted.ts'
import type { TransferRequest } from '../../../src/shares/downloads/counting.ts'

export const kib = 1024
export const totalSize = 10 * 1024 * kib

/** A share with one download, unless the changes say otherwise. */
export function requestOf(
  shareId: string,
  changes: Partial<TransferRequest> = {},
): TransferRequest {
  return {
    share: { id: shareId, passwordVersion: 0, linkId: null, maxDownloads: 1, totalSize },
    target: 'archive',
    targetSize: totalSize,
    firstFileSize: changes.targetSize ?? totalSize,
    range: 'whole',
    etag: '"v1"',
    leaseToken: null,
    newLeaseToken: randomToken(),
    ip: '192.0.2.1',
    userAgent: '',
    ...changes,
  }
}

/** The client disconnected after so many bytes. */
export const left = (covered: number): TransferEnd => ({
  covered,
  taken: covered,
  sent: covered,
  isAbortedByService: false,
})

/** The service could not send the rest. */
export const cut = (covered: number): TransferEnd => ({
  ...left(covered),
  isAbortedByService: true,
})

/** The outcome of a request: 'admitted', or the code of the error. */
export const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'admitted',
    (error: { code: string }) => error.code,
  )
