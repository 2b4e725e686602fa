import type { OutgoingHttpHeaders } from 'node:http'

/** What a handler answers. http/listener.ts writes it; nobody else touches the response. */
export type Answer = JsonAnswer | PageAnswer | AssetAnswer | ByteAnswer

export interface JsonAnswer {
  readonly kind: 'json'
  readonly status: number
  readonly value: unknown
  readonly headers: OutgoingHttpHeaders
  readonly cookies: readonly string[]
}

/** A page, and the word that its own scripts carry: no other script runs on it. */
export interface RenderedPage {
  readonly html: string
  /** Random, for this answer alone (CSP Level 3, section 2.3.1). */
  readonly nonce: string
}

export interface PageAnswer extends RenderedPage {
  readonly kind: 'page'
  readonly status: number
}

/** A file of our own, small enough to be sent in one piece. */
export interface AssetAnswer {
  readonly kind: 'asset'
  /** 200 when absent; only that is ever answered 304. */
  readonly status?: number
  readonly contentType: string
  readonly body: Buffer
  readonly etag: string
  /** The same bytes as `Content-Encoding` has them. */
  readonly compressed?: { readonly br?: Buffer; readonly gzip?: Buffer }
  /** Its name changes with its content: browsers need not ask again. */
  readonly isImmutable?: boolean
  readonly headers?: OutgoingHttpHeaders
}

/** An answer whose body is streamed: a file, an archive, a range of one. */
export interface ByteAnswer {
  readonly kind: 'bytes'
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly cookies: readonly string[]
  /** Sends the body; absent when the answer has none (304, HEAD). Must settle on abort. */
  readonly send?: (sink: ByteWriter) => Promise<void>
  /** Called exactly once when the request is over without `send` having been called. */
  readonly discard?: () => void
}

/** Where the bytes of an answer go: the socket, with the client's pace. */
export interface ByteWriter {
  readonly signal: AbortSignal
  /** Resolves when the data has left for the kernel: only then may its buffer be used again. */
  write(data: Buffer): Promise<void>
  /**
   * Writes to the kernel at once what would wait for the end of the tick. For small buffers: large
   * ones are better read ahead meanwhile.
   * @returns whether all has left for the kernel, so that buffers may be used again; false after an
   *   abort
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

export function page(rendered: RenderedPage, status = 200): PageAnswer {
  return { kind: 'page', status, ...rendered }
}

/** The contract's `Success`. */
export function success(): JsonAnswer {
  return json({ success: true })
}
