const tab = 0x09
const blank = 0x20

/**
 * Removes blanks and tabs behind boundaries, which a client may send (RFC 2046 section 5.1.1,
 * transport-padding) and busboy does not know. Everything else passes as it is, uncopied, and is
 * not searched once the first boundary has none: a client writes all of them alike.
 */
export class BoundaryPadding {
  readonly #delimiter: Buffer
  /** What came last, one byte less than a delimiter has. A body begins like a line. */
  #tail = Buffer.from('\r\n')
  /** Whether what comes next stands behind a boundary, with nothing but padding between. */
  #isBehind = false
  /** Whether the client pads; null until the first boundary shows it. */
  #isPadded: boolean | null = null

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`)
  }

  /** The pieces of the data that are no padding: most often just the data. */
  *remove(data: Buffer): Generator<Buffer> {
    if (this.#isPadded === false) return yield data
    let start = 0
    let behind = this.#isBehind ? 0 : this.#findEnd(data)
    while (behind !== null) {
      let end = behind
      while (data[end] === blank || data[end] === tab) end += 1
      if (end > behind) {
        if (behind > start) yield data.subarray(start, behind)
        start = end
      }
      this.#isBehind = end === data.length
      if (end > behind) this.#isPadded = true
      else if (!this.#isBehind) this.#isPadded ??= false
      if (this.#isPadded === false) break
      const next = data.indexOf(this.#delimiter, end)
      behind = next === -1 ? null : next + this.#delimiter.length
    }
    this.#keepTail(data)
    if (start < data.length) yield data.subarray(start)
  }

  /** Where the first delimiter ends; it may have begun in the data before. */
  #findEnd(data: Buffer): number | null {
    const { length } = this.#delimiter
    const edge = Buffer.concat([this.#tail, data.subarray(0, length - 1)])
    const atEdge = edge.indexOf(this.#delimiter)
    if (atEdge !== -1) return atEdge + length - this.#tail.length
    const at = data.indexOf(this.#delimiter)
    return at === -1 ? null : at + length
  }

  #keepTail(data: Buffer): void {
    const kept = this.#delimiter.length - 1
    const all = data.length >= kept ? data : Buffer.concat([this.#tail, data])
    this.#tail = Buffer.from(all.subarray(Math.max(all.length - kept, 0)))
  }
}
