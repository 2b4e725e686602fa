import type { Transfer } from '../lib/byte-budget.ts'
import { CodedError } from '../lib/errors.ts'
import type { Clock } from '../lib/clock.ts'
import { limiterKey, networkOf } from './client-ip.ts'
import type { RequestContext } from './request-context.ts'

/** The pace is judged over this time, so that a phone in a tunnel is tolerated. */
export const patienceMs = 60_000

/** Minimum pace of an answer; for bodies see RequestContext.receivePaceMin. */
const sendBytesPerSecondMin = 4 * 1024
/**
 * How far an answer may be ahead of its pace. The kernel takes megabytes at once and the client
 * reads them in its own time, so a healthy transfer may send nothing for minutes.
 */
const sendCreditMax = 8 * 1024 * 1024
/** Initial credit: five minutes. */
const sendCreditFirst = sendBytesPerSecondMin * 5 * 60

/** Maximum time of an answer at any pace, because expired bytes are kept for it. */
const sendMsMax = 24 * 60 * 60_000

/** Minimum time over which the latest pace is measured. */
const paceMsMin = 2_000
/** A slower transfer is ended first when others wait for its resources. */
const slowBytesPerSecond = 16 * 1024

/** How much a request had moved, and when. */
type Sample = readonly [atMs: number, bytes: number]

interface Watched {
  readonly addedAt: number
  phase: RequestContext['phase']
  since: number
  bytes: number
  /** Bytes that an answer is ahead of its pace. */
  credit: number
  /** Latest samples, oldest first. */
  samples: readonly Sample[]
  movedAt: number
}

/**
 * Ends transfers of clients that have stopped moving bytes. Node's own requestTimeout cannot do
 * this: it bounds the whole request, and so ends every long upload.
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
   * Requests that are slow, as far as known after two seconds: slowest first, and among equals
   * those that have stood still for the longest time.
   */
  listSlow(): RequestContext[] {
    return [...this.#watched]
      .filter(([{ pace }]) => pace !== null && pace < slowBytesPerSecond)
      .toSorted(([one, { movedAt }], [other, { movedAt: otherMovedAt }]) => {
        return one.pace! - other.pace! || movedAt - otherMovedAt
      })
      .map(([context]) => context)
  }

  /** Examines every request once; the listener calls it every half second. */
  check(): void {
    const now = this.#clock.monotonic()
    for (const [context, watched] of this.#watched) {
      const bytes = movedBytes(context)
      const restarts =
        watched.phase !== context.phase ||
        context.paused ||
        context.phase === 'working' ||
        // Waits behind the answer to an earlier request on its connection.
        (context.phase === 'sending' && context.response.socket === null)
      if (restarts) {
        const { phase } = context
        const samples: Sample[] = [[now, bytes]]
        const restarted = { since: now, bytes, credit: sendCreditFirst, samples, movedAt: now }
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
  // The youngest sample that is old enough, and the later ones.
  const from = samples.findLastIndex(([at]) => now - at >= paceMsMin)
  watched.samples = samples.slice(Math.max(0, from))
  const first = from < 0 ? undefined : samples[from]
  context.pace = first ? ((bytes - first[1]) / (now - first[0])) * 1000 : null
}

/** Checked every time: sent bytes are credit for the time it takes to read them. */
function isSendingTooSlowly(watched: Watched, bytes: number, now: number): boolean {
  if (now - watched.addedAt > sendMsMax) return true
  const due = ((now - watched.since) / 1000) * sendBytesPerSecondMin
  const credit = Math.min(watched.credit + bytes - watched.bytes, sendCreditMax) - due
  Object.assign(watched, { since: now, bytes, credit })
  return credit <= 0
}

/** Checked once a minute, because received bytes are seen at once. */
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

/** A request as a transfer that shares a budget. */
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

/** Ends a transfer with a client that is too slow. */
function endSlow(context: RequestContext): void {
  const tooSlow = new CodedError('request_timeout', { message: 'The request arrived too slowly.' })
  context.abort(tooSlow)
  if (context.phase === 'sending') context.breakOff()
}
