const tab = 0x09
const blank = 0x20

/**
 * Removes spaces and tabs after boundaries, which a client may send (RFC 2046 section 5.1.1,
 * transport-padding) and busboy does not know. Everything else passes uncopied. After a first
 * boundary without padding the rest is not searched, because a client writes all boundaries alike.
 */
export class BoundaryPadding {
  readonly #delimiter: Buffer
  /** The last bytes, one less than a delimiter has. A body begins like a line. */
  #tail = Buffer.from('\r\n')
  /** Whether the next bytes follow a boundary, with only padding in between. */
  #isBehind = false
  /** Whether the client pads; null before the first boundary. */
  #isPadded: boolean | null = null

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`)
  }

  /** The data without padding: most often a single piece. */
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

  /** The end of the first delimiter, which may have begun in earlier data. */
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
