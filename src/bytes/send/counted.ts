import type { ByteRange } from '../../http/range.ts'

/** Sent bytes may still be in a kernel when a client loses its connection: not much more. */
export const bufferedBytesMax = 8 * 1024 * 1024

/** The part of a content that a request asks for. */
export interface AskedPart {
  readonly range: ByteRange | 'whole'
  /** Bytes of the whole content. */
  readonly targetSize: number
  /** Bytes of the first file in it: see `Content`. */
  readonly firstFileSize: number
  /** ETag of the current content. */
  readonly etag: string
  /** The client asked for the rest of another version, and gets everything. */
  readonly isRestart?: boolean
}

/** Permission to begin a transfer. */
export interface GrantedTransfer {
  readonly downloadId: string
  /** What to send: a range that no lease covers is answered with the whole target. */
  readonly range: ByteRange | 'whole'
  /** Set when this request was counted: the token for the lease cookie. */
  readonly newLease: string | null
}

/** How a transfer ended. */
export interface TransferEnd {
  /** Requested bytes that were sent. */
  readonly covered: number
  /** The same, with the write that was cut off: the client may have got all of it. */
  readonly taken: number
  /** Bytes on the wire, which differ when they were compressed. */
  readonly sent: number
  /** The service could not send the rest, while the client was still connected. */
  readonly isAbortedByService: boolean
}

/** Decides what the download of one request costs, and records it: `Counting` of shares. */
export interface CountedDownload {
  /** Admits a transfer whose first bytes are ready. */
  begin(asked: AskedPart): Promise<GrantedTransfer>
  /** For HEAD: refuses what `begin` would refuse at the limit, and counts nothing. */
  check(asked: AskedPart): Promise<void>
  /**
   * Whether a client that asks for the rest from `start` on, without If-Range, may have the bytes
   * before from another version: it would join both.
   */
  goesOnFromOther(etag: string, start: number): Promise<boolean>
  /** Call when a transfer has ended, in any way. */
  settle(asked: AskedPart, granted: GrantedTransfer, ended: TransferEnd): Promise<void>
  leaseCookie(): string
}

/** Whether a transfer begins with the first byte because the client wants it. */
export function isStart({
  range,
  isRestart = false,
}: Pick<AskedPart, 'range' | 'isRestart'>): boolean {
  return !isRestart && (range === 'whole' || range.start === 0)
}
