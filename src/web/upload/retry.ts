// Interprets answers for an upload, and chooses the wait before the next attempt.
import type { Problem, TransportReply, UploadHold } from './types.ts'

const delayMsMax = 30_000
const retryAfterMsMax = 60 * 60_000
/** Consecutive failures before a small request checks whether the service is reachable. */
const probeAfter = 3

export type Verdict =
  | { readonly kind: 'ok' }
  /** The network or the service failed, not this request: repeat it after a wait. */
  | { readonly kind: 'again'; readonly waitMs: number | null }
  /** The body was damaged on its way: repeat it at once, a few times. */
  | { readonly kind: 'resend' }
  /** The chunk is too large for the service or a proxy; `limit` is in bytes, if named. */
  | { readonly kind: 'shrink'; readonly limit: number | null }
  /** The state differs from ours: read the list of received chunks. */
  | { readonly kind: 'relist' }
  | { readonly kind: 'hold'; readonly hold: UploadHold }
  | { readonly kind: 'gone' }
  /** The service refuses the request, and would refuse it again. */
  | { readonly kind: 'refused' }

export interface Judged {
  readonly verdict: Verdict
  readonly problem: Problem
}

const damaged = ['hash_mismatch', 'incomplete_body', 'invalid_multipart', 'bad_request']
const recounted = ['incomplete_upload', 'size_mismatch']

/**
 * Interprets an answer. A final refusal counts only in the service's own form, because proxies,
 * captive portals and a restarting service answer 200, 404 and 403 in HTML too.
 * @param isExpected whether a body of status 200 has the expected form
 */
export function judge(reply: TransportReply, isExpected: (json: unknown) => boolean, now: number) {
  const { status, json } = reply
  const body = (json ?? {}) as { error?: unknown; code?: unknown; limit?: unknown }
  const isOurs = typeof body.code === 'string'
  const code = isOurs ? String(body.code) : status === 0 ? 'network' : `http_${status}`
  const problem = { code, message: isOurs ? String(body.error) : `status ${status}` }
  return { verdict: verdictOf(), problem }

  function verdictOf(): Verdict {
    const again: Verdict = { kind: 'again', waitMs: retryAfterMs(reply.retryAfter, now) }
    if (status === 200 && isExpected(json)) return { kind: 'ok' }
    if (status === 401) return { kind: 'hold', hold: 'sign_in' }
    if (status === 413 && (!isOurs || code === 'payload_too_large')) {
      return { kind: 'shrink', limit: typeof body.limit === 'number' ? body.limit : null }
    }
    if (!isOurs || status < 400 || [408, 425, 429].includes(status)) return again
    if (status === 507) return { kind: 'hold', hold: 'server_full' }
    if (status >= 500) return again
    if (status === 404 || status === 410) return { kind: 'gone' }
    if (status === 409 || recounted.includes(code)) return { kind: 'relist' }
    if (status === 413) {
      return { kind: 'hold', hold: code === 'quota_exceeded' ? 'quota' : 'too_large' }
    }
    if (status === 403) return { kind: 'hold', hold: 'refused' }
    return { kind: damaged.includes(code) ? 'resend' : 'refused' }
  }
}

/** Seconds or an HTTP date (RFC 9110 section 10.2.3) as milliseconds from now; at most an hour. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(ms) ? null : Math.min(retryAfterMsMax, Math.max(0, ms))
}

/**
 * When the next request may start. Failures of simultaneous requests count as one, because four
 * parallel chunks on one broken connection say no more than one.
 */
export class Backoff {
  failures = 0
  /** Requests wait until then. */
  until = 0
  /** Whether the service has answered since the last failure. */
  isProbed = false
  /** Changes with each failure: a request remembers the wave that it began in. */
  wave = 0
  readonly #random: () => number

  constructor(random: () => number) {
    this.#random = random
  }

  get needsProbe(): boolean {
    return this.failures >= probeAfter && !this.isProbed
  }

  /**
   * @param waitMs from Retry-After; only hurry() shortens it
   * @returns whether it counts as a new failure
   */
  fail(wave: number, waitMs: number | null, now: number): boolean {
    const isNew = wave === this.wave
    if (isNew) {
      this.wave += 1
      this.failures += 1
      this.isProbed = false
      const ceiling = Math.min(delayMsMax, 1000 * 2 ** Math.min(this.failures - 1, 10))
      this.until = Math.max(this.until, now + (0.5 + this.#random() / 2) * ceiling)
    }
    if (waitMs !== null) this.until = Math.max(this.until, now + waitMs)
    return isNew
  }

  succeed(): void {
    this.failures = 0
    this.isProbed = false
  }

  hurry(): void {
    this.until = 0
  }
}

const successesForMore = 5
/** Smaller chunks cost round trips rather than bandwidth. */
const smallBytesMax = 1024 * 1024

/** Number of chunks in flight: grows with success, shrinks after each failure. */
export class Lanes {
  readonly #max: number
  #count: number
  #countSmall: number
  #successes = 0

  constructor(max: number) {
    this.#max = max
    this.#count = Math.min(2, max)
    this.#countSmall = max
  }

  limitFor(bytes: number): number {
    return bytes <= smallBytesMax ? this.#countSmall : this.#count
  }

  succeed(): void {
    this.#successes += 1
    if (this.#successes < successesForMore) return
    this.#successes = 0
    this.#count = Math.min(this.#max, this.#count + 1)
    this.#countSmall = Math.min(this.#max, this.#countSmall + 1)
  }

  fail(): void {
    this.#successes = 0
    this.#count = Math.max(1, this.#count - 1)
    this.#countSmall = Math.max(1, this.#countSmall - 1)
  }
}
