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
