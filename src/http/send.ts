import { STATUS_CODES, type OutgoingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { CodedError, ErrorCode } from '../lib/errors.ts'
import {
  type Answer,
  type AssetAnswer,
  type ByteAnswer,
  type ByteWriter,
  type JsonAnswer,
  type PageAnswer,
  isLong,
  jsonPieces,
} from './answer.ts'
import { requesterAt } from './client-ip.ts'
import { namesTag } from './conditional-and-range.ts'
import { type RequestContext, awaitReset } from './request-context.ts'
import type { Guards } from './run.ts'
import { acceptsCoding } from './negotiation.ts'
import { apiHeaders, downloadHeaders, pageHeaders, runsScripts } from './security-headers.ts'
import type { SecurityHeaders } from './security-headers.ts'
import { transferOf } from './watchdog.ts'

/** Characters of a JSON answer that are sent at once. */
const wholeLengthMax = 64 * 1024
/** Characters of a page from which on it is compressed: a shorter one is sent in a few packets. */
const packedLengthMin = 4096

const pack = promisify(gzip)

/** The headers of every answer by kind, and the form of errors. */
export interface AnswerHeaders {
  readonly api: SecurityHeaders
  readonly page: SecurityHeaders
  readonly download: SecurityHeaders
  readonly errors: ErrorForm
}

export interface ErrorForm {
  readonly contentType: string
  body(error: CodedError): Readonly<Record<string, unknown>>
}

/** The contract's `ProductError`, with a code and details. */
const productErrors: ErrorForm = {
  contentType: 'application/json; charset=utf-8',
  body: (error) => ({ error: error.message, code: error.code, ...error.details }),
}

/**
 * Errors as problem details (RFC 9457), with a code.
 * @param typeBase prefix of a code in the `type` address
 * @param hints what to do about an error, where there is something
 */
export function problemErrors(
  typeBase: string,
  hints: Partial<Record<ErrorCode, string>>,
): ErrorForm {
  return {
    contentType: 'application/problem+json; charset=utf-8',
    body: ({ code, status, message }) => ({
      type: `${typeBase}${code}`,
      title: STATUS_CODES[status] ?? 'Error',
      status,
      detail: message,
      code,
      ...(hints[code] && { resolution_hint: hints[code] }),
    }),
  }
}

export function answerHeaders(https: boolean): AnswerHeaders {
  return {
    api: apiHeaders(https),
    page: pageHeaders(https),
    download: downloadHeaders(https),
    errors: productErrors,
  }
}

/** The bounds of answers that may be long, of Guards. */
type AnswerBounds = Pick<Guards, 'lookUps' | 'longAnswers'>

/** Writes the answer of a handler. Rejects only when a streamed body failed on our side. */
export async function writeAnswer(
  context: RequestContext,
  answer: Answer,
  security: AnswerHeaders,
  bounds: AnswerBounds,
): Promise<void> {
  switch (answer.kind) {
    case 'json':
      return writeJson(context, answer, security.api, bounds)
    case 'text':
      return writeWhole(context, answer.status, answer.text, {
        ...security.api,
        'Content-Type': answer.contentType,
      })
    case 'page':
      return writePage(context, answer, security.page)
    case 'redirect':
      return writeWhole(context, answer.status, '', {
        ...security.page,
        Location: answer.location,
        ...cookieHeader(answer.cookies ?? []),
      })
    case 'asset':
      return writeAsset(context, answer, security)
    case 'bytes':
      return writeBytes(context, answer, security)
  }
}

/** Answers an error; after the head has been sent, only closing the connection shows it. */
export function answerError(context: RequestContext, error: CodedError, security: AnswerHeaders) {
  const { response } = context
  if (response.headersSent || response.destroyed) {
    context.breakOff()
    return
  }
  writeWhole(context, error.status, JSON.stringify(security.errors.body(error)), {
    ...security.api,
    'Content-Type': security.errors.contentType,
    ...(error.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    ...error.headers,
  })
}

function writeWhole(
  context: RequestContext,
  status: number,
  body: string | Buffer,
  headers: OutgoingHttpHeaders,
): void {
  const { response } = context
  if (response.destroyed) return
  context.writeHead(status, {
    ...headers,
    ...refusedBody(context),
    ...(status === 304 ? {} : { 'Content-Length': Buffer.byteLength(body) }),
  })
  // A text leaves in one piece with the head, which has only ASCII.
  response.end(context.request.method === 'HEAD' || status === 304 ? undefined : body)
}

/**
 * Pages repeat nothing of a request beside a secret, which compression could give away. They are
 * never cached, so that they need no `Vary`.
 */
async function writePage(
  context: RequestContext,
  { status, html, nonce, isInstallable }: PageAnswer,
  security: SecurityHeaders,
): Promise<void> {
  const isPacked =
    html.length >= packedLengthMin && acceptsCoding(context.header('accept-encoding'), 'gzip')
  writeWhole(context, status, isPacked ? await pack(html) : html, {
    ...runsScripts(security, nonce, isInstallable),
    'Content-Type': 'text/html; charset=utf-8',
    ...(isPacked ? { 'Content-Encoding': 'gzip' } : {}),
  })
}

/**
 * Sends a short answer whole, so that an error can still be answered; a longer one in pieces, with
 * a permit. Pages before the permit are read in turns, and only once the answer can leave.
 */
async function writeJson(
  context: RequestContext,
  answer: JsonAnswer,
  security: SecurityHeaders,
  { longAnswers, lookUps }: AnswerBounds,
): Promise<void> {
  const { status, value } = answer
  const headers = {
    ...security,
    ...answer.headers,
    'Content-Type': 'application/json; charset=utf-8',
    ...cookieHeader(answer.cookies),
  }
  if (!isLong(value)) return writeWhole(context, status, JSON.stringify(value), headers)
  await context.awaitWire()
  const pieces = jsonPieces(value)
  try {
    const first = await lookUps.run(() => gather(pieces), requesterAt(context.ip), context.signal)
    if (first.isLast) return writeWhole(context, status, first.text, headers)
    // Its length is not worth reading it.
    if (context.request.method === 'HEAD') return await writeStream(context, status, headers)
    const permit = await longAnswers.enter(transferOf(context))
    const send = async (writer: ByteWriter) => {
      for (let next = first; ; next = await gather(pieces)) {
        if (next.text !== '') await writer.write(Buffer.from(next.text))
        if (next.isLast) return
      }
    }
    await writeStream(context, status, headers, send).finally(() => permit.leave())
  } finally {
    await pieces.return()
  }
}

/** Joins pieces until a write is worthwhile; the last one may be shorter. */
async function gather(
  pieces: AsyncIterator<string, void>,
): Promise<{ text: string; isLast: boolean }> {
  let text = ''
  while (text.length < wholeLengthMax) {
    const { value, done } = await pieces.next()
    if (done) return { text, isLast: true }
    text += value
  }
  return { text, isLast: false }
}

function writeAsset(context: RequestContext, answer: AssetAnswer, security: AnswerHeaders): void {
  const { status = 200, contentType, etag, isImmutable, compressed, headers } = answer
  const isKnown = status === 200 && namesTag(context.header('if-none-match'), etag)
  const encoding = chooseEncoding(context, compressed)
  const body = (encoding && compressed?.[encoding]) ?? answer.body
  writeWhole(context, isKnown ? 304 : status, isKnown ? '' : body, {
    // A logo is an uploaded image, and SVG may contain scripts.
    ...security.download,
    ...(isKnown ? {} : { 'Content-Type': contentType }),
    'Cache-Control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: etag,
    ...(compressed ? { Vary: 'Accept-Encoding' } : {}),
    ...(encoding && !isKnown ? { 'Content-Encoding': encoding } : {}),
    ...headers,
  })
}

/** Chooses a precompressed form that the client accepts (RFC 9110 section 12.5.3). */
function chooseEncoding(
  context: RequestContext,
  compressed: AssetAnswer['compressed'],
): 'br' | 'gzip' | null {
  for (const encoding of ['br', 'gzip'] as const) {
    if (compressed?.[encoding] && acceptsCoding(context.header('accept-encoding'), encoding)) {
      return encoding
    }
  }
  return null
}

async function writeBytes(context: RequestContext, answer: ByteAnswer, security: AnswerHeaders) {
  const headers = { ...security.download, ...answer.headers, ...cookieHeader(answer.cookies) }
  let isSent = false
  const send = (writer: ByteWriter) => {
    isSent = true
    return answer.send?.(writer) ?? Promise.resolve()
  }
  try {
    // The client may still be waiting: deleting a share aborts its downloads too.
    context.signal.throwIfAborted()
    await writeStream(context, answer.status, headers, answer.send && send)
  } finally {
    if (!isSent) answer.discard?.()
  }
}

async function writeStream(
  context: RequestContext,
  status: number,
  headers: OutgoingHttpHeaders,
  send?: ByteAnswer['send'],
): Promise<void> {
  const { response, signal } = context
  context.writeHead(status, { ...headers, ...refusedBody(context) })
  if (!send) {
    response.end()
    return
  }
  const writer = new SocketWriter(context)
  try {
    await awaitReset(context)
    await send(writer)
    response.end()
  } catch (error) {
    // Only closing the connection can show that the rest will not come.
    context.breakOff()
    if (!signal.aborted) throw error
  } finally {
    writer.close()
  }
}

/**
 * A client that waits for `100 Continue` and gets a refusal may never send its body, so this
 * connection cannot carry another request.
 */
function refusedBody(context: RequestContext): OutgoingHttpHeaders {
  return context.continuePending ? { Connection: 'close' } : {}
}

function cookieHeader(cookies: readonly string[]): OutgoingHttpHeaders {
  return cookies.length > 0 ? { 'Set-Cookie': [...cookies] } : {}
}

class SocketWriter implements ByteWriter {
  readonly signal: AbortSignal
  readonly #context: RequestContext
  #rejectCurrent: ((reason: unknown) => void) | null = null

  constructor(context: RequestContext) {
    this.#context = context
    this.signal = context.signal
    this.signal.addEventListener('abort', this.#onAbort)
  }

  flush(): boolean {
    const { response } = this.#context
    // Node corks a socket at the first write of a tick (_http_outgoing.js, write_).
    response.socket?.uncork()
    return !this.signal.aborted && response.writableLength === 0
  }

  write(data: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.signal.aborted) return reject(this.signal.reason as Error)
      this.#rejectCurrent = reject
      this.#context.response.write(data, (error) => {
        if (error) {
          // A connection that cannot be written to was closed by the client.
          this.#context.abort(error)
          return reject(error)
        }
        this.#context.sentBytes += data.length
        resolve()
      })
    })
  }

  close(): void {
    this.signal.removeEventListener('abort', this.#onAbort)
  }

  readonly #onAbort = (): void => {
    this.#rejectCurrent?.(this.signal.reason)
    // Reading the next bytes may take long: a storage can hang.
    this.#context.breakOff()
  }
}
