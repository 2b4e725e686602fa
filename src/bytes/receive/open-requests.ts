/** A request that brings bytes now. */
export interface OpenRequest {
  /** Bytes of a chunk that is not stored yet. */
  received(bytes: number): void
  /** Call it once. */
  end(): void
}

/**
 * The requests that bring bytes now, by container. They are those of this process: bytes that
 * another process receives are known once they are committed.
 */
export class OpenRequests {
  readonly #containers = new Map<string, { requests: number; bytes: number }>()

  add(containerId: string): OpenRequest {
    const all = this.#containers.get(containerId) ?? { requests: 0, bytes: 0 }
    this.#containers.set(containerId, all)
    all.requests += 1
    let own = 0
    return {
      received(bytes) {
        own += bytes
        all.bytes += bytes
      },
      end: () => {
        all.requests -= 1
        all.bytes -= own
        if (all.requests === 0) this.#containers.delete(containerId)
      },
    }
  }

  has(containerId: string): boolean {
    return this.#containers.has(containerId)
  }

  /** Received bytes of chunks that are not stored yet. */
  bytesOf(containerId: string): number {
    return this.#containers.get(containerId)?.bytes ?? 0
  }
}
