import { CodedError } from '../../lib/errors.ts'
import type { ListedFile } from './finalize-body.ts'

const reportedMax = 100

/** A run of chunk indexes that has not arrived; without `to` the end is not known. */
export interface MissingRange {
  readonly fileId: string
  readonly from: number
  readonly to?: number
  /** Bytes that are missing at the end of the file. */
  readonly bytes?: number
}

/** What has arrived of a file, as far as its proof needs it. */
export interface ArrivedFile {
  bytes: number
  /** Behind the last chunk that has arrived. */
  nextIndex: number
  hasHoles: boolean
}

/** Collects what speaks against the list: at most 100 entries of each kind. */
export class Proof {
  static readonly reportedMax = reportedMax
  readonly #holes: MissingRange[] = []
  readonly #ends: MissingRange[] = []
  #mismatch: CodedError | null = null

  /** Whether nothing speaks against the list so far. */
  get isSound(): boolean {
    return this.#holes.length === 0 && this.#ends.length === 0 && this.#mismatch === null
  }

  /** Whether nothing that is still to come would be reported. */
  get isFull(): boolean {
    return this.#holes.length >= reportedMax
  }

  /** Takes a chunk before it is added to its file; those of a file come in their order. */
  takeChunk(chunk: { readonly fileKey: string; readonly index: number }, file: ArrivedFile): void {
    if (chunk.index <= file.nextIndex) return
    file.hasHoles = true
    if (this.isFull) return
    this.#holes.push({ fileId: chunk.fileKey, from: file.nextIndex, to: chunk.index - 1 })
  }

  /** Takes a file of the list when all of its chunks were taken. */
  takeFile({ fileKey, size }: ListedFile, { bytes, nextIndex, hasHoles }: ArrivedFile): void {
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

  /** @throws CodedError naming the first kind of thing that is wrong */
  check(): void {
    const missing = [...this.#holes.toSorted(byFile), ...this.#ends].slice(0, reportedMax)
    if (missing.length > 0) throw new CodedError('incomplete_upload', { details: { missing } })
    if (this.#mismatch) throw this.#mismatch
  }
}

/** In the order of file ids, as the list of received chunks has them; those of a file stay. */
function byFile(one: MissingRange, other: MissingRange): number {
  return Buffer.compare(Buffer.from(one.fileId), Buffer.from(other.fileId))
}
