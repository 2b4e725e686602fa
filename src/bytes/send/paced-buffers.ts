import type { TransferPermit } from './buffer-budget.ts'

const bufferBytesMax = 512 * 1024
export const bufferBytesMin = 16 * 1024
/** From this size on two buffers take turns. */
const pairedBytesMin = 128 * 1024
/** A buffer holds what the client drains in this time. */
const drainMs = 250

/** The buffer size that suits a client, by how fast it drained the last one. */
export class Pace {
  bufferBytes: number

  constructor(firstBytes: number) {
    this.bufferBytes = firstBytes
  }

  get readsAhead(): boolean {
    return this.bufferBytes >= pairedBytesMin
  }

  drained(bytes: number, ms: number): void {
    const target = (bytes / Math.max(ms, 1)) * drainMs
    const most = Math.min(bufferBytesMax, this.bufferBytes * 4)
    let next = bufferBytesMin
    while (next * 2 <= Math.min(target, most)) next *= 2
    this.bufferBytes = next
  }
}

/** Two buffers of any size, counted by the transfer's permit. */
export class BufferPair {
  readonly #permit: Pick<TransferPermit, 'resize'>
  #current: Buffer = Buffer.alloc(0)
  #other: Buffer = Buffer.alloc(0)

  constructor(permit: Pick<TransferPermit, 'resize'>) {
    this.#permit = permit
  }

  /** A transfer that was granted only a small buffer does with one. */
  get mayTakeTurns(): boolean {
    return this.#current.length >= pairedBytesMin / 2
  }

  /**
   * The buffer to fill next.
   * @param bytesMax its size limit; it must hold `bytesWanted`
   * @param takesTurns whether the last returned buffer still drains; otherwise that one is reused
   */
  next(bytesMax: number, bytesWanted: number, takesTurns: boolean): Buffer {
    const last = this.#current
    if (takesTurns) {
      this.#current = this.#other
      this.#other = last
    } else {
      this.#other = this.#resize(this.#other, 0)
    }
    const bytes = Math.min(bytesMax, bytesWanted)
    const isFitting = this.#current.length >= bytes && this.#current.length <= bytesMax
    if (!isFitting) this.#current = this.#resize(this.#current, bytes)
    return this.#current.subarray(0, bytes)
  }

  release(): void {
    this.#current = this.#resize(this.#current, 0)
    this.#other = this.#resize(this.#other, 0)
  }

  #resize(buffer: Buffer, bytes: number): Buffer {
    const granted = this.#permit.resize(buffer.length, bytes)
    return granted === buffer.length ? buffer : Buffer.allocUnsafeSlow(granted)
  }
}
