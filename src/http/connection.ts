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

/** What a connection tells of itself. */
export interface ConnectionWatcher {
  /** Without or with requests. */
  setIdle(connection: Connection, isIdle: boolean): void
  /** Counts a request that waits behind others; false when too many do. */
  tryHold(): boolean
  releaseHeld(count: number): void
}

/**
 * A client's connection with the requests that came over it, and the end of all of them: Node emits
 * `close` on the response that is on the wire alone, and not on pipelined ones behind it (RFC 9112
 * section 9.3.2; Node 20 and 22).
 */
export class Connection {
  readonly #socket: Socket
  readonly #headMsMax: number
  readonly #watcher: ConnectionWatcher
  /** In the order in which they came. */
  readonly #exchanges = new Map<Exchange, Work>()
  readonly #waiting: Exchange[] = []
  #onDestroy = () => {}
  #wasHeld = false
  #isHeadLate = false
  #takesMore = true
  #headTimer: NodeJS.Timeout | undefined

  /** @param headMsMax time for a head that Node found overdue while it was held */
  constructor(socket: Socket, headMsMax: number, watcher: ConnectionWatcher) {
    this.#socket = socket
    this.#headMsMax = headMsMax
    this.#watcher = watcher
    socket.on('end', () => {
      // A paused socket delivers the end late: it does not tell when the client left.
      if (this.#wasHeld) return
      for (const work of this.#exchanges.values()) work.onShutDown()
    })
    // Node's parser resumes the socket after each message.
    socket.on('resume', () => {
      if (this.#waiting.length > 0) socket.pause()
    })
    socket.once('close', () => {
      clearTimeout(this.#headTimer)
      this.#watcher.releaseHeld(this.#waiting.length)
      this.#waiting.length = 0
      for (const exchange of this.#exchanges.keys()) exchange.end()
    })
  }

  /** Calls back when the connection is destroyed from here, before its socket tells. */
  onDestroy(callback: () => void): void {
    this.#onDestroy = callback
  }

  destroy(): void {
    this.#onDestroy()
    this.#socket.destroy()
  }

  /** Starts the work on a request, after the ones before it when there are many. */
  add(exchange: Exchange, work: Work): void {
    this.#isHeadLate = false
    clearTimeout(this.#headTimer)
    this.#exchanges.set(exchange, work)
    if (this.#exchanges.size === 1) {
      this.#watcher.setIdle(this, false)
      exchange.reachWire()
    }
    exchange.onEnd(() => {
      this.#exchanges.delete(exchange)
      const [first] = this.#exchanges.keys()
      first?.reachWire()
      this.#startNext()
      if (this.#exchanges.size > 0) return
      if (this.#isHeadLate) this.#awaitHead()
      this.#watcher.setIdle(this, true)
    })
    if (!this.#takesMore) return
    if (this.#exchanges.size - this.#waiting.length <= workedOnMax) return work.start()
    // Node's parser hands over all it has read: thousands of requests. The client repeats them
    // (RFC 9112 section 9.3.2).
    if (!this.#watcher.tryHold()) return this.destroy()
    this.#waiting.push(exchange)
    this.#wasHeld = true
    // Unread bytes stay in the kernel. While paused, a reset shows at the next write only.
    // Not at once: a resume that is scheduled already would undo it without telling.
    process.nextTick(() => {
      if (this.#waiting.length > 0) this.#socket.pause()
    })
  }

  /** What follows on the connection is not to be taken for requests. */
  takeNoMore(): void {
    this.#takesMore = false
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
    this.#headTimer = setTimeout(() => this.#socket.destroy(), this.#headMsMax)
    this.#headTimer.unref()
  }

  #startNext(): void {
    // After an answer with `Connection: close` no other can leave.
    if (this.#socket.destroyed || this.#socket.writableEnded) return
    const next = this.#waiting.shift()
    if (!next) return
    this.#watcher.releaseHeld(1)
    if (this.#waiting.length === 0) this.#socket.resume()
    this.#exchanges.get(next)?.start()
  }
}
