/** Up to this limit each token has its own entry. */
const exactLimitMax = 100

/** Above it, a window is divided into this many parts. */
const subWindows = 60

/**
 * Tokens of one key, each of which returns one window after it was taken:
 *
 *     takenMs   12  340  905     oldest first
 *     counts     1    4    2     null while each entry is one token
 *
 * Up to 100 tokens there is one entry per token, and a token returns exactly on time. Above, the
 * tokens taken in one sixtieth of a window share an entry, and return together one window after the
 * last of them: late by less than a sixtieth, never early.
 *
 * Memory: at most 100 entries of 8 bytes, or 61 of 16. The arrays are replaced by `concat` rather
 * than grown (push, spread), because growing reserves 17 entries at once, and most keys only ever
 * have one: measured, 20,000 keys with one take 5 MB instead of 12.
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
   * Returns the oldest token still out, whichever was meant: the remaining ones count as taken no
   * earlier than they were, so no window admits too many.
   */
  refund(nowMs: number): void {
    this.#expire(nowMs)
    if (this.#used === 0) return
    this.#used -= 1
    const oldestCount = this.#counts?.[0] ?? 1
    if (this.#counts !== null && oldestCount > 1) this.#counts[0] = oldestCount - 1
    else this.#dropOldest(1)
  }

  /** Milliseconds until the next token returns; 0 when none is out. */
  nextTokenMs(nowMs: number): number {
    return this.#untilReturn(this.#takenMs[0], nowMs)
  }

  /** Milliseconds until all tokens have returned. */
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
