import { createIsProxy, unixPeer } from '../../http/client-ip.ts'
import { CodedError } from '../../lib/errors.ts'
import { randomRowId } from '../../lib/random-id.ts'
import type { AdminDeps } from '../deps.ts'

/** How long a token can begin a check-up, and how long the check-up may use it. */
const lifeMs = 60_000
/** More than a check-up makes. */
const requestsMax = 64
/** The silent answer beside the others. */
const atOnceMax = 4
/** Tokens that have been used, kept until they expire. */
const usedMax = 1_000
/** An address that belongs to no client (RFC 5737). */
export const forgedAddress = '203.0.113.77'

type Deps = Pick<AdminDeps, 'tokens' | 'clock'> & { readonly trustProxy: string }

/** The body of a request for the sink, as far as it has arrived. */
interface Sunk {
  bytes: number
  readonly startedMs: number
  firstMs: number | null
}

interface Round {
  readonly id: string
  readonly endsAtMs: number
  requests: number
  running: number
  sunk: Sunk | null
}

/** What the service sees of a request. */
interface Seen {
  readonly peer: string
  readonly peer_port: number
  readonly ip: string
  readonly forwarded_for: string | null
  readonly host: string
}

export interface Echo extends Seen {
  /** Whether the peer is a trusted proxy. */
  readonly is_trusted: boolean
  /** Whether any address at all is. */
  readonly trusts_everyone: boolean
}

/**
 * The service's side of a check-up: requests that come back to it through the public URL. One
 * check-up at a time; its token is signed, so that the command line can make one beside a running
 * service. A token begins one check-up, and is worth nothing after its end.
 */
export class Probe {
  readonly #deps: Deps
  readonly #isTrusted: (peer: string) => boolean
  /** Ended check-ups, with the time at which their tokens expire. */
  readonly #used = new Map<string, number>()
  #round: Round | null = null

  constructor(deps: Deps) {
    this.#deps = deps
    this.#isTrusted = createIsProxy(deps.trustProxy)
  }

  /** A token for one check-up, which must begin within a minute. */
  makeToken(): Promise<string> {
    return this.#deps.tokens.sign('check-up', { subject: randomRowId() }, lifeMs)
  }

  /**
   * Runs one request of a check-up.
   * @param header `Authorization` of the request
   * @throws CodedError unauthorized; unavailable while another check-up runs, or for too many
   */
  async admit<T>(header: string | undefined, work: (round: Round) => Promise<T>): Promise<T> {
    const round = await this.#roundOf(header)
    if (round.requests >= requestsMax || round.running >= atOnceMax) {
      throw new CodedError('unavailable')
    }
    round.requests += 1
    round.running += 1
    try {
      return await work(round)
    } finally {
      round.running -= 1
    }
  }

  /** Ends the check-up of this round: its token is used up. */
  end({ id, endsAtMs }: Round): void {
    if (this.#round?.id === id) this.#round = null
    this.#remember(id, endsAtMs)
  }

  async #roundOf(header: string | undefined): Promise<Round> {
    const token = /^Bearer ([\w.-]{1,2000})$/.exec(header ?? '')?.[1]
    const claims = token === undefined ? null : await this.#deps.tokens.read('check-up', token)
    const now = this.#deps.clock.monotonic()
    if (claims === null) throw new CodedError('unauthorized')
    const id = claims.subject
    if (this.#used.has(id)) throw new CodedError('unauthorized')
    const current = this.#round
    if (current && current.id === id && now < current.endsAtMs) return current
    if (current && now < current.endsAtMs) {
      throw new CodedError('unavailable', { message: 'Another check-up is running.' })
    }
    if (current) this.#remember(current.id, current.endsAtMs)
    if (current?.id === id) throw new CodedError('unauthorized')
    this.#round = { id, endsAtMs: now + lifeMs, requests: 0, running: 0, sunk: null }
    return this.#round
  }

  /** The clock of tokens is the wall clock, which may jump: so a used id is kept for longer. */
  #remember(id: string, endsAtMs: number): void {
    const now = this.#deps.clock.monotonic()
    for (const [other, until] of this.#used) if (until < now) this.#used.delete(other)
    if (this.#used.size >= usedMax) throw new CodedError('unavailable')
    this.#used.set(id, endsAtMs + 10 * lifeMs)
  }

  /** A new body for the sink; it replaces the last one. */
  openSink(round: Round): Sunk {
    round.sunk = { bytes: 0, startedMs: this.#deps.clock.monotonic(), firstMs: null }
    return round.sunk
  }

  count(sunk: Sunk, bytes: number): void {
    sunk.firstMs ??= this.#deps.clock.monotonic() - sunk.startedMs
    sunk.bytes += bytes
  }

  /** Milliseconds since the request of the body began, and of its first byte; null before it. */
  describe({ bytes, firstMs, startedMs }: Sunk) {
    const sinceMs = Math.round(this.#deps.clock.monotonic() - startedMs)
    return { bytes, first_ms: firstMs === null ? null : Math.round(firstMs), since_ms: sinceMs }
  }

  /** How a request arrived. */
  echo({ peer, ...seen }: Seen): Echo {
    return {
      peer,
      ...seen,
      is_trusted: peer === unixPeer || this.#isTrusted(peer),
      trusts_everyone: this.#isTrusted(forgedAddress),
    }
  }
}
