/** Reads a chunked body (RFC 9112, 7.1): hands on its content, and finds its end. */
export class ChunkedBody {
  readonly #onContent: (data: Buffer) => void
  #left = 0
  #line = ''
  #isInTrailer = false

  constructor(onContent: (data: Buffer) => void) {
    this.#onContent = onContent
  }

  /** Returns true once the body is complete. */
  take(data: Buffer): boolean {
    let at = 0
    while (at < data.length) {
      if (this.#left > 0) {
        const count = Math.min(this.#left, data.length - at)
        this.#onContent(data.subarray(at, at + count))
        this.#left -= count
        at += count
        continue
      }
      const end = data.indexOf('\n', at)
      const next = end < 0 ? data.length : end + 1
      this.#line += data.toString('latin1', at, next)
      at = next
      if (end >= 0 && this.#takeLine()) return true
    }
    return false
  }

  #takeLine(): boolean {
    const line = this.#line.trim()
    this.#line = ''
    if (this.#isInTrailer) return line === ''
    // The line end behind a chunk.
    if (line === '') return false
    this.#left = Number.parseInt(line, 16)
    if (!(this.#left >= 0)) throw new Error(`no size of a chunk: ${line}`)
    this.#isInTrailer = this.#left === 0
    return false
  }
}
