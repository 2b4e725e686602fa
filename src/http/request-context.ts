import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Clock } from '../lib/clock.ts'
import { randomRequestId } from '../lib/random-id.ts'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { hasBody } from './body.ts'
import { FairQueue, type Requester } from '../lib/permits.ts'

export interface RequestContextOptions {
  readonly ip: string
  /** Address of the other end of the connection; `unixPeer` for a Unix socket. */
  readonly peer: string
  readonly id: string
  /** The client waits for permission before it sends its body. */
  readonly expectsContinue: boolean
  readonly clock: Clock
  readonly basePath: string
  /** Calls back when it may go on: see RequestTurns. */
  readonly queue: (start: () => void) => void
}

/**
 * One request and its response, with the one signal that all of its waits race. It aborts when the
 * connection closes before the response has left (never on the request's 'close', which fires as
 * soon as the body is read).
 */
export class RequestContext {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly ip: string
  readonly peer: string
  /** Names the request in its answer (`X-Request-Id`) and in the log. */
  readonly id: string
  readonly signal: AbortSignal
  /** Before every path in an answer: '' or, for example, `/files`. Requests come without it. */
  readonly basePath: string
  /** Whether it has valid credentials of an account. */
  isAuthenticated = false
  /** Consumed bytes of the body, read by the watchdog and when discarding. */
  bodyBytes = 0
  /** Uncompressed bytes of a list in the body so far. */
  unpackedBytes = 0
  /** Sent bytes of a streamed answer. */
  sentBytes = 0
  /** Whether `paused` was true since the watchdog last looked. */
  wasPaused = false
  /** Latest bytes per second; null while unknown, or while the service is the cause. */
  pace: number | null = null
  /** Minimum bytes per second of a body. */
  receivePaceMin = 1024
  /** The present phase, which decides the pace that the watchdog requires. */
  phase: 'receiving' | 'working' | 'sending' = 'working'
  /** Monotonic time at which the answer began; null before. */
  answeredAt: number | null = null
  /** The client sent `Expect: 100-continue` and still waits for permission. */
  continuePending: boolean
  readonly #clock: Clock
  readonly #queue: RequestContextOptions['queue']
  readonly #controller = new AbortController()
  #paused = false
  #isOnWire = false
  #isEndUnmarked = false
  readonly #wakes: (() => void)[] = []
  #endings: (() => void)[] | null = []

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    { ip, peer, id, expectsContinue, clock, basePath, queue }: RequestContextOptions,
  ) {
    this.request = request
    this.response = response
    this.ip = ip
    this.peer = peer
    this.id = id
    this.basePath = basePath
    this.#clock = clock
    this.#queue = queue
    this.signal = this.#controller.signal
    this.continuePending = expectsContinue
    response.once('close', () => this.end())
  }

  /** True while the service, not the client, is the reason that no byte of the body moves. */
  get paused(): boolean {
    return this.#paused
  }

  set paused(isPaused: boolean) {
    this.#paused = isPaused
    this.wasPaused ||= isPaused
  }

  /** Earlier answers on the connection have left, so its own can begin. */
  reachWire(): void {
    this.#isOnWire = true
    for (const wake of this.#wakes.splice(0)) wake()
  }

  /**
   * Waits until its answer can leave. Call it before taking anything that others wait for: behind
   * an answer that its client reads slowly, that would be held for nothing.
   * @throws the signal's reason
   */
  async awaitWire(): Promise<void> {
    this.signal.throwIfAborted()
    if (this.#isOnWire) return
    await new Promise<void>((resolve) => {
      this.#wakes.push(resolve)
      this.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    this.signal.throwIfAborted()
  }

  /**
   * Waits for another turn. Call it before each step of a long answer that takes about a
   * millisecond, so that thousands of them delay others by a few steps.
   */
  takeTurn(): Promise<void> {
    return new Promise((resolve) => this.#queue(resolve))
  }

  /** Calls back once, when the response has left or the connection has closed. */
  onEnd(callback: () => void): void {
    if (this.#endings) this.#endings.push(callback)
    else callback()
  }

  /** The response has left, or never will. Further calls do nothing. */
  end(): void {
    const endings = this.#endings
    if (!endings) return
    this.#endings = null
    const hasLeft = this.response.writableFinished
    if (!hasLeft) this.abort(new Error('the client closed the connection'))
    for (const ending of endings) ending()
  }

  abort(reason: Error): void {
    this.#controller.abort(reason)
  }

  /** Begins the answer. The object of headers must be new: it gets one more. */
  writeHead(status: number, headers: OutgoingHttpHeaders): void {
    this.phase = 'sending'
    this.answeredAt = this.#clock.monotonic()
    headers['X-Request-Id'] = this.id
    this.#isEndUnmarked = this.#isOld && headers['Content-Length'] === undefined
    this.response.writeHead(status, headers)
  }

  /** Closes the connection, so that its client does not take a part of the answer for all of it. */
  breakOff(): void {
    const { response, request } = this
    if (this.#isEndUnmarked && !response.writableFinished) resetSocket(request.socket)
    else response.destroy()
  }

  /** Whether the client notices when an answer without a length is broken off. */
  get showsBreaks(): boolean {
    return !this.#isOld || this.request.socket.remoteAddress !== undefined
  }

  /** Its client knows no chunks. */
  get #isOld(): boolean {
    return this.request.httpVersion === '1.0'
  }

  /** Tells a waiting client to send its body. */
  startBody(): void {
    this.phase = 'receiving'
    if (!this.continuePending) return
    this.continuePending = false
    this.response.writeContinue()
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }
}

/** Bounded and plain, because it goes into headers and log lines. */
const requestIdPattern = /^[A-Za-z0-9._-]{1,64}$/

/**
 * The id of a request: a trusted proxy's, so that its log and ours can be joined, otherwise a
 * random one. Clients choose it only if a proxy passes their header on.
 */
export function requestIdOf(
  header: string | readonly string[] | undefined,
  isFromProxy: () => boolean,
): string {
  // Looking the proxy up takes longer than all the rest.
  if (typeof header === 'string' && requestIdPattern.test(header) && isFromProxy()) return header
  return randomRequestId()
}

/** What `resetAndDestroy` uses (lib/net.js of Node 20 to 24). */
interface Resettable {
  resetAndClosing?: boolean
  readonly _handle?: { readonly reset?: unknown } | null
}

/**
 * Closes a connection by a reset, at once. After an answer of HTTP/1.0 without a length, an
 * ordinary end would say that it is complete (RFC 9112 section 6.3); `resetAndDestroy` sends one
 * before the reset. On TLS a missing close_notify says that it is not (RFC 8446 section 6.1); for
 * Unix sockets see `RequestContext.showsBreaks`.
 */
export function resetSocket(socket: Socket): void {
  const resettable = socket as unknown as Resettable
  if (typeof resettable._handle?.reset === 'function') resettable.resetAndClosing = true
  socket.destroy()
}

// A client may shut down its side after the request and still read (RFC 9112 section 9.6). A client
// that closes its connection looks the same until something is sent to it.

/** A client that still reads shuts down right after its request, not later. */
const shutDownMsMax = 5_000
/** More than the round trip of most clients: a reset has arrived by then. */
const resetMsMax = 100

/**
 * Watches for a shutdown after a request has been received.
 * @returns function to call when the client shuts down its side; it closes the connection if the
 *   client has gone before its answer began
 */
export function watchHalfClose(context: RequestContext, clock: Clock): () => void {
  const { request, response } = context
  const { socket } = request
  let receivedAt = hasBody(context) ? null : clock.monotonic()
  request.once('end', () => {
    receivedAt ??= clock.monotonic()
  })
  return () => {
    if (response.headersSent || receivedAt === null) return
    if (clock.monotonic() - receivedAt >= shutDownMsMax) socket.destroy()
  }
}

/** Sends the head of an answer to a client that has shut down, and waits for a reset. */
export async function awaitReset({ request, response, signal }: RequestContext): Promise<void> {
  if (!request.socket.readableEnded) return
  response.flushHeaders()
  await delay(resetMsMax, undefined, { signal, ref: false }).catch(() => {})
}

/** Requests that start in one turn of the event loop: each takes up to a few milliseconds. */
const startsMax = 8
/** While connections wait: libuv accepts one in each turn, so that turns must be short. */
const startsWhileAccepting = 1

interface Waiting {
  readonly for: Requester
  readonly start: () => void
}

/**
 * Starts a few requests in each turn of the event loop, in fair turns of networks and addresses
 * (see FairQueue): thousands of one client delay those of others by one each. The connections and
 * their pipelined requests, which are bounded, bound the queue.
 */
export class RequestTurns {
  readonly #queue = new FairQueue<Waiting>()
  #startsLeft = startsMax
  #isAccepting = false
  #isScheduled = false

  get waiting(): number {
    return this.#queue.size
  }

  /** A connection was accepted in this turn: another one may wait behind it. */
  noteConnection(): void {
    this.#isAccepting = true
    this.#startsLeft = Math.min(this.#startsLeft, startsWhileAccepting)
    this.#schedule()
  }

  /**
   * Starts a request now or in a later turn.
   * @returns function that forgets a request that has not started
   */
  add(requester: Requester, start: () => void): () => void {
    this.#schedule()
    if (this.#queue.size === 0 && this.#startsLeft > 0) {
      this.#startsLeft -= 1
      start()
      return () => {}
    }
    const waiting = { for: requester, start }
    this.#queue.add(waiting)
    return () => this.#queue.delete(waiting)
  }

  /** An immediate runs after the events of a turn. */
  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#nextTurn())
  }

  #nextTurn(): void {
    this.#isScheduled = false
    this.#startsLeft = this.#isAccepting ? startsWhileAccepting : startsMax
    this.#isAccepting = false
    while (this.#startsLeft > 0) {
      const next = this.#queue.take()
      if (!next) break
      this.#startsLeft -= 1
      next.start()
    }
    if (this.#queue.size > 0) this.#schedule()
  }
}
