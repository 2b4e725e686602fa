import { CodedError } from '../lib/errors.ts'
import type { Clock } from '../lib/clock.ts'
import type { Exchange } from './exchange.ts'

/** An answer must keep going at this pace; for bodies see Exchange.receivePaceMin. */
const sendBytesPerSecondMin = 4 * 1024
/** The pace is judged over this time, so that a pause of a phone in a tunnel is forgiven. */
export const patienceMs = 60_000

/** No answer takes longer, at whatever pace: bytes that have expired are kept for it. */
const sendMsMax = 24 * 60 * 60_000

interface Watched {
  readonly addedAt: number
  phase: Exchange['phase']
  since: number
  bytes: number
}

/**
 * Ends transfers whose client has stopped moving bytes. Node's own requestTimeout cannot do this:
 * it bounds the whole request, and so cuts every long upload.
 */
export class Watchdog {
  readonly #clock: Clock
  readonly #watched = new Map<Exchange, Watched>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(exchange: Exchange): void {
    const now = this.#clock.monotonic()
    this.#watched.set(exchange, { addedAt: now, phase: 'working', since: now, bytes: 0 })
    exchange.response.once('close', () => this.#watched.delete(exchange))
  }

  get size(): number {
    return this.#watched.size
  }

  /** Looks at every exchange once; serve calls it every few seconds. */
  check(): void {
    const now = this.#clock.monotonic()
    for (const [exchange, watched] of this.#watched) {
      if (exchange.phase === 'sending' && now - watched.addedAt > sendMsMax) {
        cut(exchange)
        continue
      }
      const moved = movedBytes(exchange)
      const restarts =
        watched.phase !== exchange.phase || exchange.paused || exchange.phase === 'working'
      if (restarts) {
        Object.assign(watched, { phase: exchange.phase, since: now, bytes: moved })
        continue
      }
      const elapsedMs = now - watched.since
      if (elapsedMs < patienceMs) continue
      const pace = ((moved - watched.bytes) / elapsedMs) * 1000
      Object.assign(watched, { since: now, bytes: moved })
      if (pace < (exchange.phase === 'sending' ? sendBytesPerSecondMin : exchange.receivePaceMin)) {
        cut(exchange)
      }
    }
  }
}

function movedBytes(exchange: Exchange): number {
  if (exchange.phase === 'receiving') return exchange.bodyBytes
  const socket = exchange.response.socket
  return socket ? socket.bytesWritten - socket.writableLength : 0
}

function cut(exchange: Exchange): void {
  const tooSlow = new CodedError('request_timeout', { message: 'Too few bytes came in time.' })
  exchange.abort(tooSlow)
  if (exchange.phase === 'sending') exchange.response.destroy()
}
