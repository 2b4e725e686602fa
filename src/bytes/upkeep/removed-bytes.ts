const rememberedMax = 4096

/**
 * Segments and containers that this process has removed lately. A removal waits for the transfers
 * that are known; one that planned with these bytes before, and is known only now, must plan again.
 */
export class RemovedBytes {
  /** Oldest first. */
  readonly #ids = new Set<string>()

  /** Call in the same tick in which no transfer reads them. */
  add(id: string): void {
    this.#ids.add(id)
    if (this.#ids.size <= rememberedMax) return
    for (const oldest of this.#ids) return void this.#ids.delete(oldest)
  }

  /** @param segments each with its container */
  includesAnyOf(segments: ReadonlyMap<string, string>): boolean {
    if (this.#ids.size === 0) return false
    for (const [segmentId, containerId] of segments) {
      if (this.#ids.has(segmentId) || this.#ids.has(containerId)) return true
    }
    return false
  }
}
