import { connect, type Socket } from 'node:net'

export interface Reply {
  readonly status: number
  /** The status line and the headers. */
  readonly head: string
  /** Bytes of the body. */
  readonly bytes: number
  /** The body as text if requested, otherwise ''. */
  readonly text: string
}

export interface Sending {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string | number>>
  /** Buffers that are made once and only read. */
  readonly body?: readonly Buffer[]
  readonly keepsText?: boolean
}

const readBytes = 256 * 1024
const headBytesMax = 64 * 1024
/** A server that is silent for this long will not answer any more. */
const silenceMsMax = 120_000

/**
 * One HTTP/1.1 connection that does as little as possible, so that the server is measured: writes
 * prepared buffers, reads into one buffer, counts. One request at a time; every answer must have a
 * Content-Length or be chunked.
 */
export class Connection {
  readonly #socket: Socket
  #head: Buffer | null = Buffer.alloc(0)
  #headText = ''
  #status = 0
  #expected = 0
  #chunked: ChunkedBody | null = null
  #received = 0
  #texts: Buffer[] | null = null
  #settle: { resolve(reply: Reply): void; reject(error: Error): void } | null = null

  private constructor(port: number, localAddress: string) {
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      localAddress,
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafeSlow(readBytes),
        callback: (count, buffer) => {
          this.#take(Buffer.from(buffer.buffer, buffer.byteOffset, count))
          return true
        },
      },
    })
    this.#socket.setTimeout(silenceMsMax, () => {
      this.#socket.destroy(new Error('the server has gone quiet'))
    })
    this.#socket.on('error', (error) => this.#fail(error))
    this.#socket.on('close', () => this.#fail(new Error('the server closed the connection')))
  }

  /** @param localAddress any of 127.0.0.0/8: the server sees it as the client's */
  static async open(port: number, localAddress = '127.0.0.1'): Promise<Connection> {
    const connection = new Connection(port, localAddress)
    await new Promise<void>((resolve, reject) => {
      connection.#socket.once('connect', resolve).once('error', reject)
    })
    return connection
  }

  /** @throws Error when the connection breaks, or the answer is not 2xx */
  async send(sending: Sending): Promise<Reply> {
    const { method, path, headers = {}, body = [], keepsText = false } = sending
    this.#head = Buffer.alloc(0)
    this.#received = 0
    this.#texts = keepsText ? [] : null
    const answered = new Promise<Reply>((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    // Handled below; the answer may fail while the body is still being written.
    answered.catch(() => {})
    const length = body.reduce((sum, data) => sum + data.length, 0)
    const lines = Object.entries({ ...headers, 'Content-Length': length })
      .filter(([name, value]) => name !== 'Content-Length' || method !== 'GET' || value !== 0)
      .map(([name, value]) => `${name}: ${value}\r\n`)
    this.#socket.write(`${method} ${path} HTTP/1.1\r\nHost: bench\r\n${lines.join('')}\r\n`)
    for (const data of body) {
      if (this.#socket.write(data)) continue
      await Promise.race([new Promise((resolve) => this.#socket.once('drain', resolve)), answered])
      if (!this.#settle) break
    }
    const reply = await answered
    if (reply.status < 200 || reply.status > 299) {
      throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`)
    }
    return reply
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(data: Buffer): void {
    let body = data
    if (this.#head) {
      this.#head = Buffer.concat([this.#head, data])
      const end = this.#head.indexOf('\r\n\r\n')
      if (end < 0) {
        if (this.#head.length > headBytesMax) this.#socket.destroy(new Error('an endless head'))
        return
      }
      body = this.#head.subarray(end + 4)
      this.#readHead(this.#head.toString('latin1', 0, end))
      this.#head = null
    }
    if (!this.#isComplete(body)) return
    const text = Buffer.concat(this.#texts ?? []).toString('utf8')
    const head = this.#headText
    this.#settle?.resolve({ status: this.#status, head, bytes: this.#received, text })
    this.#settle = null
  }

  #isComplete(data: Buffer): boolean {
    if (this.#chunked) return this.#chunked.take(data)
    this.#count(data)
    return this.#received >= this.#expected
  }

  #count(content: Buffer): void {
    this.#received += content.length
    if (this.#texts && content.length > 0) this.#texts.push(Buffer.from(content))
  }

  #readHead(head: string): void {
    this.#headText = head
    this.#status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1])
    const length = this.#status === 204 ? '0' : headerOf(head, 'content-length')
    const isChunked = headerOf(head, 'transfer-encoding') === 'chunked'
    this.#chunked = isChunked ? new ChunkedBody((content) => this.#count(content)) : null
    if (length === null && !isChunked) {
      this.#socket.destroy(new Error('an answer without its length'))
    }
    this.#expected = Number(length)
    // A refusal is short, and gives a reason.
    if (this.#status >= 400) this.#texts ??= []
  }

  #fail(error: Error): void {
    this.#settle?.reject(error)
    this.#settle = null
  }
}

/** The value of a header, from the head of an answer. */
export function headerOf(head: string, name: string): string | null {
  return new RegExp(`^${name}: *(.*?) *$`, 'im').exec(head)?.[1] ?? null
}

/** Opens `count` connections, at most `perAddressMax` of them from one client address. */
export async function openConnections(
  port: number,
  count: number,
  perAddressMax = Infinity,
): Promise<Connection[]> {
  const opening = Array.from({ length: count }, (_, index) => {
    const host = 1 + Math.floor(index / perAddressMax)
    return Connection.open(port, `127.0.0.${host}`)
  })
  return Promise.all(opening)
}

/** Runs tasks, each on the next free connection. */
export async function onConnections<Task>(
  connections: readonly Connection[],
  tasks: readonly Task[],
  run: (connection: Connection, task: Task) => Promise<void>,
): Promise<void> {
  const left = tasks.values()
  await Promise.all(
    connections.map(async (connection) => {
      for (const task of left) await run(connection, task)
    }),
  )
}

/** Reads a chunked body (RFC 9112, 7.1): hands on its content, and finds its end. */
class ChunkedBody {
  readonly #onContent: (data: Buffer) => void
  #left = 0
  #line = ''
  #isInTrailer = false

  constructor(onContent: (data: Buffer) => void) {
    this.#onContent = onContent
  }

  /** Returns true once the body is complete. */
  take(data: Buffer): boolean {
    let at = 0
    while (at < data.length) {
      if (this.#left > 0) {
        const count = Math.min(this.#left, data.length - at)
        this.#onContent(data.subarray(at, at + count))
        this.#left -= count
        at += count
        continue
      }
      const end = data.indexOf('\n', at)
      const next = end < 0 ? data.length : end + 1
      this.#line += data.toString('latin1', at, next)
      at = next
      if (end >= 0 && this.#takeLine()) return true
    }
    return false
  }

  #takeLine(): boolean {
    const line = this.#line.trim()
    this.#line = ''
    if (this.#isInTrailer) return line === ''
    // The line end behind a chunk.
    if (line === '') return false
    this.#left = Number.parseInt(line, 16)
    if (!(this.#left >= 0)) throw new Error(`no size of a chunk: ${line}`)
    this.#isInTrailer = this.#left === 0
    return false
  }
}
