import { inOrder, Permits } from '../../lib/permits.ts'

/** A few buffers for short work: each lent to one task, in the order of requests. */
export class ScratchBuffers {
  readonly #bytes: number
  readonly #idle: Buffer[] = []
  readonly #permits: Permits

  /** @param count buffers that may be lent at the same time; more tasks wait */
  constructor(bytes: number, count: number) {
    this.#bytes = bytes
    this.#permits = new Permits(inOrder(count))
  }

  /** @throws CodedError unavailable when too many wait; errors of the task */
  use<T>(task: (buffer: Buffer) => Promise<T>): Promise<T> {
    return this.#permits.run(async () => {
      const buffer = this.#idle.pop() ?? Buffer.allocUnsafeSlow(this.#bytes)
      try {
        return await task(buffer)
      } finally {
        this.#idle.push(buffer)
      }
    })
  }
}
