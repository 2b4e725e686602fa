import { randomFillSync } from 'node:crypto'

const blockBytes = 1024 * 1024

/** Random bytes made once; bodies of any length are lists of views of them. */
export class Payload {
  readonly #block = randomFillSync(Buffer.allocUnsafeSlow(blockBytes))

  buffers(length: number): Buffer[] {
    const list = Array.from({ length: Math.floor(length / blockBytes) }, () => this.#block)
    const rest = length % blockBytes
    return rest > 0 ? [...list, this.#block.subarray(0, rest)] : list
  }
}
