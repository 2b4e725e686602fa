/** A holder of written bytes that no sync has covered yet. */
export interface Unsynced {
  /** Starts a sync of these bytes, unless one is running. */
  requestSync(): void
}

/**
 * Bounds the written but unsynced bytes of the process, so that no sync waits for gigabytes of
 * other requests' pages. When the bound is reached, every holder is asked to sync, because a slow
 * client may otherwise hold its part forever.
 */
export class UnsyncedBytes {
  readonly #bytesMax: number
  readonly #holders = new Map<Unsynced, number>()
  readonly #waiters: (() => void)[] = []
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Waits until `bytes` more may be written, then counts them for the holder. */
  async add(holder: Unsynced, bytes: number): Promise<void> {
    while (this.#bytes > 0 && this.#bytes + bytes > this.#bytesMax) {
      for (const other of this.#holders.keys()) other.requestSync()
      await new Promise<void>((resolve) => {
        this.#waiters.push(resolve)
      })
    }
    this.#bytes += bytes
    this.#holders.set(holder, (this.#holders.get(holder) ?? 0) + bytes)
  }

  /** Call when a sync or truncation has settled for this many of the holder's bytes. */
  remove(holder: Unsynced, bytes: number): void {
    const left = (this.#holders.get(holder) ?? 0) - bytes
    if (left > 0) this.#holders.set(holder, left)
    else this.#holders.delete(holder)
    this.#bytes -= bytes
    for (const wake of this.#waiters.splice(0)) wake()
  }
}
