import type { OutgoingHttpHeaders } from 'node:http'
import type { ByteBudget } from '../lib/byte-budget.ts'
import type { CodedError } from '../lib/errors.ts'
import type { FairTurns } from '../lib/fair-turns.ts'
import type { Answer, AssetAnswer, ByteAnswer, ByteWriter, JsonAnswer } from './answer.ts'
import { askerAt } from './client-ip.ts'
import { namesTag } from './conditional.ts'
import type { Exchange } from './exchange.ts'
import { awaitReset } from './half-close.ts'
import { isLong, jsonPieces } from './json-stream.ts'
import { acceptsCoding } from './negotiation.ts'
import {
  apiHeaders,
  downloadHeaders,
  pageHeaders,
  runsScripts,
  type SecurityHeaders,
} from './security-headers.ts'
import { transferOf } from './watchdog.ts'

/** Characters of an answer in JSON that are sent at once. */
const wholeLengthMax = 64 * 1024

/** The headers that every answer of a kind carries, and what errors look like. */
export interface AnswerHeaders {
  readonly api: SecurityHeaders
  readonly page: SecurityHeaders
  readonly asset: SecurityHeaders
  readonly download: SecurityHeaders
  readonly errors: ErrorForm
}

/** How a server writes its errors. */
export interface ErrorForm {
  readonly contentType: string
  body(error: CodedError): Readonly<Record<string, unknown>>
}

/** The contract's `ProductError`, with a code and what helps. */
const productErrors: ErrorForm = {
  contentType: 'application/json; charset=utf-8',
  body: (error) => ({ error: error.message, code: error.code, ...error.details }),
}

export function answerHeaders(https: boolean): AnswerHeaders {
  return {
    api: apiHeaders(https),
    page: pageHeaders(https),
    // A logo is an image that somebody sent, and SVG may hold scripts.
    asset: downloadHeaders(https),
    download: downloadHeaders(https),
    errors: productErrors,
  }
}

/** What bounds answers that may be long. */
export interface AnswerBounds {
  readonly lookUps: FairTurns
  readonly longAnswers: ByteBudget
}

/** Writes what a handler answered. Rejects only when a streamed body failed on our side. */
export async function writeAnswer(
  exchange: Exchange,
  answer: Answer,
  security: AnswerHeaders,
  bounds: AnswerBounds,
): Promise<void> {
  switch (answer.kind) {
    case 'json':
      return writeJson(exchange, answer, security.api, bounds)
    case 'page':
      return writeWhole(exchange, answer.status, answer.html, {
        ...runsScripts(security.page, answer.nonce),
        'Content-Type': 'text/html; charset=utf-8',
      })
    case 'asset':
      return writeAsset(exchange, answer, security)
    case 'bytes':
      return writeBytes(exchange, answer, security)
  }
}

/** Answers an error; when the answer has begun already, only closing the connection tells it. */
export function answerError(exchange: Exchange, error: CodedError, security: AnswerHeaders): void {
  const { response } = exchange
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  writeWhole(exchange, error.status, JSON.stringify(security.errors.body(error)), {
    ...security.api,
    'Content-Type': security.errors.contentType,
    ...(error.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    ...error.headers,
  })
}

function writeWhole(
  exchange: Exchange,
  status: number,
  body: string | Buffer,
  headers: OutgoingHttpHeaders,
): void {
  const { response } = exchange
  if (response.destroyed) return
  const data = typeof body === 'string' ? Buffer.from(body) : body
  exchange.phase = 'sending'
  response.writeHead(status, {
    ...headers,
    ...refusedBody(exchange),
    ...(status === 304 ? {} : { 'Content-Length': data.length }),
  })
  response.end(exchange.request.method === 'HEAD' || status === 304 ? undefined : data)
}

/**
 * Whole when it is short: an error may then still be answered. Otherwise by a seat, in pieces. What
 * is read before there is a seat is read by turns, and only once the answer can leave.
 */
async function writeJson(
  exchange: Exchange,
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
  if (!isLong(value)) return writeWhole(exchange, status, JSON.stringify(value), headers)
  await exchange.awaitWire()
  const pieces = jsonPieces(value)
  try {
    const first = await lookUps.run(askerAt(exchange.ip), () => gather(pieces), exchange.signal)
    if (first.isLast) return writeWhole(exchange, status, first.text, headers)
    // How long it would be is not worth reading it.
    if (exchange.request.method === 'HEAD') return await writeStream(exchange, status, headers)
    const seat = await longAnswers.enter(transferOf(exchange))
    const send = async (writer: ByteWriter) => {
      for (let next = first; ; next = await gather(pieces)) {
        if (next.text !== '') await writer.write(Buffer.from(next.text))
        if (next.isLast) return
      }
    }
    await writeStream(exchange, status, headers, send).finally(() => seat.leave())
  } finally {
    await pieces.return()
  }
}

/** Pieces of at least so many characters that a write is worth it; the last ones may be less. */
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

function writeAsset(exchange: Exchange, answer: AssetAnswer, security: AnswerHeaders): void {
  const { status = 200, contentType, etag, isImmutable, compressed, headers } = answer
  const isKnown = status === 200 && namesTag(exchange.header('if-none-match'), etag)
  const encoding = chooseEncoding(exchange, compressed)
  const body = (encoding && compressed?.[encoding]) ?? answer.body
  writeWhole(exchange, isKnown ? 304 : status, isKnown ? '' : body, {
    ...security.asset,
    ...(isKnown ? {} : { 'Content-Type': contentType }),
    'Cache-Control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: etag,
    ...(compressed?.gzip ? { Vary: 'Accept-Encoding' } : {}),
    ...(encoding && !isKnown ? { 'Content-Encoding': encoding } : {}),
    ...headers,
  })
}

/** What was compressed beforehand and the client takes (RFC 9110 section 12.5.3). */
function chooseEncoding(
  exchange: Exchange,
  compressed: AssetAnswer['compressed'],
): 'br' | 'gzip' | null {
  for (const encoding of ['br', 'gzip'] as const) {
    if (compressed?.[encoding] && acceptsCoding(exchange.header('accept-encoding'), encoding)) {
      return encoding
    }
  }
  return null
}

async function writeBytes(
  exchange: Exchange,
  answer: ByteAnswer,
  security: AnswerHeaders,
): Promise<void> {
  const { signal } = exchange
  if (signal.aborted || !answer.send) answer.discard?.()
  // The client may be there and wait: a share that has just been deleted ends its downloads too.
  signal.throwIfAborted()
  const headers = { ...security.download, ...answer.headers, ...cookieHeader(answer.cookies) }
  await writeStream(exchange, answer.status, headers, answer.send)
}

async function writeStream(
  exchange: Exchange,
  status: number,
  headers: OutgoingHttpHeaders,
  send?: ByteAnswer['send'],
): Promise<void> {
  const { response, signal } = exchange
  exchange.phase = 'sending'
  response.writeHead(status, { ...headers, ...refusedBody(exchange) })
  if (!send) {
    response.end()
    return
  }
  const writer = new SocketWriter(exchange)
  try {
    await awaitReset(exchange)
    await send(writer)
    response.end()
  } catch (error) {
    // The length was promised: a cut connection is the only honest way to say it will not come.
    response.destroy()
    if (!signal.aborted) throw error
  } finally {
    writer.close()
  }
}

/**
 * A client that waits for `100 Continue` and gets a refusal instead may never send its body, so
 * this connection cannot carry another request.
 */
function refusedBody(exchange: Exchange): OutgoingHttpHeaders {
  return exchange.continuePending ? { Connection: 'close' } : {}
}

function cookieHeader(cookies: readonly string[]): OutgoingHttpHeaders {
  return cookies.length > 0 ? { 'Set-Cookie': [...cookies] } : {}
}

class SocketWriter implements ByteWriter {
  readonly signal: AbortSignal
  readonly #exchange: Exchange
  #rejectCurrent: ((reason: unknown) => void) | null = null

  constructor(exchange: Exchange) {
    this.#exchange = exchange
    this.signal = exchange.signal
    this.signal.addEventListener('abort', this.#onAbort)
  }

  flush(): boolean {
    const { response } = this.#exchange
    // Node corks a socket at the first write of a tick (_http_outgoing.js, write_).
    response.socket?.uncork()
    return !this.signal.aborted && response.writableLength === 0
  }

  write(data: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.signal.aborted) return reject(this.signal.reason as Error)
      this.#rejectCurrent = reject
      this.#exchange.response.write(data, (error) => {
        if (error) {
          // A connection that cannot be written to is one that the client has left.
          this.#exchange.abort(error)
          return reject(error)
        }
        this.#exchange.sentBytes += data.length
        resolve()
      })
    })
  }

  close(): void {
    this.signal.removeEventListener('abort', this.#onAbort)
  }

  readonly #onAbort = (): void => {
    this.#rejectCurrent?.(this.signal.reason)
  }
}
