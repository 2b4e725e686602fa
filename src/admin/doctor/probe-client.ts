import { Readable } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { buildConnector, Dispatcher } from 'undici'
import type { Clock } from '../../lib/clock.ts'

const requestMsMax = 8_000
/** Answers of the service to a check-up are short; a page of something else may be long. */
const answerBytesMax = 64 * 1024
const blockBytes = 64 * 1024

export interface Reply {
  readonly status: number
  readonly headers: Dispatcher.ResponseData['headers']
  readonly text: string
  /** False when the connection broke before the end of the answer. */
  readonly isWhole: boolean
  /** Milliseconds from the start of the request. */
  readonly firstByteMs: number | null
  readonly endMs: number
  /** Wall clock when its head arrived, in milliseconds. */
  readonly receivedAt: number
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
  readonly method?: Dispatcher.HttpMethod
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
}

interface Body {
  readonly data: Readable
  readonly bytes: number
}

/** What is known of a connection once it stands. */
type Connected = Pick<Reply, 'localPort' | 'certificate'>

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
    return this.#ask(path, options, null)
  }

  /**
   * Sends a body of this length: the data, or zeros at the pace of the connection.
   * @throws as `get`
   */
  send(path: string, bytes: number, data: Readable = zeros(bytes)): Promise<Reply> {
    return this.#ask(path, { method: 'POST' }, { data, bytes })
  }

  async #ask(
    path: string,
    { method = 'GET', headers, timeoutMs = requestMsMax }: RequestOptions,
    body: Body | null,
  ): Promise<Reply> {
    const { Client, buildConnector } = await import('undici')
    // Below the path of BASE_URL, if it has one.
    const url = new URL(this.#baseUrl + path)
    // An untrusted certificate is a finding; the token opens nothing but the check-up.
    const open = buildConnector({ rejectUnauthorized: false, timeout: timeoutMs })
    let connected: Connected = { localPort: 0, certificate: null }
    const connect: buildConnector.connector = (to, done) => {
      open(to, (...[error, socket]) => {
        if (error) return done(error, null)
        const certificate = socket instanceof TLSSocket ? describeCertificate(socket) : null
        connected = { localPort: socket.localPort ?? 0, certificate }
        done(null, socket)
      })
    }
    const client = new Client(url.origin, { connect, headersTimeout: 0, bodyTimeout: 0 })
    const ending = new AbortController()
    const stop = () => ending.abort(new Error('the check-up was stopped'))
    const late = () => ending.abort(new Error(`no answer within ${timeoutMs / 1000} s`))
    const disarm = this.#clock.setTimer(timeoutMs, late)
    this.#signal.addEventListener('abort', stop, { once: true })
    const startMs = this.#clock.monotonic()
    try {
      const response = await client.request({
        method,
        path: url.pathname + url.search,
        headers: {
          Authorization: `Bearer ${this.#token}`,
          'Cache-Control': 'no-cache',
          ...(body && {
            'Content-Type': 'application/octet-stream',
            'Content-Length': String(body.bytes),
          }),
          ...headers,
        },
        body: body?.data ?? null,
        signal: ending.signal,
        reset: true,
      })
      const receivedAt = this.#clock.now()
      return { receivedAt, ...connected, ...(await this.#read(response, startMs)) }
    } finally {
      disarm()
      this.#signal.removeEventListener('abort', stop)
      void client.destroy()
    }
  }

  async #read(
    { statusCode: status, headers, body }: Dispatcher.ResponseData,
    startMs: number,
  ): Promise<Omit<Reply, 'receivedAt' | keyof Connected>> {
    const parts: Buffer[] = []
    let bytes = 0
    let firstByteMs: number | null = null
    let isWhole = true
    try {
      for await (const data of body as AsyncIterable<Buffer>) {
        firstByteMs ??= this.#clock.monotonic() - startMs
        bytes += data.length
        parts.push(data)
        isWhole = bytes <= answerBytesMax
        if (!isWhole) break
      }
    } catch {
      isWhole = false
    }
    const text = Buffer.concat(parts).toString('utf8')
    return { status, headers, text, isWhole, firstByteMs, endMs: this.#clock.monotonic() - startMs }
  }
}

function zeros(bytes: number): Readable {
  function* blocks() {
    const block = Buffer.alloc(blockBytes)
    for (let left = bytes; left > 0; left -= blockBytes) yield block.subarray(0, left)
  }
  return Readable.from(blocks(), { objectMode: false })
}

function describeCertificate(socket: TLSSocket): Certificate {
  const until = new Date(socket.getPeerCertificate().valid_to ?? '')
  return {
    doubt: socket.authorized ? '' : String(socket.authorizationError),
    validUntil: Number.isNaN(until.getTime()) ? null : until,
  }
}
