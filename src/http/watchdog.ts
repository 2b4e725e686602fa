import type { Transfer } from '../lib/byte-budget.ts'
import { CodedError } from '../lib/errors.ts'
import type { Clock } from '../lib/clock.ts'
import { limiterKey, networkOf } from './client-ip.ts'
import type { RequestContext } from './request-context.ts'

/** The pace is judged over this time, so that a pause of a phone in a tunnel is forgiven. */
export const patienceMs = 60_000

/** An answer must keep going at this pace; for bodies see RequestContext.receivePaceMin. */
const sendBytesPerSecondMin = 4 * 1024
/**
 * What an answer may be ahead of its pace. The kernel takes bytes in lumps of megabytes and the
 * client reads them in its own time: for minutes nothing leaves us though all is well.
 */
const sendCreditMax = 8 * 1024 * 1024
/** Credit to begin with: five minutes. */
const sendCreditFirst = sendBytesPerSecondMin * 5 * 60

/** No answer takes longer, at whatever pace: bytes that have expired are kept for it. */
const sendMsMax = 24 * 60 * 60_000

/** The pace of the moment is that of this time at least. */
const paceMsMin = 2_000
/** Below it a transfer is slow: ended first when others wait for what it holds. */
const slowBytesPerSecond = 16 * 1024

/** What an request had moved, and when. */
type Sample = readonly [atMs: number, bytes: number]

interface Watched {
  readonly addedAt: number
  phase: RequestContext['phase']
  since: number
  bytes: number
  /** Bytes that an answer is ahead of its pace. */
  credit: number
  /** The latest ones, oldest first. */
  samples: readonly Sample[]
  /** When bytes were last seen to move. */
  movedAt: number
}

/**
 * Ends transfers whose client has stopped moving bytes. Node's own requestTimeout cannot do this:
 * it bounds the whole request, and so cuts every long upload.
 */
export class Watchdog {
  readonly #clock: Clock
  readonly #watched = new Map<RequestContext, Watched>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(context: RequestContext): void {
    const now = this.#clock.monotonic()
    this.#watched.set(context, {
      addedAt: now,
      phase: 'working',
      since: now,
      bytes: 0,
      credit: 0,
      samples: [],
      movedAt: now,
    })
    context.onEnd(() => this.#watched.delete(context))
  }

  get size(): number {
    return this.#watched.size
  }

  /**
   * Exchanges that are slow, as far as is known after two seconds: the slowest first, and of equal
   * ones those that have stood still for the longest time.
   */
  listSlow(): RequestContext[] {
    return [...this.#watched]
      .filter(([{ pace }]) => pace !== null && pace < slowBytesPerSecond)
      .toSorted(([one, { movedAt }], [other, { movedAt: otherMovedAt }]) => {
        return one.pace! - other.pace! || movedAt - otherMovedAt
      })
      .map(([context]) => context)
  }

  /** Looks at every request once; the listener calls it every second. */
  check(): void {
    const now = this.#clock.monotonic()
    for (const [context, watched] of this.#watched) {
      const bytes = movedBytes(context)
      const restarts =
        watched.phase !== context.phase ||
        context.paused ||
        context.phase === 'working' ||
        // Behind the answer to an earlier request of its connection.
        (context.phase === 'sending' && context.response.socket === null)
      if (restarts) {
        const { phase } = context
        const restarted = { since: now, bytes, credit: sendCreditFirst, samples: [], movedAt: now }
        Object.assign(watched, { phase, ...restarted })
        context.pace = null
        continue
      }
      if (context.wasPaused) watched.samples = []
      context.wasPaused = context.paused
      notePace(context, watched, [now, bytes])
      const isTooSlow =
        context.phase === 'sending'
          ? isSendingTooSlowly(watched, bytes, now)
          : isReceivingTooSlowly(context, watched, bytes, now)
      if (isTooSlow) endSlow(context)
    }
  }
}

function notePace(context: RequestContext, watched: Watched, sample: Sample): void {
  const [now, bytes] = sample
  const last = watched.samples.at(-1)
  if (last === undefined || bytes > last[1]) watched.movedAt = now
  const samples = [...watched.samples, sample]
  // The youngest one that is old enough, and those after it.
  const from = samples.findLastIndex(([at]) => now - at >= paceMsMin)
  watched.samples = samples.slice(Math.max(0, from))
  const first = from < 0 ? undefined : samples[from]
  context.pace = first ? ((bytes - first[1]) / (now - first[0])) * 1000 : null
}

/** Looked at every time: what has left is credit for the time it takes to read it. */
function isSendingTooSlowly(watched: Watched, bytes: number, now: number): boolean {
  if (now - watched.addedAt > sendMsMax) return true
  const due = ((now - watched.since) / 1000) * sendBytesPerSecondMin
  const credit = Math.min(watched.credit + bytes - watched.bytes, sendCreditMax) - due
  Object.assign(watched, { since: now, bytes, credit })
  return credit <= 0
}

/** Looked at once a minute: what comes to us we see at once. */
function isReceivingTooSlowly(
  context: RequestContext,
  watched: Watched,
  bytes: number,
  now: number,
): boolean {
  const elapsedMs = now - watched.since
  if (elapsedMs < patienceMs) return false
  const pace = ((bytes - watched.bytes) / elapsedMs) * 1000
  Object.assign(watched, { since: now, bytes })
  return pace < context.receivePaceMin
}

function movedBytes(context: RequestContext): number {
  if (context.phase === 'receiving') return context.bodyBytes
  const socket = context.response.socket
  return socket ? socket.bytesWritten - socket.writableLength : 0
}

/** An request as one of those that share a budget. */
export function transferOf(context: RequestContext): Transfer {
  return {
    client: limiterKey(context.ip),
    network: networkOf(context.ip) ?? '',
    isOwner: context.isAuthenticated,
    signal: context.signal,
    pace: () => context.pace,
    end: () => endSlow(context),
  }
}

/** Ends a transfer whose client is too slow. */
function endSlow(context: RequestContext): void {
  const tooSlow = new CodedError('request_timeout', { message: 'The request arrived too slowly.' })
  context.abort(tooSlow)
  if (context.phase === 'sending') context.response.destroy()
}
