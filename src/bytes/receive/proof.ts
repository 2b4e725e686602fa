import { CodedError } from '../../lib/errors.ts'
import type { ListedFile } from './finalize-body.ts'

const reportedMax = 100

/** A range of missing chunk indexes; without `to` its end is unknown. */
export interface MissingRange {
  readonly fileId: string
  readonly from: number
  readonly to?: number
  /** Bytes missing at the end of the file. */
  readonly bytes?: number
}

/** Received chunks of a file, as far as its proof needs them. */
export interface ProvedFile {
  bytes: number
  /** Index after the last received chunk. */
  nextIndex: number
  hasHoles: boolean
}

/** Collects faults of the list: at most 100 of each kind. */
export class Proof {
  static readonly reportedMax = reportedMax
  readonly #holes: MissingRange[] = []
  readonly #ends: MissingRange[] = []
  #mismatch: CodedError | null = null

  /** Whether the list has no fault so far. */
  get isSound(): boolean {
    return this.#holes.length === 0 && this.#ends.length === 0 && this.#mismatch === null
  }

  /** Whether further faults would not be reported. */
  get isFull(): boolean {
    return this.#holes.length >= reportedMax
  }

  /** Takes a chunk before it is added to its file. Chunks of a file come in order. */
  takeChunk(chunk: { readonly fileKey: string; readonly index: number }, file: ProvedFile): void {
    if (chunk.index <= file.nextIndex) return
    file.hasHoles = true
    if (this.isFull) return
    this.#holes.push({ fileId: chunk.fileKey, from: file.nextIndex, to: chunk.index - 1 })
  }

  /** Takes a file of the list after all of its chunks. */
  takeFile({ fileKey, size }: ListedFile, { bytes, nextIndex, hasHoles }: ProvedFile): void {
    if (bytes < size) {
      if (hasHoles || this.#ends.length >= reportedMax) return
      this.#ends.push({ fileId: fileKey, from: nextIndex, bytes: size - bytes })
    } else if (bytes > size) {
      this.#mismatch ??= new CodedError('size_mismatch', {
        message: `${fileKey}: ${bytes} bytes were received, but its size is given as ${size}.`,
        details: { fileId: fileKey, received: bytes, size },
      })
    }
  }

  /** @throws CodedError for the first kind of fault */
  check(): void {
    const missing = [...this.#holes.toSorted(byFile), ...this.#ends].slice(0, reportedMax)
    if (missing.length > 0) throw new CodedError('incomplete_upload', { details: { missing } })
    if (this.#mismatch) throw this.#mismatch
  }
}

/** Sorts by file id, like the list of received chunks; entries of one file keep their order. */
function byFile(one: MissingRange, other: MissingRange): number {
  return Buffer.compare(Buffer.from(one.fileId), Buffer.from(other.fileId))
}
