import { CodedError } from '../lib/errors.ts'
import { GatheredBytes } from '../lib/gathered-bytes.ts'
import { feedBody } from './body.ts'
import { typeParameter } from './media-type.ts'
import type { PartHeaders } from './part-headers.ts'
import { MalformedParts, PartsReader, type PartsSink } from './parts.ts'
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
/** RFC 2046 section 5.1.1 allows 70. */
const boundaryLengthMax = 200
/** Bytes beside the file: other parts, headers, boundaries. */
export const multipartOverheadMax = 1024 * 1024

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
  const form = new Form(spec)
  const reader = new PartsReader(boundaryOf(context.header('content-type') ?? ''), form)
  try {
    await feedBody(context, spec.fileBytesMax + multipartOverheadMax, (data) => {
      spec.onBody?.(data)
      return reader.feed(data)
    })
    reader.end()
  } catch (error) {
    throw error instanceof MalformedParts ? invalid(error.message) : error
  }
  form.requireFile()
  return form.fields
}

/** @throws CodedError invalid_content_type, invalid_multipart */
function boundaryOf(contentType: string): string {
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType)) {
    throw new CodedError('invalid_content_type', {
      message: 'Send the chunk as multipart/form-data.',
    })
  }
  const boundary = typeParameter(contentType, 'boundary')?.trimEnd() ?? ''
  if (boundary !== '' && boundary.length <= boundaryLengthMax) return boundary
  throw invalid('The Content-Type has no valid boundary.')
}

/** The parts of one form; the first error ends the reading. */
class Form implements PartsSink {
  readonly fields = new Map<string, string>()
  readonly #spec: MultipartSpec
  #parts = 0
  #files = 0
  #sawFile = false
  #fileBytes = 0
  #fieldBytes = 0
  /** What the open part is: the file, a field to keep, or nothing to keep. */
  #open: 'file' | { name: string; charset: string | null; value: GatheredBytes } | null = null

  constructor(spec: MultipartSpec) {
    this.#spec = spec
  }

  open({ name, hasFileName, charset }: PartHeaders): void {
    this.#parts += 1
    if (this.#parts > partsMax) throw invalid('Too many parts.')
    if (hasFileName) this.#files += 1
    if (this.#files > 1) throw invalid('Only one file part is allowed.')
    this.#open = null
    if (name === this.#spec.file) {
      if (this.#sawFile) throw invalid(`${name} is given twice.`)
      this.#sawFile = true
      this.#open = 'file'
      this.#spec.onFile?.(this.fields)
    } else if (name !== null && this.#spec.fields.includes(name)) {
      if (this.fields.has(name)) throw invalid(`${name} is given twice.`)
      this.#open = { name, charset, value: new GatheredBytes() }
    }
  }

  write(data: Buffer): void | Promise<void> {
    const open = this.#open
    if (open === null) return
    if (open === 'file') {
      this.#fileBytes += data.length
      if (this.#fileBytes > this.#spec.fileBytesMax) throw chunkTooLarge(this.#spec.fileBytesMax)
      return this.#spec.write(data)
    }
    this.#fieldBytes += data.length
    const isTooLong = open.value.length + data.length > fieldBytesMax
    if (isTooLong || this.#fieldBytes > allFieldsBytesMax) {
      throw invalid(`${open.name} is too long.`)
    }
    open.value.add(data)
  }

  close(): void {
    if (this.#open === null || this.#open === 'file') return
    const { name, charset, value } = this.#open
    this.fields.set(name, decodeField(name, Buffer.concat(value.take()), charset ?? 'utf-8'))
  }

  requireFile(): void {
    if (this.#sawFile) return
    throw new CodedError('invalid_input', {
      message: `${this.#spec.file}: is required`,
      details: { field: this.#spec.file },
    })
  }
}

/** @throws CodedError invalid_multipart for bytes that are not text in this encoding */
function decodeField(name: string, value: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(value)
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
