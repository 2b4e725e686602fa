// Many clients at once, as a browser or a patient program would act: each waits as long as
// `Retry-After` says and tries again. Bodies are written from one block and discarded when read, so
// that the clients need little memory.
import { Agent, request as send, type IncomingMessage } from 'node:http'
import { randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { multipart } from './client.ts'

const blockBytes = 256 * 1024
const block = randomFillSync(Buffer.allocUnsafeSlow(blockBytes))
const silenceMsMax = 60_000
const triesMax = 10

export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** A body in place of `json`; made again for each try. */
  readonly body?: { readonly length: number; pieces(): Iterable<Buffer> }
}

export interface Received {
  readonly status: number
  readonly bytes: number
  /** The first 64 KiB. */
  readonly text: string
}

export class Crowd {
  /** Answers that asked the client to come back later. */
  refused = 0
  readonly #url: string
  readonly #agent = new Agent({ keepAlive: false })
  #token: string | null = null

  constructor(url: string) {
    this.#url = url
  }

  async signIn(email: string, password: string): Promise<void> {
    const answer = await this.call({
      method: 'POST',
      path: '/api/auth/login',
      json: { email, password },
    })
    this.#token = (JSON.parse(answer.text) as { token: string }).token
  }

  /** @throws Error when the service does not answer with 2xx, after patient tries */
  async call(sent: Sent): Promise<Received> {
    for (let tries = 1; ; tries += 1) {
      const response = await this.#send(sent)
      const received = await drain(response)
      const { status } = received
      if (status >= 200 && status < 300) return received
      const retryAfter = Number(response.headers['retry-after'])
      const isPatient = (status === 503 || status === 429) && retryAfter > 0 && retryAfter <= 30
      if (!isPatient || tries === triesMax) {
        throw new Error(`${sent.method} ${sent.path}: ${status} ${received.text.slice(0, 300)}`)
      }
      this.refused += 1
      await setTimeout(retryAfter * 1000)
    }
  }

  /** A complete share with one file, sent in chunks one after the other. */
  async upload(bytes: number, chunkBytes: number): Promise<string> {
    const started = await this.call({ method: 'POST', path: '/api/shares/init', json: {} })
    const { shareId } = JSON.parse(started.text) as { shareId: string }
    for (let index = 0; index * chunkBytes < bytes; index += 1) {
      const length = Math.min(chunkBytes, bytes - index * chunkBytes)
      await this.chunk(shareId, index, length)
    }
    const files = [{ fileId: 'film', fileName: 'film.mp4', originalName: 'film.mp4', size: bytes }]
    await this.call({ method: 'POST', path: `/api/shares/${shareId}/finalize`, json: { files } })
    return shareId
  }

  async chunk(shareId: string, index: number, length: number): Promise<void> {
    const fields = { chunkIndex: String(index), fileName: 'film.mp4', fileId: 'film' }
    const { body, contentType } = multipart(fields, Buffer.alloc(0), false)
    const start = body.indexOf('\r\n\r\n') + 4
    await this.call({
      method: 'POST',
      path: `/api/shares/${shareId}/chunk`,
      headers: { 'Content-Type': contentType },
      body: {
        length: body.length + length,
        *pieces() {
          yield body.subarray(0, start)
          yield* blocks(length)
          yield body.subarray(start)
        },
      },
    })
  }

  /** @throws Error when fewer bytes arrive */
  async download(path: string, bytesMin: number): Promise<void> {
    const { bytes } = await this.call({ method: 'GET', path })
    if (bytes < bytesMin) throw new Error(`GET ${path}: ${bytes} of ${bytesMin} bytes`)
  }

  async #send({ method, path, headers = {}, json, body }: Sent): Promise<IncomingMessage> {
    const text = json === undefined ? null : Buffer.from(JSON.stringify(json))
    const length = body?.length ?? text?.length
    const request = send(`${this.#url}${path}`, {
      method,
      agent: this.#agent,
      headers: {
        ...(this.#token === null ? {} : { Authorization: `Bearer ${this.#token}` }),
        ...(text === null ? {} : { 'Content-Type': 'application/json' }),
        ...(length === undefined ? {} : { 'Content-Length': length }),
        ...headers,
      },
    })
    request.setTimeout(silenceMsMax, () => request.destroy(new Error('the service is silent')))
    const answered = once(request, 'response') as Promise<[IncomingMessage]>
    // Handled below; the answer may come, or fail, before the body is written.
    let isAnswered = false
    const settled = answered.then(
      () => void (isAnswered = true),
      () => void (isAnswered = true),
    )
    for (const piece of body?.pieces() ?? (text === null ? [] : [text])) {
      if (isAnswered) break
      if (!request.write(piece)) await Promise.race([once(request, 'drain'), settled])
    }
    if (isAnswered && body) request.destroy()
    else request.end()
    const [response] = await answered
    return response
  }
}

/** Bytes that look random; every block is the same. */
export function* blocks(length: number): Generator<Buffer> {
  for (let left = length; left > 0; left -= blockBytes) yield block.subarray(0, left)
}

async function drain(response: IncomingMessage): Promise<Received> {
  const kept: Buffer[] = []
  let bytes = 0
  for await (const data of response as AsyncIterable<Buffer>) {
    if (bytes < 64 * 1024) kept.push(data)
    bytes += data.length
  }
  const text = Buffer.concat(kept).toString('utf8')
  return { status: response.statusCode ?? 0, bytes, text }
}
