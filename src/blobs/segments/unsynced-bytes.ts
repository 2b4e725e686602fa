/** Something that has written bytes which no sync has covered yet. */
export interface Unsynced {
  /** Starts a sync of what it has written, unless one runs already. */
  requestSync(): void
}

/**
 * Bounds the bytes that the process has written and not synced, so that no sync ever has to wait
 * for gigabytes of somebody else's pages. When the bound is reached, everybody who holds some is
 * asked to sync: a slow client may hold its part for ever otherwise.
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

  /** Waits until `bytes` more may be written, and counts them to the holder. */
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

  /** A sync (or a truncation) has settled for this many of the holder's bytes. */
  remove(holder: Unsynced, bytes: number): void {
    const left = (this.#holders.get(holder) ?? 0) - bytes
    if (left > 0) this.#holders.set(holder, left)
    else this.#holders.delete(holder)
    this.#bytes -= bytes
    for (const wake of this.#waiters.splice(0)) wake()
  }
}
