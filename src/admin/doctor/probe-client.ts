import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { TLSSocket } from 'node:tls'
import type { Clock } from '../../lib/clock.ts'

const requestMsMax = 8_000
/** Answers of the service to a check-up are short; a page of something else may be long. */
const answerBytesMax = 64 * 1024
const blockBytes = 64 * 1024

export interface Reply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
  /** False when the connection broke before the end of the answer. */
  readonly isWhole: boolean
  /** Milliseconds from the start of the request. */
  readonly firstByteMs: number | null
  readonly endMs: number
  /** Wall clock when its head arrived, in milliseconds. */
  readonly arrivedAt: number
  readonly localPort: number
  /** Null for plain http. */
  readonly certificate: Certificate | null
}

interface Certificate {
  /** Why it is not trusted; '' when it is. */
  readonly doubt: string
  readonly validUntil: Date | null
}

interface RequestOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  /** Length of a body, which `send` or the caller writes. */
  readonly bodyBytes?: number
}

/** A request whose body is not sent yet. */
export interface OpenRequest {
  readonly request: ClientRequest
  readonly reply: Promise<Reply>
}

/** Requests through the public URL, each on a new connection and with a time limit. */
export class ProbeClient {
  readonly #baseUrl: string
  readonly #token: string
  readonly #clock: Clock
  readonly #signal: AbortSignal

  constructor(deps: { baseUrl: string; token: string; clock: Clock; signal: AbortSignal }) {
    this.#baseUrl = deps.baseUrl
    this.#token = deps.token
    this.#clock = deps.clock
    this.#signal = deps.signal
  }

  /** @throws system errors of the connection; Error when it took too long */
  get(path: string, options: RequestOptions = {}): Promise<Reply> {
    const { request, reply } = this.open(path, options)
    request.end()
    return reply
  }

  /** Sends a body of zeros at the pace of the connection. @throws as `get` */
  async send(path: string, bodyBytes: number, options: RequestOptions = {}): Promise<Reply> {
    const { request, reply } = this.open(path, { method: 'POST', ...options, bodyBytes })
    const block = Buffer.alloc(blockBytes)
    let left = bodyBytes
    const write = () => {
      while (left > 0 && !request.destroyed) {
        const data = left < blockBytes ? block.subarray(0, left) : block
        left -= data.length
        if (!request.write(data)) return
      }
      if (left === 0 && !request.writableEnded) request.end()
    }
    request.on('drain', write)
    write()
    return reply
  }

  /** Begins a request; the caller ends it. `reply` rejects as `get` does. */
  open(path: string, options: RequestOptions = {}): OpenRequest {
    // Below the path of BASE_URL, if it has one.
    const url = new URL(this.#baseUrl + path)
    const { method = 'GET', timeoutMs = requestMsMax, bodyBytes } = options
    const headers: Record<string, string> = {
      Authorization: `Bearer ${this.#token}`,
      'Cache-Control': 'no-cache',
      ...options.headers,
    }
    if (bodyBytes !== undefined) {
      headers['Content-Type'] = 'application/octet-stream'
      headers['Content-Length'] = String(bodyBytes)
    }
    const common = { method, headers, agent: false as const }
    // An untrusted certificate is a finding; the token opens nothing but the check-up.
    const request =
      url.protocol === 'https:'
        ? https.request(url, { ...common, rejectUnauthorized: false })
        : http.request(url, common)
    const startMs = this.#clock.monotonic()
    const reply = this.#await(request, startMs, timeoutMs)
    reply.catch(() => {})
    return { request, reply }
  }

  async #await(request: ClientRequest, startMs: number, timeoutMs: number): Promise<Reply> {
    const stop = () => request.destroy(new Error('the check-up was stopped'))
    const late = () => request.destroy(new Error(`no answer within ${timeoutMs / 1000} s`))
    const timer = setTimeout(late, timeoutMs)
    this.#signal.addEventListener('abort', stop, { once: true })
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request.once('response', resolve).on('error', reject)
      })
      return await this.#read(response, startMs)
    } finally {
      clearTimeout(timer)
      this.#signal.removeEventListener('abort', stop)
      request.destroy()
    }
  }

  async #read(response: IncomingMessage, startMs: number): Promise<Reply> {
    const { socket } = response
    const arrivedAt = this.#clock.now()
    const localPort = socket.localPort ?? 0
    const certificate = socket instanceof TLSSocket ? describeCertificate(socket) : null
    const parts: Buffer[] = []
    let bytes = 0
    let firstByteMs: number | null = null
    let isWhole = true
    try {
      for await (const data of response as AsyncIterable<Buffer>) {
        firstByteMs ??= this.#clock.monotonic() - startMs
        bytes += data.length
        parts.push(data)
        if (bytes > answerBytesMax) break
      }
    } catch {
      isWhole = false
    }
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      text: Buffer.concat(parts).toString('utf8'),
      isWhole: isWhole && response.complete,
      firstByteMs,
      endMs: this.#clock.monotonic() - startMs,
      arrivedAt,
      localPort,
      certificate,
    }
  }
}

function describeCertificate(socket: TLSSocket): Certificate {
  const until = new Date(socket.getPeerCertificate().valid_to ?? '')
  return {
    doubt: socket.authorized ? '' : String(socket.authorizationError),
    validUntil: Number.isNaN(until.getTime()) ? null : until,
  }
}
