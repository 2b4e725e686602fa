import type { Socket } from 'node:net'
import type { Exchange } from './exchange.ts'

/** Requests of one connection that are worked on before the first of them is answered. */
const workedOnMax = 4

/** What the listener does with a request. */
export interface Work {
  start(): void
  /** The client has shut down its side of the connection. */
  onShutDown(): void
}

/**
 * A client's connection with the requests that came over it, and the end of all of them: Node emits
 * `close` on the response that is on the wire alone, and not on pipelined ones behind it (RFC 9112
 * section 9.3.2; Node 20 and 22).
 */
export class Connection {
  readonly #socket: Socket
  /** In the order in which they came. */
  readonly #exchanges = new Map<Exchange, Work>()
  readonly #waiting: Exchange[] = []
  #isSilent = true

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('end', () => {
      for (const work of this.#exchanges.values()) work.onShutDown()
    })
    // Node's parser resumes the socket after each message.
    socket.on('resume', () => {
      if (this.#waiting.length > 0) socket.pause()
    })
    socket.once('close', () => {
      this.#waiting.length = 0
      for (const exchange of this.#exchanges.keys()) exchange.end()
    })
  }

  /** True until the first request: browsers open connections ahead of need. */
  get isSilent(): boolean {
    return this.#isSilent
  }

  /** Starts the work on a request, after the ones before it when there are many. */
  add(exchange: Exchange, work: Work): void {
    this.#isSilent = false
    this.#exchanges.set(exchange, work)
    exchange.onEnd(() => {
      this.#exchanges.delete(exchange)
      this.#startNext()
    })
    if (this.#exchanges.size - this.#waiting.length <= workedOnMax) return work.start()
    this.#waiting.push(exchange)
    // What the socket has not read yet stays in the kernel. Its end is met by the next answer then.
    this.#socket.pause()
  }

  #startNext(): void {
    const next = this.#waiting.shift()
    if (!next) return
    if (this.#waiting.length === 0) this.#socket.resume()
    this.#exchanges.get(next)?.start()
  }
}
