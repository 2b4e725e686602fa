/** Up to this limit each token is remembered by itself. */
const exactLimitMax = 100

/** Above it, tokens are remembered in this many parts of a window. */
const subWindows = 60

/**
 * Tokens of one key, each of which comes back one window after it was taken:
 *
 *     takenMs   12  340  905     oldest first
 *     counts     1    4    2     null while each entry is one token
 *
 * Up to 100 tokens there is one entry a token, and a token comes back to the moment. Above, the
 * tokens taken in one sixtieth of a window share an entry, and come back together one window after
 * the last of them: later than due by less than a sixtieth, never earlier.
 *
 * Memory: at most 100 entries of 8 bytes, or 61 of 16. The arrays are replaced by
 * `concat` rather than grown (push, spread), because growing reserves 17 entries at once, and most
 * keys only ever have one: measured, 20,000 such keys take 5 MB instead of 12.
 */
export class TokenBucket {
  readonly #limit: number
  readonly #windowMs: number
  #takenMs: number[] = []
  #counts: number[] | null
  #used = 0

  constructor(limit: number, windowMs: number) {
    this.#limit = limit
    this.#windowMs = windowMs
    this.#counts = limit <= exactLimitMax ? null : []
  }

  remaining(nowMs: number): number {
    this.#expire(nowMs)
    return this.#limit - this.#used
  }

  /** False when there is no token to take. */
  take(nowMs: number): boolean {
    if (this.remaining(nowMs) === 0) return false
    const newest = this.#takenMs.length - 1
    if (this.#counts !== null && this.#isSameSubWindow(this.#takenMs[newest], nowMs)) {
      this.#takenMs[newest] = nowMs
      this.#counts[newest] = (this.#counts[newest] ?? 0) + 1
    } else {
      this.#takenMs = this.#takenMs.concat(nowMs)
      this.#counts = this.#counts && this.#counts.concat(1)
    }
    this.#used += 1
    return true
  }

  /**
   * Gives back the oldest token still out: whichever was meant, those that stay are remembered as
   * taken no earlier than they were, so no window admits too many.
   */
  refund(nowMs: number): void {
    this.#expire(nowMs)
    if (this.#used === 0) return
    this.#used -= 1
    const oldestCount = this.#counts?.[0] ?? 1
    if (this.#counts !== null && oldestCount > 1) this.#counts[0] = oldestCount - 1
    else this.#dropOldest(1)
  }

  /** Milliseconds until a token comes back; 0 when all are here. */
  nextTokenMs(nowMs: number): number {
    return this.#untilReturn(this.#takenMs[0], nowMs)
  }

  /** Milliseconds until all tokens are back. */
  allTokensMs(nowMs: number): number {
    return this.#untilReturn(this.#takenMs.at(-1), nowMs)
  }

  #untilReturn(takenMs: number | undefined, nowMs: number): number {
    return takenMs === undefined ? 0 : Math.max(0, takenMs + this.#windowMs - nowMs)
  }

  #isSameSubWindow(takenMs: number | undefined, nowMs: number): boolean {
    if (takenMs === undefined) return false
    const subWindowMs = this.#windowMs / subWindows
    return Math.floor(takenMs / subWindowMs) === Math.floor(nowMs / subWindowMs)
  }

  #expire(nowMs: number): void {
    let expired = 0
    for (const takenMs of this.#takenMs) {
      if (takenMs + this.#windowMs > nowMs) break
      this.#used -= this.#counts?.[expired] ?? 1
      expired += 1
    }
    if (expired > 0) this.#dropOldest(expired)
  }

  #dropOldest(entries: number): void {
    this.#takenMs = this.#takenMs.slice(entries)
    this.#counts = this.#counts && this.#counts.slice(entries)
  }
}
