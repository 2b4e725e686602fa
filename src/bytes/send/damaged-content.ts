import { isSystemError } from '../../lib/errors.ts'
import { isLost } from '../segments/segment-files.ts'

/** Bytes of a file and their place. */
export interface FileBytes {
  readonly fileId: number
  readonly segmentId: string
  readonly position: number
  readonly length: number
}

/**
 * Bytes of a file differ from those received, so none of them are sent. Without a cause their
 * checksum is wrong, which is proof; with a cause it must still be examined whether they are lost.
 */
export class DamagedContent extends Error {
  readonly fileId: number
  /** Null when unknown. */
  readonly segmentId: string | null
  /** The bytes that could not be read. */
  readonly bytes: FileBytes | null

  constructor(
    fileId: number,
    segmentId: string | null,
    cause?: unknown,
    bytes: FileBytes | null = null,
  ) {
    const what = bytes ? 'could not be read' : 'have changed on disk'
    super(`the bytes of file ${fileId} ${what}`, { cause })
    this.fileId = fileId
    this.segmentId = segmentId
    this.bytes = bytes
  }
}

/**
 * The error for bytes that could not be read: DamagedContent when they may be lost. Other errors
 * say nothing about the bytes: too many open files, no memory, no permission.
 */
export function blame({ fileId, segmentId, position, length }: FileBytes, error: unknown): unknown {
  return isLost(error) || isSystemError(error, 'EIO')
    ? new DamagedContent(fileId, segmentId, error, { fileId, segmentId, position, length })
    : error
}
