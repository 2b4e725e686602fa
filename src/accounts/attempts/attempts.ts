import { limiterKey, networkOf } from '../../http/client-ip.ts'
import { RateLimiter } from '../../http/rate-limit.ts'
import type { SharedLimit, Limiter, FollowLimit } from '../../http/rate-limit.ts'
import { rateLimitHeaders, requireToken } from '../../http/run.ts'
import { type Clock, minuteMs } from '../../lib/clock.ts'
import { CodedError, type ErrorCode } from '../../lib/errors.ts'

const windowMs = 15 * minuteMs
/** Failures of a client that has succeeded before, and is not delayed by failures of others. */
const knownFailuresMax = 10

/** The errors of a wrong guess. */
const wrongAttempts: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'wrong_credentials',
  'wrong_code',
  'wrong_passkey',
  'wrong_password',
  'wrong_current_password',
  'wrong_second_factor',
])

export interface AttemptPolicy extends DelayPolicy {
  /** Failures of one wide network (IPv4 /24, IPv6 /48) in fifteen minutes. */
  readonly failuresPerNetworkMax: number
}

/** Passwords and codes of accounts. */
export const accountPolicy: AttemptPolicy = {
  freeFailures: 10,
  delayMsMax: 5 * minuteMs,
  failuresPerNetworkMax: 50,
}

/** Passwords of links. Recipients may open a link for the first time, so delays stay short. */
export const linkPolicy: AttemptPolicy = {
  freeFailures: 20,
  delayMsMax: minuteMs,
  failuresPerNetworkMax: 100,
}

export interface Attempt {
  /** The target of the guess. */
  readonly subject: string
  readonly ip: string
  /** Identifies a client that has succeeded before; null for an unknown one. */
  readonly findKnown: () => Promise<string | null> | string | null
}

/**
 * Bounds guesses by subject and by wide network, in addition to the limits by address. A client
 * that has succeeded before is delayed only by its own failures.
 */
export class Attempts {
  readonly #delays: AttemptDelays
  readonly #networks: Limiter
  readonly #known: Limiter

  constructor(policy: AttemptPolicy, clock: Clock, shared: SharedLimit) {
    const sharedAs = (part: string) => ({ ...shared, name: `${shared.name} ${part}` })
    const limiter = (part: string, limit: number) =>
      new RateLimiter({ limit, windowMs, clock, shared: sharedAs(part) })
    this.#delays = new AttemptDelays(policy, clock, sharedAs('delays'))
    this.#networks = limiter('networks', policy.failuresPerNetworkMax)
    this.#known = limiter('known', knownFailuresMax)
  }

  /**
   * Runs the work if another guess is admitted now. Only wrong guesses count.
   * @throws CodedError rate_limited; errors of the work
   */
  async during<T>(guess: Attempt, work: () => Promise<T>): Promise<T> {
    const refund = await this.#admit(guess)
    return unlessWrong(work, refund)
  }

  /** Returns a function that refunds the guess. */
  async #admit({ subject, ip, findKnown }: Attempt): Promise<() => void> {
    const network = networkOf(ip) ?? ip
    const ofNetwork = await this.#networks.takeExactly(network)
    const admission: Admission = ofNetwork.allowed
      ? await this.#delays.admitExactly(subject, network)
      : { isAdmitted: false, retryAfterMs: ofNetwork.retryAfterMs }
    if (admission.isAdmitted) {
      return () => {
        admission.refund()
        this.#networks.refund(network)
      }
    }
    if (ofNetwork.allowed) this.#networks.refund(network)
    const known = await findKnown()
    if (known === null) throw tooEarly(admission.retryAfterMs)
    const key = `${subject} ${known}`
    requireToken(await this.#known.takeExactly(key))
    return () => this.#known.refund(key)
  }
}

/** Whether work was refused because a password or code was wrong. */
export function isWrongAttempt(error: unknown): error is CodedError {
  return error instanceof CodedError && wrongAttempts.has(error.code)
}

/** Runs the work, and refunds the guess unless it was wrong. */
export async function unlessWrong<T>(work: () => Promise<T>, refund: () => void): Promise<T> {
  let isWrong = false
  try {
    return await work()
  } catch (error) {
    isWrong = isWrongAttempt(error)
    throw error
  } finally {
    if (!isWrong) refund()
  }
}

/** The key of a client that is known by its address. */
export function knownAddress(ip: string): string {
  return `address ${limiterKey(ip)}`
}

function tooEarly(retryAfterMs: number): CodedError {
  const decision = { allowed: false, limit: 1, remaining: 0, retryAfterMs, resetMs: retryAfterMs }
  return new CodedError('rate_limited', { headers: rateLimitHeaders(decision) })
}

export interface DelayPolicy {
  /** Failures of a track that cause no delay. */
  readonly freeFailures: number
  /** The longest delay between two guesses of a track. */
  readonly delayMsMax: number
}

/** Permission to guess, or how long to wait for it. */
export type Admission =
  | { readonly isAdmitted: true; refund(): void }
  | { readonly isAdmitted: false; readonly retryAfterMs: number }

/** Attempts at one subject that wait for each other. */
interface Track {
  /** Failures that still count. */
  level: number
  /** Start of the time after which the next failure is forgotten. */
  sinceMs: number
  /** When the next guess is admitted. */
  opensMs: number
}

interface Subject {
  readonly newcomers: Track
  readonly repeaters: Track
  /** Networks with failures, oldest first. */
  networks: readonly string[]
}

const delayMsMin = 1_000
/** Time in which one failure of a track is forgotten. */
const forgetMs = 15 * 60_000
/** Levels above the longest delay would only take longer to forget. */
const levelsAboveFreeMax = 16
const networksMax = 64
const subjectsMaxDefault = 5_000
/** Number of subjects examined for eviction whenever one is added. */
const evictionStep = 32
const expiryStep = 2

/**
 * Growing delays between failed guesses at one subject: an account, a link. After the free
 * failures, each further one doubles the delay, from one second to `delayMsMax`; a subject is never
 * locked. Each subject has two tracks: networks that have failed at it before wait in one, other
 * networks in the other. So guesses from a few networks, however many, delay no other network.
 *
 * Memory is bounded: 5,000 subjects with 64 networks each. When the table is full, it drops the
 * subject with the fewest failures among those unused for longest.
 */
export class AttemptDelays {
  readonly #policy: DelayPolicy
  readonly #clock: Clock
  readonly #subjectsMax: number
  readonly #shared: SharedLimit
  readonly #tell: FollowLimit
  /** In order of last use, oldest first. */
  readonly #subjects = new Map<string, Subject>()

  constructor(
    policy: DelayPolicy,
    clock: Clock,
    shared: SharedLimit,
    subjectsMax = subjectsMaxDefault,
  ) {
    this.#policy = policy
    this.#clock = clock
    this.#subjectsMax = subjectsMax
    this.#shared = shared
    this.#tell = shared.exchange.add(shared.name, (key, change) => this.#follow(key, change))
  }

  /** Number of subjects in memory. */
  get size(): number {
    return this.#subjects.size
  }

  /** Like `admit`; knows what other processes have admitted, if the limit is exact. */
  async admitExactly(key: string, network: string): Promise<Admission> {
    const admit = () => this.admit(key, network)
    return this.#shared.isExact ? this.#shared.exchange.decide(admit) : admit()
  }

  /** Counts a guess as failed until it is refunded, so that simultaneous guesses count. */
  admit(key: string, network: string): Admission {
    const nowMs = this.#clock.monotonic()
    this.#dropForgotten(nowMs)
    const subject = this.#subjects.get(key) ?? newSubject(nowMs)
    const isNew = !subject.networks.includes(network)
    const track = isNew ? subject.newcomers : subject.repeaters
    forget(track, nowMs)
    if (track.opensMs > nowMs) {
      return { isAdmitted: false, retryAfterMs: Math.ceil(track.opensMs - nowMs) }
    }
    this.#keep(key, subject)
    const openedMs = track.opensMs
    const opensMs = this.#count(track, nowMs)
    if (isNew) subject.networks = [...subject.networks, network].slice(-networksMax)
    const told = JSON.stringify([key, network, isNew])
    this.#tell(told, 1)
    const refund = () => {
      this.#tell(told, -1)
      track.level = Math.max(0, track.level - 1)
      if (track.opensMs === opensMs) track.opensMs = openedMs
      if (isNew) subject.networks = subject.networks.filter((known) => known !== network)
    }
    return { isAdmitted: true, refund }
  }

  /** Counts a failure; returns when the next guess is admitted. */
  #count(track: Track, nowMs: number): number {
    if (track.level === 0) track.sinceMs = nowMs
    track.level = Math.min(track.level + 1, this.#policy.freeFailures + levelsAboveFreeMax)
    track.opensMs = nowMs + this.#delayMs(track.level)
    return track.opensMs
  }

  /** What another process has counted. After its refund, a delay that it has caused goes on. */
  #follow(told: string, change: number): void {
    const [key, network, isNew] = JSON.parse(told) as [string, string, boolean]
    const nowMs = this.#clock.monotonic()
    const subject = this.#subjects.get(key) ?? newSubject(nowMs)
    this.#keep(key, subject)
    const track = isNew ? subject.newcomers : subject.repeaters
    forget(track, nowMs)
    for (let count = 0; count < change; count += 1) this.#count(track, nowMs)
    track.level = Math.max(0, track.level + Math.min(0, change))
    if (!isNew) return
    const others = subject.networks.filter((known) => known !== network)
    subject.networks = change > 0 ? [...others, network].slice(-networksMax) : others
  }

  #delayMs(level: number): number {
    const { freeFailures, delayMsMax } = this.#policy
    if (level < freeFailures) return 0
    return Math.min(delayMsMax, delayMsMin * 2 ** (level - freeFailures))
  }

  #keep(key: string, subject: Subject): void {
    if (!this.#subjects.delete(key) && this.#subjects.size >= this.#subjectsMax) this.#evict()
    this.#subjects.set(key, subject)
  }

  #evict(): void {
    let fewest: [key: string, level: number] | null = null
    let looked = 0
    for (const [key, { newcomers, repeaters }] of this.#subjects) {
      const level = newcomers.level + repeaters.level
      if (fewest === null || level < fewest[1]) fewest = [key, level]
      looked += 1
      if (looked === evictionStep) break
    }
    if (fewest !== null) this.#subjects.delete(fewest[0])
  }

  #dropForgotten(nowMs: number): void {
    let looked = 0
    for (const [key, { newcomers, repeaters }] of this.#subjects) {
      if (looked === expiryStep) return
      looked += 1
      forget(newcomers, nowMs)
      forget(repeaters, nowMs)
      if (newcomers.level + repeaters.level > 0) return
      this.#subjects.delete(key)
    }
  }
}

function newSubject(nowMs: number): Subject {
  const track = () => ({ level: 0, sinceMs: nowMs, opensMs: -Infinity })
  return { newcomers: track(), repeaters: track(), networks: [] }
}

function forget(track: Track, nowMs: number): void {
  const count = Math.floor((nowMs - track.sinceMs) / forgetMs)
  track.level = Math.max(0, track.level - count)
  track.sinceMs += count * forgetMs
}
