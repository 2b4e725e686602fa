import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * One request and its response, with the one signal that every wait of it races.
 * It aborts when the connection closes before the response has left (never on the request's
 * 'close', which fires as soon as the body is read).
 */
export class RequestContext {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly ip: string
  readonly signal: AbortSignal
  /** Whether it came with the credential of an account. */
  isAuthenticated = false
  /** Bytes of the body consumed so far; the watchdog and the discarder read it. */
  bodyBytes = 0
  /** Bytes of a list that the body became so far. */
  unpackedBytes = 0
  /** Bytes of a streamed answer that have left so far. */
  sentBytes = 0
  /** Whether `paused` was true since the watchdog last looked. */
  wasPaused = false
  /** Bytes a second that moved last; null while not known, or while we are the reason. */
  pace: number | null = null
  /** Bytes a second that a body must keep coming at. */
  receivePaceMin = 1024
  /** What the client waits for: decides which pace the watchdog asks of it. */
  phase: 'receiving' | 'working' | 'sending' = 'working'
  /** The client asked with `Expect: 100-continue` and has not been told to go on. */
  continuePending: boolean
  readonly #controller = new AbortController()
  #paused = false
  #isOnWire = false
  readonly #wakes: (() => void)[] = []
  #endings: (() => void)[] | null = []

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    ip: string,
    expectsContinue: boolean,
  ) {
    this.request = request
    this.response = response
    this.ip = ip
    this.signal = this.#controller.signal
    this.continuePending = expectsContinue
    response.once('close', () => this.end())
  }

  /** True while we, not the client, are the reason that no byte of the body moves. */
  get paused(): boolean {
    return this.#paused
  }

  set paused(isPaused: boolean) {
    this.#paused = isPaused
    this.wasPaused ||= isPaused
  }

  /** The answers before it on its connection have left: its own can. */
  reachWire(): void {
    this.#isOnWire = true
    for (const wake of this.#wakes.splice(0)) wake()
  }

  /**
   * Waits until its answer can leave. Before anything is taken that others wait for: behind an
   * answer that its client reads slowly it would be held for nothing.
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

  /** Calls back once, when the response has left or the connection has closed. */
  onEnd(callback: () => void): void {
    if (this.#endings) this.#endings.push(callback)
    else callback()
  }

  /** The response has left, or never will. Ending again does nothing. */
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
