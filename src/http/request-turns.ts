import { IncomingMessage } from 'node:http'
import { FairQueue, type Requester } from '../lib/permits.ts'

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

const smallBytesMax = 4 * 1024
const gatheredMax = 1000

/**
 * A request that delivers its body in few pieces. Node makes a buffer for every chunk of a chunked
 * body (RFC 9112 section 7.1), and one for a single byte takes two hundred: small ones that arrive
 * together are joined before anything keeps them. Parsing 64 KiB of such chunks takes 10 ms, so
 * after a thousand of them the next data of the socket waits for a turn.
 */
export class GatheredRequest extends IncomingMessage {
  /** Calls back when it may read on: see RequestTurns. */
  queue: (readOn: () => void) => void = (readOn) => readOn()
  /** Called when data of the socket had very many chunks. */
  onCostly: () => void = () => {}
  #gathered: Buffer[] = []
  #wasCostly = false
  #isQueued = false

  override _read(size: number): void {
    if (this.#isQueued) return
    if (!this.#wasCostly) return super._read(size)
    this.#wasCostly = false
    this.#isQueued = true
    this.queue(() => {
      this.#isQueued = false
      super._read(size)
    })
  }

  override push(data: Buffer | null): boolean {
    if (data === null || data.length > smallBytesMax) {
      this.#handOver()
      return super.push(data)
    }
    // An immediate runs once the present data of the socket is parsed.
    if (this.#gathered.length === 0) setImmediate(() => this.#flush())
    this.#gathered.push(data)
    if (this.#gathered.length < gatheredMax) return true
    this.#handOver()
    this.#wasCostly = true
    this.onCostly()
    // Node's parser pauses the socket until `_read`.
    return false
  }

  #flush(): void {
    // Like Node's reaction to `push`: pauses the socket until the body is read.
    if (!this.destroyed && !this.#handOver()) this.socket.pause()
  }

  #handOver(): boolean {
    if (this.#gathered.length === 0) return true
    const [first] = this.#gathered
    const data = this.#gathered.length === 1 ? first : Buffer.concat(this.#gathered)
    this.#gathered = []
    return super.push(data)
  }
}
