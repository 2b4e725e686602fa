import busboy from 'busboy'
import { MIMEType } from 'node:util'
import { CodedError } from '../lib/errors.ts'
import { feedBody, GatheredBytes } from './body.ts'
import type { RequestContext } from './request-context.ts'

export interface MultipartSpec {
  /** Name of the part that carries the bytes. */
  readonly file: string
  readonly fileBytesMax: number
  /** Names of the text parts to keep. Other parts are read and discarded. */
  readonly fields: readonly string[]
  /** Takes the bytes of the file part. A promise requests a pause until it settles. */
  readonly write: (data: Buffer) => void | Promise<void>
  /** Called once, before the first byte of the file part, with the fields that came before it. */
  readonly onFile?: (fields: ReadonlyMap<string, string>) => void
  /** Sees every byte of the body, for a digest over all of it. */
  readonly onBody?: (data: Buffer) => void
}

/** Limit for known fields: a file name may be as long as in the list of finalize. */
export const fieldBytesMax = 64 * 1024
const allFieldsBytesMax = 128 * 1024
const partsMax = 40
/** Limit for the headers of all parts together. */
const headBytesMax = 16 * 1024
const headLinesMax = 32
/** busboy takes long for each write and keeps an object for it: small pieces go together. */
const pieceBytesMin = 16 * 1024
/** Bytes beside the file: other parts, headers, boundaries. */
export const multipartOverheadMax = 1024 * 1024

const cr = 0x0d
const lineEnd = Buffer.from('\r\n')
const headEnd = Buffer.from('\r\n\r\n')
/** RFC 2046 section 5.1.1 allows 70 of fewer characters. */
const boundaryPattern = /^[\x20\x21\x23-\x5b\x5d-\x7e]{1,200}$/
/** Up to the end of the line, or to a name that ends it: the name of a file may hold anything. */
const fileNameParameter =
  /;[ \t]*filename\*?[ \t]*=[^]*?(?=;[ \t]*name=(?:"[^"]*"|[^\s";]+)[ \t]*$|$)/i
const nameParameter = /;[ \t]*name[ \t]*=(?:"([^"]*)"|([^\s";]+))?/gi

/**
 * Reads a multipart/form-data body (RFC 7578) with parts in any order, and hands the file part's
 * bytes on. Resolves once the last boundary and the whole request have been seen.
 * @returns the known text fields by name; duplicates are refused
 * @throws CodedError invalid_content_type, invalid_multipart, payload_too_large, incomplete_body,
 *   invalid_input (no file part); errors of `write`
 */
export async function readMultipart(
  context: RequestContext,
  spec: MultipartSpec,
): Promise<Map<string, string>> {
  const form = new Form(spec, boundaryOf(context.header('content-type') ?? ''))
  await feedBody(context, spec.fileBytesMax + multipartOverheadMax, (data) => {
    spec.onBody?.(data)
    return form.feed(data)
  })
  return form.end()
}

/** @throws CodedError invalid_content_type, invalid_multipart */
function boundaryOf(contentType: string): string {
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType)) {
    throw new CodedError('invalid_content_type', {
      message: 'Send the chunk as multipart/form-data.',
    })
  }
  const boundary = typeParameter(contentType, 'boundary')?.trimEnd() ?? ''
  if (boundaryPattern.test(boundary)) return boundary
  throw invalid('The Content-Type has no valid boundary.')
}

/**
 * One form: busboy reads headers and fields. The bytes of the file bypass it, because its search
 * and its streams take twice the time. Parts without a valid name and content behind a boundary
 * are refused here, because busboy drops them silently.
 */
class Form {
  readonly #spec: MultipartSpec
  readonly #parser: busboy.Busboy
  /** CRLF belongs to a boundary (RFC 2046 section 5.1.1), and appears only at its start. */
  readonly #delimiter: Buffer
  readonly #fields = new Map<string, string>()
  /** Headers, fields and delimiters that busboy gets with its next write. */
  readonly #unparsed = new GatheredBytes()
  /** The charset of each part so far; null for none. */
  readonly #charsets: (string | null)[] = []
  #place: 'preamble' | 'head' | 'field' | 'file' | 'other file' | 'epilogue' = 'preamble'
  /** End of earlier data: an unfinished head or boundary. The body begins like a line. */
  #held: Buffer = lineEnd
  /** Whether the CRLF of the blank line comes before the content. */
  #isBehindHead = false
  #parts = 0
  #reported = 0
  #headBytes = 0
  #fileBytes = 0
  #fieldBytes = 0
  #sawFile = false
  #failure: unknown = null

  constructor(spec: MultipartSpec, boundary: string) {
    this.#spec = spec
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
    this.#parser = busboy({
      headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
      // Fields come as bytes: busboy would replace what is not text.
      defCharset: 'latin1',
      // A field that reaches its limit is truncated, and begins with one more byte: see #openPart.
      limits: { files: 1, fields: partsMax, parts: partsMax + 1, fieldSize: fieldBytesMax + 2 },
    })
    const fail = (message: string) => () => {
      this.#failure ??= invalid(message)
    }
    this.#parser
      .on('file', (name: string | undefined, stream) => {
        stream.on('error', () => {})
        this.#takeFile(name)
      })
      .on('field', (name: string | undefined, value, info) => {
        this.#takeField(name, value.slice(1), info.valueTruncated)
      })
      .on('filesLimit', fail('Only one file part is allowed.'))
      .on('fieldsLimit', fail('Too many parts.'))
      .on('partsLimit', fail('Too many parts.'))
      .on('error', fail('The headers of a part are malformed.'))
  }

  /** @throws CodedError invalid_multipart, payload_too_large; errors of `write` */
  feed(data: Buffer): void | Promise<void> {
    let rest = this.#held.length > 0 ? Buffer.concat([this.#held, data]) : data
    this.#held = rest.subarray(rest.length)
    while (rest.length > 0 && this.#place !== 'epilogue') {
      if (this.#place === 'head') {
        const end = rest.indexOf(headEnd)
        if (this.#headBytes + (end === -1 ? rest.length : end) > headBytesMax) {
          throw invalid('The headers of the parts are too long.')
        }
        if (end === -1) {
          this.#held = rest
          return
        }
        this.#openPart(rest.subarray(0, end))
        // The blank line may already begin a boundary: then the part is empty.
        rest = rest.subarray(end + headEnd.length - lineEnd.length)
        continue
      }
      const found = rest.indexOf(this.#delimiter)
      const end = found === -1 ? this.#findBegun(rest) : found
      const wait = this.#takeContent(rest.subarray(0, end))
      rest = rest.subarray(end)
      if (found === -1 || rest.length < this.#delimiter.length + 2) {
        this.#held = rest
        return wait
      }
      // Not before `write` is done, which may still fail.
      if (wait) return wait.then(() => this.feed(rest))
      this.#closePart(rest.toString('latin1', this.#delimiter.length, this.#delimiter.length + 2))
      rest = rest.subarray(this.#delimiter.length)
    }
  }

  /** @throws CodedError invalid_multipart, invalid_input */
  end(): Map<string, string> {
    if (this.#place !== 'epilogue') throw invalid('The last boundary is missing.')
    if (this.#sawFile) return this.#fields
    throw new CodedError('invalid_input', {
      message: `${this.#spec.file}: is required`,
      details: { field: this.#spec.file },
    })
  }

  /** Where a delimiter begins whose end has not arrived; else the end. */
  #findBegun(data: Buffer): number {
    const tail = data.subarray(-this.#delimiter.length + 1)
    const at = tail.lastIndexOf(cr)
    const begun = tail.subarray(at)
    const isBegun = at !== -1 && this.#delimiter.subarray(0, begun.length).equals(begun)
    return isBegun ? data.length - begun.length : data.length
  }

  #takeContent(found: Buffer): void | Promise<void> {
    if (found.length === 0) return
    const data = this.#isBehindHead ? found.subarray(lineEnd.length) : found
    this.#isBehindHead = false
    if (data.length === 0) return
    if (this.#place === 'field') {
      this.#unparsed.add(data)
      if (this.#unparsed.length >= pieceBytesMin) this.#parse(this.#parts - 1)
    } else if (this.#place === 'file') {
      this.#fileBytes += data.length
      if (this.#fileBytes > this.#spec.fileBytesMax) throw chunkTooLarge(this.#spec.fileBytesMax)
      return this.#spec.write(data)
    }
  }

  #closePart(behind: string): void {
    this.#unparsed.add(this.#delimiter)
    if (behind === '--') {
      this.#parse(this.#parts)
      this.#place = 'epilogue'
      return
    }
    if (behind !== '\r\n') throw invalid('A boundary is followed by other characters.')
    this.#parts += 1
    if (this.#parts > partsMax) throw invalid('Too many parts.')
    this.#place = 'head'
  }

  /** @param block the header lines, each behind a CRLF */
  #openPart(block: Buffer): void {
    // A boundary may be a valid header.
    if (block.includes(this.#delimiter)) throw invalid('The headers of a part have no end.')
    this.#headBytes += block.length
    this.#isBehindHead = true
    this.#charsets.push(null)
    // A line that begins with a blank continues the one before (RFC 5322 section 2.2.3).
    const lines = block
      .toString('latin1', lineEnd.length)
      .replaceAll(/\r\n(?=[ \t])/g, '')
      .split('\r\n')
    if (lines.length > headLinesMax) throw invalid('A part has too many headers.')
    const head = lines.map((line) => this.#cleanLine(line)).join('\r\n')
    this.#place = 'field'
    // The last byte is content: busboy keeps back a line end, with which a boundary may begin.
    this.#unparsed.add(Buffer.from(`\r\n${head}\r\n\r\n.`, 'latin1'))
    if (/filename\*?[ \t]*=/i.test(head)) this.#parse(this.#parts - 1)
  }

  #cleanLine(line: string): string {
    if (/^content-type:/i.test(line)) {
      const type = line.slice(line.indexOf(':') + 1).trim()
      this.#charsets[this.#parts - 1] ??= typeParameter(type, 'charset')
      // By the type, busboy takes fields for files and decodes what is not text.
      return `x-${line}`
    }
    if (!/^content-disposition:/i.test(line)) return line
    // Nothing uses the name of a file, so it may be malformed.
    const cleaned = line.replace(fileNameParameter, '; filename="file"')
    const [name, other] = cleaned.matchAll(nameParameter)
    if (other) throw invalid('A part has two names.')
    const isFile = (name?.[1] ?? name?.[2]) === this.#spec.file
    return isFile && cleaned === line ? `${line}; filename="file"` : cleaned
  }

  /**
   * busboy reports before `write` returns: a file by its headers, a field at its end.
   * @param partsMin how many parts have to be reported then
   */
  #parse(partsMin: number): void {
    for (const data of this.#unparsed.take()) this.#parser.write(data)
    if (this.#failure) throw this.#failure
    if (this.#reported < partsMin) throw invalid('A part has no valid name.')
  }

  #takeFile(name: string | undefined): void {
    this.#reported += 1
    this.#place = 'other file'
    if (name !== this.#spec.file) return
    this.#place = 'file'
    this.#sawFile = true
    this.#spec.onFile?.(this.#fields)
  }

  #takeField(name: string | undefined, value: string, isTruncated: boolean): void {
    const charset = this.#charsets[this.#reported] ?? 'utf-8'
    this.#reported += 1
    if (name === undefined || !this.#spec.fields.includes(name)) return
    this.#fieldBytes += value.length
    try {
      if (this.#fields.has(name)) throw invalid(`${name} is given twice.`)
      if (isTruncated || this.#fieldBytes > allFieldsBytesMax) {
        throw invalid(`${name} is too long.`)
      }
      this.#fields.set(name, decodeField(name, value, charset))
    } catch (error) {
      this.#failure ??= error
    }
  }
}

/** @throws CodedError invalid_multipart for bytes that are not text in this encoding */
function decodeField(name: string, value: string, charset: string): string {
  try {
    const decoder = new TextDecoder(charset, { fatal: true, ignoreBOM: true })
    return decoder.decode(Buffer.from(value, 'latin1'))
  } catch {
    throw invalid(`${name} is not ${charset.toUpperCase()}.`)
  }
}

/** @param limit bytes of a chunk */
export function chunkTooLarge(limit: number): CodedError {
  return new CodedError('payload_too_large', {
    message: `A chunk can have at most ${limit} bytes.`,
    details: { limit },
  })
}

function invalid(message: string): CodedError {
  return new CodedError('invalid_multipart', { message })
}

/** The longest types in use have 130 characters, boundaries at most 70 (RFC 2046). */
const charactersMax = 256

/**
 * The value of a parameter of a `Content-Type` (RFC 9110 section 8.3.1), without its quotes; null
 * when the type is malformed, has more than 256 characters or no such parameter. The bound comes
 * first, because `MIMEType` takes quadratic time: half a second for 15,000 blanks.
 */
export function typeParameter(contentType: string, name: string): string | null {
  if (contentType.length > charactersMax) return null
  try {
    return new MIMEType(contentType).params.get(name)
  } catch {
    return null
  }
}
