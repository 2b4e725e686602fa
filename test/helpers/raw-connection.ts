// A TCP connection that sends exactly the bytes of a test, and reads HTTP answers one by one.
import { connect, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import type { Client } from './client.ts'

export interface RawAnswer {
  readonly status: number
  /** Names in lower case; of repeated ones the last. */
  readonly headers: Record<string, string>
  readonly body: Buffer
  /** The body as JSON. */
  json<T = any>(): T
}

const answerTimeoutMs = 60_000

export class RawConnection {
  static readonly #open = new Set<Socket>()
  readonly #socket: Socket
  #isOver = false
  #wake: (() => void) | null = null
  readonly #pieces: Buffer[] = []
  #length = 0

  constructor(socket: Socket) {
    this.#socket = socket
    RawConnection.#open.add(socket)
    socket.on('data', (data: Buffer) => {
      this.#pieces.push(data)
      this.#length += data.length
      this.#wake?.()
    })
    // A reset is one of the ways in which a connection ends: `isOver` shows it.
    socket.on('error', () => {})
    socket.on('close', () => this.#end())
    socket.on('end', () => this.#end())
  }

  /** @param localAddress the client's address: any of 127.0.0.0/8 */
  static async open(url: string, localAddress?: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url)
    const from = localAddress === undefined ? {} : { localAddress }
    const socket = connect({ host: hostname, port: Number(port), noDelay: true, ...from })
    await once(socket, 'connect')
    return new RawConnection(socket)
  }

  /** For the end of a test, also of one that has failed. */
  static destroyAll(): void {
    for (const socket of RawConnection.#open) socket.destroy()
    RawConnection.#open.clear()
  }

  /** Whether the service has ended its side. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Resolves when the kernel has taken it, or the connection is gone. */
  send(data: string | Buffer): Promise<void> {
    return new Promise((resolve) => void this.#socket.write(data, () => resolve()))
  }

  /** Half-closes: nothing more is sent, answers are still read. */
  async finish(): Promise<void> {
    await new Promise<void>((resolve) => void this.#socket.end(resolve))
  }

  /** The next answer, interim ones (100) included. */
  async readAnswer(options: { isHead?: boolean } = {}): Promise<RawAnswer> {
    await this.#until('the head of an answer', () => this.#whole.includes('\r\n\r\n'))
    const headEnd = this.#whole.indexOf('\r\n\r\n')
    const [statusLine = '', ...lines] = this.#whole.toString('latin1', 0, headEnd).split('\r\n')
    const headers: Record<string, string> = {}
    for (const line of lines) {
      const [name = '', value = ''] = line.split(/:\s*(.*)/s)
      headers[name.toLowerCase()] = value
    }
    this.#take(headEnd + 4)
    const status = Number(statusLine.split(' ')[1])
    const isBodiless = options.isHead || status < 200 || status === 204 || status === 304
    const body = isBodiless ? Buffer.alloc(0) : await this.#readBody(headers['content-length'])
    return { status, headers, body, json: () => JSON.parse(body.toString('utf8')) }
  }

  /** Sends a request and reads the next answer. */
  async ask(data: string | Buffer): Promise<RawAnswer> {
    await this.send(data)
    return this.readAnswer()
  }

  /** Waits for at least this many bytes, which stay unread. */
  async received(bytes: number): Promise<void> {
    await this.#until(`${bytes} bytes`, () => this.#length >= bytes)
  }

  /** The bytes after the answers read so far; empty in a test where no bytes should follow. */
  get unread(): string {
    return this.#whole.toString('latin1')
  }

  /** Resolves when the service has closed the connection. */
  async over(): Promise<void> {
    await this.#until('the end of the connection', () => this.#isOver)
  }

  /** Reads nothing, so that sent bytes fill the buffers in between. */
  stopReading(): void {
    this.#socket.pause()
  }

  readOn(): void {
    this.#socket.resume()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /** Ends both sides at once: nothing more can be read. */
  reset(): void {
    this.#socket.resetAndDestroy()
  }

  async #readBody(length: string | undefined): Promise<Buffer> {
    if (length === undefined) await this.over()
    const bytes = length === undefined ? this.#length : Number(length)
    await this.#until('the body of an answer', () => this.#length >= bytes)
    return this.#take(bytes)
  }

  /** What has arrived and was not taken, put together once however many pieces came. */
  get #whole(): Buffer {
    if (this.#pieces.length !== 1) this.#pieces.splice(0, Infinity, Buffer.concat(this.#pieces))
    return this.#pieces[0]!
  }

  #take(bytes: number): Buffer {
    const received = this.#whole
    this.#pieces[0] = received.subarray(bytes)
    this.#length -= bytes
    return received.subarray(0, bytes)
  }

  #end(): void {
    this.#isOver = true
    this.#wake?.()
  }

  async #until(what: string, isDone: () => boolean): Promise<void> {
    const timer = setTimeout(() => this.#socket.destroy(), answerTimeoutMs)
    try {
      while (!isDone()) {
        if (this.#isOver) throw new Error(`the connection ended before ${what}`)
        await new Promise<void>((resolve) => (this.#wake = resolve))
      }
    } finally {
      clearTimeout(timer)
      this.#wake = null
    }
  }
}

/** Sends one request on a new connection and reads its answer. */
export async function rawRequest(url: string, data: string | Buffer): Promise<RawAnswer> {
  const connection = await RawConnection.open(url)
  try {
    return await connection.ask(data)
  } finally {
    connection.destroy()
  }
}

/** Connections that a server has open now. */
export function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}

/** A connection of an attacker, which reads nothing and never ends by itself. */
export async function attackFrom(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
  socket.on('error', () => {})
  socket.pause()
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  return socket
}

export const head = (line: string, fields: Readonly<Record<string, string | number>> = {}) =>
  `${line} HTTP/1.1\r\nHost: x\r\n${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

/** The head of a request of a client, for a body that the test sends itself. */
export const headOf = ({ token }: Client, line: string, fields: Record<string, string | number>) =>
  head(line, { Authorization: `Bearer ${token}`, ...fields })
