import * as v from 'valibot'
import { CodedError } from '../lib/errors.ts'
import { PackedList } from '../lib/packed-list.ts'
import { declaredLength, feedBody, hasBody, tooLarge } from './body.ts'
import type { RequestContext } from './request-context.ts'
import { JsonSplitter } from './json-splitter.ts'
import type { JsonBodySpec, ListBodySpec } from './operation.ts'
import { parseInput } from './schema.ts'
import { createGunzip } from 'node:zlib'

/** Longer lists, uncompressed, wait for a permit. */
const shortListBytesMax = 1024 * 1024
/** Smaller bodies are not counted, because the number of connections is bounded. */
const smallBytesMax = 4 * 1024
const listBytesMax = 64 * 1024 * 1024
/** Limit of the text around the list. */
const restBytesMax = 96 * 1024
/** Items stay in memory, packed, until the handler has finished. */
const listItemsMax = 250_000

/**
 * The JSON body, checked against its schema. A missing or empty body counts as `{}`.
 * @throws CodedError invalid_content_type, invalid_json, invalid_input, payload_too_large
 */
export async function readJson<Schema extends v.GenericSchema>(
  context: RequestContext,
  { schema, bytesMax }: JsonBodySpec<Schema>,
): Promise<v.InferOutput<Schema>> {
  if (!hasBody(context)) return parseInput(schema, {})
  checkContentType(context)
  const splitter = new JsonSplitter(null, bytesMax, () => {})
  await feedBody(context, bytesMax, (data) => splitter.take(data))
  return parseInput(schema, splitter.isEmpty ? {} : splitter.finish())
}

export function mayBeLong(context: RequestContext): boolean {
  return isChunked(context) || isPacked(context) || declaredLength(context) > shortListBytesMax
}

/** Whether a body that is read whole takes so much memory that it must be counted. */
export function isCountedBody(context: RequestContext): boolean {
  return hasBody(context) && (isChunked(context) || declaredLength(context) > smallBytesMax)
}

/**
 * A body with one long list, parsed as it arrives, so that 64 MiB of it neither delay other
 * requests nor stay in memory as text. Items are checked one by one. The body may be compressed
 * with gzip, because proxies limit the size of bodies.
 * @param onLong called once, when the list has more than a megabyte; reading goes on afterwards
 * @returns the checked items in order, null when the word stands there; and the other keys checked
 *   against `rest`
 */
export async function readJsonList(
  context: RequestContext,
  spec: ListBodySpec,
  onLong: () => Promise<void>,
): Promise<{ items: PackedList<unknown> | null; rest: unknown }> {
  if (!hasBody(context)) throw missingList(spec.list)
  checkContentType(context)
  const items = new PackedList<unknown>()
  const splitter = new JsonSplitter(spec.list, restBytesMax, (item) => {
    if (items.length >= listItemsMax) throw tooManyItems(spec)
    items.push(parseInput(spec.item, item, `${spec.list}[${items.length}]`))
  })
  let isLong = false
  await feedUnpacked(context, listBytesMax, (data) => {
    splitter.take(data)
    if (isLong || context.unpackedBytes <= shortListBytesMax) return
    isLong = true
    return onLong()
  })
  const rest = splitter.finish()
  const value = rest[spec.list]
  const isWord = value !== undefined && value === spec.word
  if (isWord === splitter.hasList || !(isWord || Array.isArray(value))) throw missingList(spec.list)
  return { items: isWord ? null : items, rest: parseInput(spec.rest, rest) }
}

function isChunked(context: RequestContext): boolean {
  return hasBody(context) && declaredLength(context) === 0
}

/**
 * `application/json` with any parameters. A missing content type is accepted only without an
 * Origin: a form on another site can post text, but always sends one.
 */
function checkContentType(context: RequestContext): void {
  const contentType = context.header('content-type')
  if (contentType === undefined && context.header('origin') === undefined) return
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase()
  if (type === 'application/json') return
  throw new CodedError('invalid_content_type', {
    message: 'Send the body as application/json.',
  })
}

function tooManyItems({ list, word }: ListBodySpec): CodedError {
  const way = word === undefined ? '' : `; send "${list}": "${word}" instead`
  return new CodedError('payload_too_large', {
    message: `${list}: must have at most ${listItemsMax} items${way}`,
    details: { field: list, limit: listItemsMax },
  })
}

function missingList(list: string): CodedError {
  return new CodedError('invalid_input', {
    message: `${list}: must be an array`,
    details: { field: list },
  })
}

/**
 * feedBody() for a body that may be compressed. `bytesMax` limits both the compressed and the
 * uncompressed bytes; `write` gets pieces of at most 64 KiB, and no further ones until its promise
 * settles.
 * @throws CodedError invalid_content_type, invalid_json, payload_too_large, incomplete_body; errors
 *   of `write`
 */
export async function feedUnpacked(
  context: RequestContext,
  bytesMax: number,
  write: (data: Buffer) => void | Promise<void>,
): Promise<void> {
  const count = (data: Buffer) => {
    context.unpackedBytes += data.length
    return write(data)
  }
  if (!isPacked(context)) return feedBody(context, bytesMax, count)
  const unpacking = new Unpacking(bytesMax, count)
  try {
    await feedBody(context, bytesMax, (data) => unpacking.take(data))
    await unpacking.finish()
  } finally {
    unpacking.close()
  }
}

/** One body on its way through gunzip, which holds at most one piece of it. */
class Unpacking {
  readonly #gunzip = createGunzip()
  #bytes = 0
  #failure: unknown = null
  /** Whether the last compressed byte has arrived. */
  #isOver = false
  /** The only wait at a time: for space in gunzip, or for its end. */
  #waiting: { resolve: () => void; reject: (error: unknown) => void } | null = null

  constructor(bytesMax: number, write: (data: Buffer) => void | Promise<void>) {
    this.#gunzip.on('data', (data: Buffer) => {
      this.#bytes += data.length
      try {
        if (this.#bytes > bytesMax) throw tooLarge(bytesMax)
        const wait = write(data)
        if (!wait) return
        this.#gunzip.pause()
        const fail = (error: unknown) => void this.#gunzip.destroy(error as Error)
        wait.then(() => this.#gunzip.resume(), fail)
      } catch (error) {
        this.#gunzip.destroy(error as Error)
      }
    })
    this.#gunzip.on('drain', () => this.#waiting?.resolve())
    this.#gunzip.on('end', () => {
      this.#isOver = true
      this.#waiting?.resolve()
    })
    this.#gunzip.on('error', (error) => {
      // Errors of zlib about unreadable bytes are the client's.
      this.#failure = error instanceof CodedError ? error : notGzip(error)
      this.#waiting?.reject(this.#failure)
    })
  }

  take(data: Buffer): void | Promise<void> {
    if (this.#failure) throw this.#failure
    if (this.#isOver) throw notGzip()
    if (!this.#gunzip.write(data)) return this.#wait()
  }

  async finish(): Promise<void> {
    if (this.#failure) throw this.#failure
    if (this.#isOver) return
    this.#gunzip.end()
    await this.#wait()
  }

  close(): void {
    this.#gunzip.destroy()
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
    })
  }
}

/** Only one content coding is decoded: gzip (RFC 9110 section 8.4.1). */
function isPacked(context: RequestContext): boolean {
  const coding = (context.header('content-encoding') ?? 'identity').trim().toLowerCase()
  if (coding === 'gzip' || coding === 'identity') return coding === 'gzip'
  throw new CodedError('invalid_content_type', {
    message: 'Send the body uncompressed or as gzip.',
    // RFC 9110 section 12.5.3.
    headers: { 'Accept-Encoding': 'gzip' },
  })
}

function notGzip(cause?: unknown): CodedError {
  return new CodedError('invalid_json', {
    message: 'The body is not valid gzip, although Content-Encoding says so.',
    cause,
  })
}
