// A client's record of everything it has sent: what was acknowledged, and what was requested
// without an answer. After a fault the service must agree with it.
import { randomContent } from '../../helpers/client.ts'

const poolBytes = 16 * 1024 * 1024
const pool = randomContent(poolBytes, 'the bytes of all files')

/** Bytes of a chunk, identified by their place in the pool. */
export interface Version {
  readonly from: number
  readonly length: number
}

export const lengthMax = poolBytes / 2

export function bytesOf({ from, length }: Version): Buffer {
  return pool.subarray(from, from + length)
}

export interface Chunk {
  readonly length: number
  /** Possible contents: the bytes acknowledged last, and those sent since without an answer. */
  tried: Version[]
  isAcknowledged: boolean
}

export interface SentFile {
  readonly fileId: string
  readonly name: string
  readonly chunks: Chunk[]
}

export function sizeOf(file: SentFile): number {
  return file.chunks.reduce((sum, chunk) => sum + chunk.length, 0)
}

export type Question = 'finalize' | 'delete' | 'start adding'

/** A holder of files: a share, or one guest's delivery. */
export interface Holder {
  readonly kind: 'share' | 'delivery'
  /** The id of the share; of a delivery once it was listed. */
  id: string
  readonly name: string
  /** The token of a guest. */
  readonly token: string
  state: 'draft' | 'complete' | 'adding' | 'gone'
  sending: SentFile[]
  files: SentFile[]
  /** Requested without an answer. */
  question: Question | null
  /** The file whose removal had no answer. */
  removing: string | null
  isBusy: boolean
}

export class Ledger {
  holders: Holder[] = []
  /** Contents of shares requested as copies of deliveries, by name. */
  readonly copies = new Map<string, SentFile[]>()
  #names = 0

  newName(what: string): string {
    this.#names += 1
    return `${what}-${this.#names}`
  }

  add(holder: Pick<Holder, 'kind' | 'id' | 'name'> & Partial<Holder>): Holder {
    const full: Holder = {
      token: '',
      state: 'draft',
      sending: [],
      files: [],
      question: null,
      removing: null,
      isBusy: false,
      ...holder,
    }
    this.holders.push(full)
    return full
  }

  /** After a fault that no request survives. */
  freeAll(): void {
    for (const holder of this.holders) holder.isBusy = false
  }

  forgetGone(): void {
    this.holders = this.holders.filter(({ state }) => state !== 'gone')
  }
}
