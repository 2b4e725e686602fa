/** A holder of written bytes that no sync has covered yet. */
export interface Unsynced {
  /** Starts a sync of these bytes, or remembers to do so after a running write. */
  requestSync(): void
}

interface Waiting {
  readonly holder: Unsynced
  readonly bytes: number
  readonly admit: () => void
}

/**
 * Bounds the written but unsynced bytes of the process, so that no sync waits for gigabytes of
 * other requests' pages.
 *
 * From half of the bound on, the holders with most bytes are asked to sync, only as many as needed:
 * a sync costs the same for a few bytes as for many. A slow client that keeps its bytes is asked
 * in its turn. Writes above the bound wait in order of arrival.
 */
export class UnsyncedBytes {
  readonly #bytesMax: number
  readonly #holders = new Map<Unsynced, number>()
  /** Holders whose sync is under way. */
  readonly #asked = new Set<Unsynced>()
  /** One write of a segment writer at most: their number bounds it. */
  readonly #waiting = new Set<Waiting>()
  #bytes = 0
  #askedBytes = 0
  #waitingBytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#bytes
  }

  /**
   * Waits until `bytes` more may be written, then counts them for the holder.
   * @param onCounted called in the same moment
   */
  async add(holder: Unsynced, bytes: number, onCounted: () => void = () => {}): Promise<void> {
    if (this.#waiting.size === 0 && this.#fits(bytes)) {
      this.#count(holder, bytes)
      onCounted()
      this.#ask()
      return
    }
    await new Promise<void>((resolve) => {
      const admit = () => {
        this.#count(holder, bytes)
        onCounted()
        resolve()
      }
      this.#waiting.add({ holder, bytes, admit })
      this.#waitingBytes += bytes
      this.#ask()
    })
  }

  /** Call when a sync or truncation has settled for this many of the holder's bytes. */
  remove(holder: Unsynced, bytes: number): void {
    const before = this.#holders.get(holder) ?? 0
    if (this.#asked.delete(holder)) this.#askedBytes -= before
    if (before > bytes) this.#holders.set(holder, before - bytes)
    else this.#holders.delete(holder)
    this.#bytes -= bytes
    this.#admitWaiting()
    this.#ask()
  }

  #fits(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= this.#bytesMax
  }

  #count(holder: Unsynced, bytes: number): void {
    this.#bytes += bytes
    if (this.#asked.has(holder)) this.#askedBytes += bytes
    this.#holders.set(holder, (this.#holders.get(holder) ?? 0) + bytes)
  }

  #admitWaiting(): void {
    for (const waiting of this.#waiting) {
      if (!this.#fits(waiting.bytes)) return
      this.#waiting.delete(waiting)
      this.#waitingBytes -= waiting.bytes
      waiting.admit()
    }
  }

  /** Leaves as many bytes unasked as fit beside the waiting ones, and at most half of the bound. */
  #ask(): void {
    const left = Math.max(0, Math.min(this.#bytesMax / 2, this.#bytesMax - this.#waitingBytes))
    while (this.#bytes - this.#askedBytes > left) {
      const holder = this.#largestUnasked()
      if (!holder) return
      this.#asked.add(holder)
      this.#askedBytes += this.#holders.get(holder) ?? 0
      holder.requestSync()
    }
  }

  #largestUnasked(): Unsynced | null {
    let largest: Unsynced | null = null
    let most = 0
    for (const [holder, bytes] of this.#holders) {
      if (bytes <= most || this.#asked.has(holder)) continue
      largest = holder
      most = bytes
    }
    return largest
  }
}
