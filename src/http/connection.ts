import type { Socket } from 'node:net'
import type { Connections } from './connections.ts'
import type { RequestContext } from './request-context.ts'

/** Requests of one connection that run before the first of them is answered. */
const workedOnMax = 4

export interface Work {
  start(): void
  /** The client has shut down its side of the connection. */
  onShutDown(): void
}

/**
 * A client's connection with its requests, which all end with it: Node emits `close` only on the
 * response that is being sent, not on pipelined ones behind it (RFC 9112 section 9.3.2; Node 20 and
 * 22).
 */
export class ClientConnection {
  readonly #socket: Socket
  readonly #headMsMax: number
  readonly #all: Connections
  /** In the order of arrival. */
  readonly #contexts = new Map<RequestContext, Work>()
  readonly #waiting: RequestContext[] = []
  #onDestroy = () => {}
  #wasHeld = false
  #isFresh = true
  #isHeadLate = false
  #takesMore = true
  #headTimer: NodeJS.Timeout | undefined

  /** @param headMsMax time for a head that Node found overdue while the connection was paused */
  constructor(socket: Socket, headMsMax: number, all: Connections) {
    this.#socket = socket
    this.#headMsMax = headMsMax
    this.#all = all
    socket.on('end', () => {
      // A paused socket delivers the end late, so this is not the moment when the client left.
      if (this.#wasHeld) return
      for (const work of this.#contexts.values()) work.onShutDown()
    })
    // Node's parser resumes the socket after each message.
    socket.on('resume', () => {
      if (this.#waiting.length > 0) socket.pause()
    })
    socket.once('close', () => {
      clearTimeout(this.#headTimer)
      this.#all.releaseHeld(this.#waiting.length)
      this.#waiting.length = 0
      for (const context of this.#contexts.keys()) context.end()
    })
  }

  /** Whether no request has come yet: one may be on its way. */
  get isFresh(): boolean {
    return this.#isFresh
  }

  /** Calls back when this object destroys the connection, before the socket emits it. */
  onDestroy(callback: () => void): void {
    this.#onDestroy = callback
  }

  destroy(): void {
    this.#onDestroy()
    const [sent] = this.#contexts.keys()
    if (sent?.phase === 'sending') sent.breakOff()
    this.#socket.destroy()
  }

  /** Starts a request, or queues it while many are running. */
  add(context: RequestContext, work: Work): void {
    this.#isFresh = false
    this.#isHeadLate = false
    clearTimeout(this.#headTimer)
    this.#contexts.set(context, work)
    if (this.#contexts.size === 1) {
      this.#all.setIdle(this, false)
      context.reachWire()
    }
    context.onEnd(() => {
      this.#contexts.delete(context)
      const [first] = this.#contexts.keys()
      first?.reachWire()
      this.#startNext()
      if (this.#contexts.size > 0) return
      if (this.#isHeadLate) this.#awaitHead()
      this.#all.setIdle(this, true)
    })
    if (!this.#takesMore) return
    if (this.#contexts.size - this.#waiting.length <= workedOnMax) return work.start()
    // Node's parser hands over everything it has read: thousands of requests. The client repeats
    // dropped ones (RFC 9112 section 9.3.2).
    if (!this.#all.tryHold()) return this.destroy()
    this.#waiting.push(context)
    this.#wasHeld = true
    // Unread bytes stay in the kernel. While paused, a reset shows only at the next write. Not at
    // once, because an already scheduled resume would silently undo it.
    process.nextTick(() => {
      if (this.#waiting.length > 0) this.#socket.pause()
    })
  }

  /** Further bytes on the connection must not be parsed as requests. */
  takeNoMore(): void {
    this.#takesMore = false
  }

  /**
   * Node found the head of a request overdue. While other requests run, it may still be in the
   * kernel, and its error would be taken for their answer: its time starts after they are answered.
   * @returns false without other requests: it is really late
   */
  isHeadHeld(): boolean {
    this.#isHeadLate = this.#contexts.size > 0
    return this.#isHeadLate
  }

  #awaitHead(): void {
    this.#headTimer = setTimeout(() => this.#socket.destroy(), this.#headMsMax)
    this.#headTimer.unref()
  }

  #startNext(): void {
    // No answer can follow one with `Connection: close`.
    if (this.#socket.destroyed || this.#socket.writableEnded) return
    const next = this.#waiting.shift()
    if (!next) return
    this.#all.releaseHeld(1)
    if (this.#waiting.length === 0) this.#socket.resume()
    this.#contexts.get(next)?.start()
  }
}
