import { isSystemError } from '../../lib/errors.ts'
import { isLost } from '../segments/segment-files.ts'

/** Bytes of a file, where they lie. */
export interface FileBytes {
  readonly fileId: number
  readonly segmentId: string
  readonly position: number
  readonly length: number
}

/**
 * A file's bytes are not what was received: nothing of them is sent. Without a cause their checksum
 * is wrong, which is proof; with one it has still to be found out whether they are lost.
 */
export class DamagedContent extends Error {
  readonly fileId: number
  /** Null where it is not known. */
  readonly segmentId: string | null
  /** What could not be read. */
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
 * What is to be thrown when bytes could not be read: DamagedContent when they may be lost. Any
 * other error says nothing about them: too many open files, no memory, no permission.
 */
export function blame({ fileId, segmentId, position, length }: FileBytes, error: unknown): unknown {
  return isLost(error) || isSystemError(error, 'EIO')
    ? new DamagedContent(fileId, segmentId, error, { fileId, segmentId, position, length })
    : error
}
