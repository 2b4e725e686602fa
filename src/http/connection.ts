import type { Socket } from 'node:net'
import type { Exchange } from './exchange.ts'

/** Requests of one connection that are worked on before the first of them is answered. */
const workedOnMax = 4
/** As Node's headersTimeout, which it counts once. */
const headMsMax = 20_000

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
  #wasHeld = false
  #isHeadLate = false
  #headTimer: NodeJS.Timeout | undefined

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('end', () => {
      // Of a socket that was not read for a while it says nothing about when the client left.
      if (this.#wasHeld) return
      for (const work of this.#exchanges.values()) work.onShutDown()
    })
    // Node's parser resumes the socket after each message.
    socket.on('resume', () => {
      if (this.#waiting.length > 0) socket.pause()
    })
    socket.once('close', () => {
      clearTimeout(this.#headTimer)
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
    this.#isHeadLate = false
    clearTimeout(this.#headTimer)
    this.#exchanges.set(exchange, work)
    exchange.onEnd(() => {
      this.#exchanges.delete(exchange)
      this.#startNext()
      if (this.#isHeadLate && this.#exchanges.size === 0) this.#awaitHead()
    })
    if (this.#exchanges.size - this.#waiting.length <= workedOnMax) return work.start()
    this.#waiting.push(exchange)
    this.#wasHeld = true
    // What the socket has not read yet stays in the kernel. Its end is met by the next answer then.
    // Not at once: a resume that is scheduled already would undo it without telling.
    process.nextTick(() => {
      if (this.#waiting.length > 0) this.#socket.pause()
    })
  }

  /**
   * Node found the head of a request overdue. While others are worked on it may lie in the kernel,
   * and an answer to it would be taken for theirs: it gets its time once they are answered.
   * @returns false when there are no others: it is late
   */
  isHeadHeld(): boolean {
    this.#isHeadLate = this.#exchanges.size > 0
    return this.#isHeadLate
  }

  #awaitHead(): void {
    this.#headTimer = setTimeout(() => this.#socket.destroy(), headMsMax)
    this.#headTimer.unref()
  }

  #startNext(): void {
    // After an answer with `Connection: close` no other can leave.
    if (this.#socket.destroyed || this.#socket.writableEnded) return
    const next = this.#waiting.shift()
    if (!next) return
    if (this.#waiting.length === 0) this.#socket.resume()
    this.#exchanges.get(next)?.start()
  }
}
