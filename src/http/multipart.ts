import busboy from 'busboy'
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { MIMEType } from 'node:util'
import { CodedError } from '../lib/errors.ts'
import { feedBody } from './body.ts'
import { BoundaryPadding } from './boundary-padding.ts'
import type { RequestContext } from './request-context.ts'

/** Takes the bytes of the file part as they arrive. A promise requests a pause until it settles. */
export interface PartSink {
  write(data: Buffer): void | Promise<void>
  /**
   * Called once before more than 160 KiB are read outside of the file, of which up to 1 MiB is
   * kept.
   */
  admitLongField(): Promise<void>
}

export interface MultipartSpec {
  /** Name of the part that carries the bytes. */
  readonly file: string
  readonly fileBytesMax: number
  /** Names of the text parts to keep. Other parts are read and discarded. */
  readonly fields: readonly string[]
  readonly sink: PartSink
  /** Sees every byte of the body, for a digest over all of it. */
  readonly onBody?: (data: Buffer) => void
}

/** Limit for known fields: a file name may be as long as in the list of finalize. */
export const fieldBytesMax = 64 * 1024
/** busboy treats a part without a file name as a field, and delivers it whole. */
const unnamedFileBytesMax = 1024 * 1024
/** Free bytes: small fields, and the reads of 64 KiB in which the file begins and ends. */
const outsideBytesMax = 160 * 1024
/** Pieces outside of the file: busboy keeps each piece of a field. */
const outsidePiecesMax = 2000
/** Turns of the event loop that busboy may take to close after the end of its input. */
const closingTurnsMax = 20
/** Bytes beside the file: other parts, headers, boundaries. */
export const multipartOverheadMax = 1024 * 1024

/**
 * Reads a multipart/form-data body (RFC 7578) with parts in any order, and hands the file part's
 * bytes to the sink. busboy truncates silently at its limits, so every sign of that is refused.
 * Resolves once the last boundary and the whole request have been seen.
 * @returns the known text fields by name; duplicates are refused
 * @throws CodedError invalid_content_type, invalid_multipart, payload_too_large, incomplete_body
 */
export async function readMultipart(
  context: RequestContext,
  spec: MultipartSpec,
): Promise<Map<string, string>> {
  const contentType = context.header('content-type') ?? ''
  const form = new FormReader(createParser(contentType, spec), spec)
  const boundary = boundaryOf(contentType)
  const padding = boundary === null ? null : new BoundaryPadding(boundary)
  try {
    const bytesMax = spec.fileBytesMax + multipartOverheadMax
    await feedBody(context, bytesMax, (data) => {
      spec.onBody?.(data)
      return padding ? feedEach(form, padding.remove(data)) : form.feed(data)
    })
    await form.end()
    form.checkFile()
    return form.fields
  } finally {
    form.close()
  }
}

/** Feeds pieces in order; returns a promise only when the form requests a pause. */
function feedEach(form: FormReader, pieces: Iterator<Buffer>): void | Promise<void> {
  for (let piece = pieces.next(); !piece.done; piece = pieces.next()) {
    const wait = form.feed(piece.value)
    if (wait) return wait.then(() => feedEach(form, pieces))
  }
}

/** Null where busboy might read another boundary: then no padding is removed. */
function boundaryOf(contentType: string): string | null {
  if (!/^[ -[\]-~]*$/.test(contentType)) return null
  try {
    return new MIMEType(contentType).params.get('boundary')
  } catch {
    return null
  }
}

function createParser(contentType: string, spec: MultipartSpec): busboy.Busboy {
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType)) {
    throw new CodedError('invalid_content_type', {
      message: 'Send the chunk as multipart/form-data.',
    })
  }
  try {
    return busboy({
      headers: { 'content-type': contentType },
      // Above one socket read, so that a parser that keeps up never requests a pause.
      highWaterMark: 128 * 1024,
      fileHwm: 128 * 1024,
      defParamCharset: 'utf8',
      // Field values come as bytes, so that a `chunk` sent as a field is not damaged.
      defCharset: 'latin1',
      limits: {
        // busboy marks a file that reaches the limit as truncated: one more byte is needed to allow
        // it.
        fileSize: spec.fileBytesMax + 1,
        files: 1,
        fields: 32,
        parts: 40,
        fieldNameSize: 200,
        fieldSize: unnamedFileBytesMax + 1,
        headerPairs: 32,
      },
    })
  } catch (error) {
    throw new CodedError('invalid_multipart', { cause: error })
  }
}

/** Listens to one busboy parser; the first error ends the reading. */
class FormReader {
  readonly fields = new Map<string, string>()
  readonly #parser: busboy.Busboy
  readonly #spec: MultipartSpec
  #failure: unknown = null
  #sawFile = false
  #file: Readable | null = null
  #outsidePieces = 0
  #outsideBytes = 0
  #isLongAdmitted = false
  #wake: (() => void) | null = null
  #closed = false

  constructor(parser: busboy.Busboy, spec: MultipartSpec) {
    this.#parser = parser
    this.#spec = spec
    parser.on('file', (name, stream, info) => {
      // busboy's types say the name is always there; a part may come without one.
      this.#takeFile((name as string | undefined) ?? '', stream, info)
    })
    parser.on('field', (name, value, info) => {
      if (info.nameTruncated) return this.#fail(invalid('A field name is too long.'))
      this.#takeField(name ?? '', value, info.valueTruncated)
    })
    parser.on('filesLimit', () => this.#fail(invalid('Only one file part is allowed.')))
    parser.on('fieldsLimit', () => this.#fail(invalid('Too many fields.')))
    parser.on('partsLimit', () => this.#fail(invalid('Too many parts.')))
    parser.on('error', (error) => this.#fail(new CodedError('invalid_multipart', { cause: error })))
    parser.on('drain', () => this.#wakeUp())
    parser.on('close', () => {
      this.#closed = true
      this.#wakeUp()
    })
  }

  /** @throws the first error so far */
  feed(data: Buffer): void | Promise<void> {
    if (!this.#file || this.#file.readableEnded) {
      this.#outsidePieces += 1
      this.#outsideBytes += data.length
    }
    if (this.#outsidePieces > outsidePiecesMax)
      throw invalid('The fields are split into too many parts.')
    if (this.#outsideBytes > outsideBytesMax && !this.#isLongAdmitted) return this.#feedLong(data)
    return this.#parse(data)
  }

  async #feedLong(data: Buffer): Promise<void> {
    this.#isLongAdmitted = true
    await this.#spec.sink.admitLongField()
    await this.#parse(data)
  }

  #parse(data: Buffer): void | Promise<void> {
    const flows = this.#parser.write(data)
    if (this.#failure) throw this.#failure
    // The parser would buffer what a paused file does not take, with a cost for each piece.
    if (!flows || this.#file?.isPaused()) return this.#waitFor(() => this.#takesMore())
  }

  #takesMore(): boolean {
    return !this.#parser.writableNeedDrain && !this.#file?.isPaused()
  }

  /**
   * busboy closes within a turn or two of the end, once the sink has taken the file; but it waits
   * forever for a file that began after the last boundary.
   */
  async end(): Promise<void> {
    this.#parser.end()
    for (let turns = 0; !this.#closed && !this.#failure; turns += 1) {
      if (turns > closingTurnsMax) throw invalid('The body continues after its last boundary.')
      if (this.#file?.isPaused() || this.#file?.readableLength) turns = 0
      await (this.#file?.isPaused() ? this.#waitFor(() => this.#goesOn()) : setImmediate())
    }
    if (this.#failure) throw this.#failure
  }

  #goesOn(): boolean {
    return this.#closed || !this.#file?.isPaused()
  }

  checkFile(): void {
    if (this.#sawFile) return
    throw new CodedError('invalid_input', {
      message: `${this.#spec.file}: is required`,
      details: { field: this.#spec.file },
    })
  }

  close(): void {
    this.#parser.destroy()
  }

  #takeFile(name: string, stream: Readable & { truncated?: boolean }, info: busboy.FileInfo): void {
    void info
    stream.on('error', (error) => this.#fail(new CodedError('invalid_multipart', { cause: error })))
    if (name !== this.#spec.file) {
      stream.resume()
      return
    }
    if (this.#sawFile) return this.#fail(invalid(`${name} is given twice.`))
    this.#sawFile = true
    this.#file = stream
    stream.on('limit', () => this.#fail(this.#tooLarge()))
    stream.on('data', (data: Buffer) => this.#pass(data, stream))
  }

  #takeField(name: string, value: string, truncated: boolean): void {
    if (name === this.#spec.file) return this.#takeUnnamedFile(value, truncated)
    if (!this.#spec.fields.includes(name)) return
    if (this.fields.has(name)) return this.#fail(invalid(`${name} is given twice.`))
    if (value.length > fieldBytesMax) return this.#fail(invalid(`${name} is too long.`))
    this.#setField(name, value)
  }

  #takeUnnamedFile(value: string, truncated: boolean): void {
    const { file, fileBytesMax } = this.#spec
    if (this.#sawFile) return this.#fail(invalid(`${file} is given twice.`))
    this.#sawFile = true
    if (value.length > fileBytesMax) return this.#fail(this.#tooLarge())
    if (truncated) {
      return this.#fail(
        invalid(`${file} exceeds ${unnamedFileBytesMax} bytes. Send it with a file name.`),
      )
    }
    this.#pass(Buffer.from(value, 'latin1'), null)
  }

  #setField(name: string, value: string): void {
    try {
      this.fields.set(name, decodeField(name, value))
    } catch (error) {
      this.#fail(error)
    }
  }

  #pass(data: Buffer, stream: Readable | null): void {
    if (this.#failure || data.length === 0) return
    let wait: void | Promise<void>
    try {
      wait = this.#spec.sink.write(data)
    } catch (error) {
      return this.#fail(error)
    }
    if (!wait) return
    stream?.pause()
    wait.then(
      () => {
        stream?.resume()
        this.#wakeUp()
      },
      (error: unknown) => this.#fail(error),
    )
  }

  #fail(error: unknown): void {
    this.#failure ??= error
    this.#wakeUp()
  }

  #wakeUp(): void {
    this.#wake?.()
    this.#wake = null
  }

  async #waitFor(isDone: () => boolean): Promise<void> {
    while (!this.#failure && !isDone()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (this.#failure) throw this.#failure
  }

  #tooLarge(): CodedError {
    const limit = this.#spec.fileBytesMax
    return new CodedError('payload_too_large', {
      message: `A chunk can have at most ${limit} bytes.`,
      details: { limit },
    })
  }
}

/**
 * Decodes bytes that came through as Latin-1; busboy has decoded parts with their own charset.
 * @throws CodedError invalid_multipart for bytes that are not UTF-8
 */
function decodeField(name: string, value: string): string {
  if (/[^\0-\u00ff]/.test(value)) return value
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return decoder.decode(Buffer.from(value, 'latin1'))
  } catch {
    throw invalid(`${name} is not UTF-8.`)
  }
}

function invalid(message: string): CodedError {
  return new CodedError('invalid_multipart', { message })
}
