import { parsePartHeaders, type PartHeaders } from './part-headers.ts'

/** Takes the parts of a multipart body in their order. */
export interface PartsSink {
  open(headers: PartHeaders): void
  /** Takes content of the open part, as a view. A promise requests a pause until it settles. */
  write(data: Buffer): void | Promise<void>
  close(): void
}

/** A body that breaks the syntax of RFC 2046 section 5.1. */
export class MalformedParts extends Error {}

const headerBytesMax = 16 * 1024
const cr = 0x0d
const lf = 0x0a
const tab = 0x09
const blank = 0x20
const dash = 0x2d
const lineEnd = Buffer.from('\r\n')
const headersEnd = Buffer.from('\r\n\r\n')

/**
 * Reads a multipart body (RFC 2046 section 5.1) in pieces of any length: finds the boundaries by
 * `Buffer.indexOf` and passes content on without a copy. What stands before the first boundary and
 * after the last is ignored, and so are blanks behind a boundary (transport-padding).
 */
export class PartsReader {
  readonly #sink: PartsSink
  /** CRLF belongs to a boundary (section 5.1.1), and appears only at its begin. */
  readonly #delimiter: Buffer
  #state: 'content' | 'boundary line' | 'headers' | 'epilogue' = 'content'
  #isInPart = false
  /** Bytes of a delimiter at the end of earlier data. The body begins like a line. */
  #matched = lineEnd.length
  /** Bytes of a boundary line after its delimiter, without padding. */
  #lineRest = ''
  /** Header lines so far, behind the end of the boundary line. */
  #head = lineEnd
  #pause: Promise<void> | null = null

  constructor(boundary: string, sink: PartsSink) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
    this.#sink = sink
  }

  /** @throws MalformedParts; errors of the sink */
  feed(data: Buffer): void | Promise<void> {
    return this.#feedFrom(data, 0)
  }

  /** @throws MalformedParts when the last boundary has not come */
  end(): void {
    if (this.#state !== 'epilogue') throw new MalformedParts('The last boundary is missing.')
  }

  #feedFrom(data: Buffer, start: number): void | Promise<void> {
    for (let at = start; at < data.length;) {
      at = this.#read(data, at)
      if (this.#pause) {
        const pause = this.#pause
        this.#pause = null
        return pause.then(() => this.#feedFrom(data, at))
      }
    }
  }

  /** Reads on from a place; returns the next one. */
  #read(data: Buffer, at: number): number {
    switch (this.#state) {
      case 'content':
        return this.#readContent(data, at)
      case 'boundary line':
        return this.#readBoundaryLine(data, at)
      case 'headers':
        return this.#readHeaders(data, at)
      case 'epilogue':
        return data.length
    }
  }

  #readContent(data: Buffer, at: number): number {
    if (this.#matched > 0) return this.#readEdge(data, at)
    const found = data.indexOf(this.#delimiter, at)
    if (found !== -1) {
      this.#write(data.subarray(at, found))
      this.#endPart()
      return found + this.#delimiter.length
    }
    const end = this.#findBegun(data, at)
    this.#matched = data.length - end
    this.#write(data.subarray(at, end))
    return data.length
  }

  /** Where a delimiter begins whose end has not arrived: only its first byte is CR. */
  #findBegun(data: Buffer, from: number): number {
    const start = Math.max(from, data.length - this.#delimiter.length + 1)
    const at = data.subarray(start).lastIndexOf(cr)
    if (at === -1) return data.length
    const begun = data.subarray(start + at)
    return this.#delimiter.compare(begun, 0, begun.length, 0, begun.length) === 0
      ? start + at
      : data.length
  }

  /** Goes on with a delimiter that began in earlier data. */
  #readEdge(data: Buffer, at: number): number {
    const delimiter = this.#delimiter
    const matched = this.#matched
    const count = Math.min(delimiter.length - matched, data.length - at)
    if (delimiter.compare(data, at, at + count, matched, matched + count) !== 0) {
      this.#matched = 0
      this.#write(delimiter.subarray(0, matched))
      return at
    }
    this.#matched += count
    if (this.#matched === delimiter.length) this.#endPart()
    return at + count
  }

  #write(data: Buffer): void {
    if (!this.#isInPart || data.length === 0) return
    this.#pause = this.#sink.write(data) ?? null
  }

  #endPart(): void {
    if (this.#isInPart) this.#sink.close()
    this.#isInPart = false
    this.#matched = 0
    this.#lineRest = ''
    this.#state = 'boundary line'
  }

  /** Reads a byte of what follows a delimiter: padding and CRLF, or `--` after the last part. */
  #readBoundaryLine(data: Buffer, at: number): number {
    const byte = data[at]!
    const rest = this.#lineRest
    const isPadding = (byte === blank || byte === tab) && (rest === '' || rest === ' ')
    if (isPadding) this.#lineRest = ' '
    else if (byte === dash && rest === '') this.#lineRest = '-'
    else if (byte === dash && rest === '-') this.#state = 'epilogue'
    else if (byte === cr && (rest === '' || rest === ' ')) this.#lineRest = '\r'
    else if (byte === lf && rest === '\r') this.#state = 'headers'
    else throw new MalformedParts('A boundary is followed by other characters.')
    return at + 1
  }

  #readHeaders(data: Buffer, at: number): number {
    // Most often all header lines of a part are in one piece.
    const end = this.#head === lineEnd ? data.indexOf(headersEnd, at) : -1
    const isWhole = end !== -1 && end - at <= headerBytesMax && data[at] !== cr
    if (isWhole) {
      this.#open(data.subarray(at, end))
      return end + headersEnd.length
    }
    const before = this.#head.length
    const head = Buffer.concat([this.#head, data.subarray(at, at + headerBytesMax)])
    const found = head.indexOf(headersEnd, Math.max(0, before - headersEnd.length))
    if ((found === -1 ? head.length : found) > headerBytesMax) {
      throw new MalformedParts('The headers of a part are too long.')
    }
    this.#head = head
    if (found === -1) return data.length
    this.#head = lineEnd
    this.#open(head.subarray(lineEnd.length, found))
    return at + found + headersEnd.length - before
  }

  #open(block: Buffer): void {
    const headers = parsePartHeaders(block)
    if (!headers) throw new MalformedParts('The headers of a part are malformed.')
    this.#state = 'content'
    this.#isInPart = true
    this.#sink.open(headers)
  }
}
