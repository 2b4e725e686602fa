// A proxy between browsers and the service that fails like real proxies and networks, and counts
// the chunks, and archives of small files, that got through.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer,
  request as forward,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

/** The fault of one chunk or archive. */
export type Fault =
  /** Nothing. */
  | 'pass'
  /** The connection ends when 30 % of the chunk were received. */
  | 'cut'
  /** From 30 % of the chunk on it neither reads nor answers. */
  | 'silent'
  /** Everything is received, and the answer is lost. */
  | 'unheard'
  /** The error page of a proxy whose service does not answer. */
  | 'bad gateway'
  /** As after a session that ended, with any credential. */
  | 'unauthorized'

const part = 0.3

export class FaultProxy {
  readonly url: string
  /** The address of the service; null while it is down. */
  target: string | null
  /** The faults of the next chunks, one each; then `usual`. */
  readonly faults: Fault[] = []
  usual: Fault = 'pass'
  /** Larger bodies are refused before they are complete, with a page: like nginx. */
  bodyBytesMax = Infinity
  /** Whether it knows no archives, like an older service. */
  refusesTars = false
  /** Chunks whose upload has started here, with any outcome. */
  chunksCome = 0
  /** Each chunk whose success the browser received. */
  readonly acknowledged: string[] = []
  /** Chunks that were sent again after that. */
  readonly sentAgain: string[] = []
  readonly #server: Server

  private constructor(target: string, server: Server, url: string) {
    this.target = target
    this.#server = server
    this.url = url
  }

  static async start(target: string): Promise<FaultProxy> {
    const server = createServer((request, response) => {
      void proxy.#answer(request, response).catch(() => request.socket.destroy())
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const proxy = new FaultProxy(target, server, `http://127.0.0.1:${port}`)
    return proxy
  }

  /** Ends all connections that are open now. */
  cutAll(): void {
    this.#server.closeAllConnections()
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const length = Number(request.headers['content-length'] ?? 0)
    if (length > this.bodyBytesMax) {
      request.resume()
      return page(response, 413, 'Request Entity Too Large')
    }
    const isTar = request.url!.endsWith('/tar')
    if (isTar && this.refusesTars) {
      request.resume()
      return page(response, 404, 'Not Found')
    }
    const isChunk = isTar || request.url!.endsWith('/chunk')
    if (isChunk) this.chunksCome += 1
    const fault = isChunk ? (this.faults.shift() ?? this.usual) : 'pass'
    if (fault === 'bad gateway') {
      request.resume()
      return page(response, 502, 'Bad Gateway')
    }
    if (fault === 'unauthorized') {
      request.resume()
      response.writeHead(401, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: 'You are signed out.', code: 'unauthorized' }))
      return
    }
    const isBroken = fault === 'cut' || fault === 'silent'
    const body = await read(request, isBroken ? length * part : Infinity)
    if (fault === 'cut') request.socket.destroy()
    if (isBroken) return
    const key = isTar ? digestOf(body) : chunkOf(body)
    if (isChunk && this.acknowledged.includes(key)) this.sentAgain.push(key)
    const answer = await this.#forward(request, body)
    if (fault === 'unheard') return void request.socket.destroy()
    response.writeHead(answer.status, answer.headers)
    response.end(answer.body)
    await once(response, 'finish')
    if (isChunk && answer.status === 200) this.acknowledged.push(key)
  }

  async #forward(request: IncomingMessage, body: Buffer) {
    if (this.target === null) throw new Error('the service is down')
    const { method, headers, url } = request
    const onward = forward(this.target + url, { method: method!, headers })
    onward.end(body)
    const [answer] = (await once(onward, 'response')) as [IncomingMessage]
    return {
      status: answer.statusCode!,
      headers: answer.headers,
      body: await read(answer, Infinity),
    }
  }
}

function page(response: ServerResponse, status: number, title: string): void {
  response.writeHead(status, { 'content-type': 'text/html' })
  response.end(`<h1>${status} ${title}</h1>`)
}

/** The body, or as much of it as is wanted; the rest is left in the socket. */
async function read(message: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  return new Promise((resolve, reject) => {
    message.on('data', (data: Buffer) => {
      parts.push(data)
      bytes += data.length
      if (bytes < bytesMax) return
      message.pause()
      resolve(Buffer.concat(parts))
    })
    message.on('end', () => resolve(Buffer.concat(parts)))
    message.on('close', () => reject(new Error('the browser disconnected')))
  })
}

function digestOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex')
}

/** File and index: the text fields come before the bytes. */
function chunkOf(body: Buffer): string {
  const text = body.toString('latin1', 0, 2000)
  const field = (name: string) => new RegExp(`name="${name}"\r\n\r\n([^\r]*)`).exec(text)?.[1]
  return `${field('fileId')} ${field('chunkIndex')}`
}
