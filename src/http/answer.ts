import { createHash } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import { OnePage, type Pages } from '../lib/pages.ts'

/** The answer of a handler. Only http/listener.ts writes it to the response. */
export type Answer =
  | JsonAnswer
  | TextAnswer
  | PageAnswer
  | RedirectAnswer
  | AssetAnswer
  | ByteAnswer

export interface JsonAnswer {
  readonly kind: 'json'
  readonly status: number
  readonly value: unknown
  readonly headers: OutgoingHttpHeaders
  readonly cookies: readonly string[]
}

export interface TextAnswer {
  readonly kind: 'text'
  readonly status: number
  readonly contentType: string
  readonly text: string
}

/** A page, and the nonce of its own scripts: no other script runs on it. */
export interface RenderedPage {
  readonly html: string
  /** Random for each answer (CSP Level 3, section 2.3.1). */
  readonly nonce: string
  /** Whether it can be installed as an app: its policy allows the manifest and the worker. */
  readonly isInstallable?: boolean
}

export interface PageAnswer extends RenderedPage {
  readonly kind: 'page'
  readonly status: number
}

/** Sends the browser to another page; never cached. */
export interface RedirectAnswer {
  readonly kind: 'redirect'
  /** 303 after a request with a body: the browser continues with a GET. */
  readonly status: 302 | 303
  readonly location: string
  readonly cookies?: readonly string[]
}

/** One of our own files, small enough to be sent in one piece. */
export interface AssetAnswer {
  readonly kind: 'asset'
  /** 200 when absent; only a 200 may become a 304. */
  readonly status?: number
  readonly contentType: string
  readonly body: Buffer
  readonly etag: string
  /** The same bytes in each `Content-Encoding`. */
  readonly compressed?: { readonly br?: Buffer; readonly gzip?: Buffer }
  /** Its name changes with its content, so browsers need not revalidate it. */
  readonly isImmutable?: boolean
  readonly headers?: OutgoingHttpHeaders
}

/** The `ETag` of a body that is sent in one piece. */
export function etagOf(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
}

/** An answer with a streamed body: a file, an archive, a range of one. */
export interface ByteAnswer {
  readonly kind: 'bytes'
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly cookies: readonly string[]
  /** Sends the body; absent when the answer has none (304, HEAD). Must settle on abort. */
  readonly send?: (sink: ByteWriter) => Promise<void>
  /** Called exactly once when the request ends without a call of `send`. */
  readonly discard?: () => void
}

/** Writes the bytes of an answer to the socket, at the client's pace. */
export interface ByteWriter {
  readonly signal: AbortSignal
  /** Resolves when the kernel has taken the data: only then may its buffer be reused. */
  write(data: Buffer): Promise<void>
  /**
   * Writes data to the kernel at once that would wait for the end of the tick. For small buffers;
   * with large ones it is better to read ahead meanwhile.
   * @returns whether everything has left for the kernel, so that buffers may be reused; false after
   *   an abort
   */
  flush(): boolean
}

export function json(
  value: unknown,
  options: { status?: number; cookies?: string[]; headers?: OutgoingHttpHeaders } = {},
): JsonAnswer {
  const { status = 200, cookies = [], headers = {} } = options
  return { kind: 'json', status, value, cookies, headers }
}

export function text(
  value: string,
  { status = 200, contentType = 'text/plain; charset=utf-8' } = {},
): TextAnswer {
  return { kind: 'text', status, contentType, text: value }
}

export function page(rendered: RenderedPage, status = 200): PageAnswer {
  return { kind: 'page', status, ...rendered }
}

export function redirect(
  location: string,
  status: RedirectAnswer['status'] = 302,
  cookies: readonly string[] = [],
): RedirectAnswer {
  return { kind: 'redirect', status, location, cookies }
}

/** The contract's `Success`. */
export function success(): JsonAnswer {
  return json({ success: true })
}

/**
 * An array in an answer that may be too long for memory. It must be a top-level field of the
 * answer, or of an item of another long list.
 */
export class LongList<T> {
  readonly pages: Pages<T>

  constructor(pages: Pages<T>) {
    this.pages = pages
  }

  /** @throws TypeError when it is nested deeper, unless all of it is in memory */
  toJSON(): readonly T[] {
    if (this.pages instanceof OnePage) return (this.pages as OnePage<T>).items
    throw new TypeError('a LongList has to be written in pages')
  }
}

/** A number that is known only after the fields before it are written. */
export function numberLater(read: () => number): number {
  return { toJSON: read } as unknown as number
}

/** A value with long lists in place of the arrays with these names. */
export type WithLists<T, Names extends keyof T> = Omit<T, Names> & {
  readonly [Name in Names]: T[Name] extends readonly (infer Item)[] ? LongList<Item> : never
}

/**
 * A value as JSON (RFC 8259), in pieces from a few characters up to a page. Fields are written in
 * order, so a field after a list may have a `toJSON` that reads what the list has counted.
 */
export async function* jsonPieces(value: unknown): AsyncGenerator<string, void> {
  if (value instanceof LongList) yield* listPieces(value)
  else if (isHolder(value)) yield* fieldPieces(value, '')
  else yield JSON.stringify(value)
}

async function* listPieces({ pages }: LongList<unknown>): AsyncGenerator<string, void> {
  let separator = '['
  for await (const page of pages) {
    let piece = ''
    for (const item of page) {
      piece += separator
      separator = ','
      if (isHolder(item)) {
        yield* fieldPieces(item, piece)
        piece = ''
      } else piece += JSON.stringify(item)
    }
    yield piece
  }
  yield separator === '[' ? '[]' : ']'
}

/** @param before start of the first piece: each piece costs several turns of a generator */
async function* fieldPieces(holder: object, before: string): AsyncGenerator<string, void> {
  let piece = `${before}{`
  let separator = ''
  for (const [name, value] of Object.entries(holder)) {
    if (value === undefined) continue
    piece += `${separator}${JSON.stringify(name)}:`
    separator = ','
    if (isLong(value)) {
      yield piece
      piece = ''
      yield* jsonPieces(value)
    } else piece += JSON.stringify(value)
  }
  yield `${piece}}`
}

/** Whether a value has long lists. */
export function isLong(value: unknown): boolean {
  return isUnread(value) || isHolder(value)
}

function isUnread(value: unknown): boolean {
  if (!(value instanceof LongList)) return false
  const { pages } = value as LongList<unknown>
  return !(pages instanceof OnePage) || pages.items.some(isHolder)
}

function isHolder(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(isUnread)
}
