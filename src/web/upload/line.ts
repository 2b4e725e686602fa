// The connection to the service: credentials, its state, and when it may be used again.
import type { Clock } from '../lib/clock.ts'
import { Backoff, judge, Lanes, type Judged } from './retry.ts'
import type { Problem, Transport, TransportRequest, UploadTarget } from './types.ts'
import { Patience, sendWatched, type Outcome, type Sending } from './watch.ts'

export interface Asked extends Judged {
  readonly outcome: Outcome
  readonly usedToken: boolean
  readonly wave: number
}

export interface Asking {
  readonly sending: Sending
  readonly asked: Promise<Asked>
}

/** Chunks in flight at once: browsers open 6 connections to a host. */
const parallelMax = 4

const stalled: Problem = { code: 'stalled', message: 'Nothing was heard for a while.' }

export class Line {
  readonly backoff: Backoff
  readonly lanes: Lanes
  /** The last failure; null after a success. */
  problem: Problem | null = null
  readonly #target: UploadTarget
  readonly #transport: Transport
  readonly #clock: Clock
  readonly #patience = new Patience()
  #token: string | null

  constructor(target: UploadTarget, transport: Transport, clock: Clock) {
    this.#target = target
    this.#transport = transport
    this.#clock = clock
    this.#token = target.uploadToken
    this.backoff = new Backoff(() => clock.random())
    this.lanes = new Lanes(parallelMax)
  }

  ask(request: Omit<TransportRequest, 'signal' | 'token'>, isExpected: (json: unknown) => boolean) {
    const token = this.#token
    const { wave } = this.backoff
    const watch = { clock: this.#clock, patience: this.#patience }
    const sending = sendWatched(this.#transport, { ...request, ...watch, token })
    const asked = sending.outcome.then((outcome) => {
      const judged = judge(outcome.reply, isExpected, this.#clock.now())
      const problem = outcome.isStalled ? stalled : judged.problem
      return { ...judged, problem, outcome, usedToken: token !== null, wave }
    })
    return { sending, asked }
  }

  failed({ verdict, problem, outcome, wave }: Asked): void {
    this.problem = problem
    if (outcome.isStalled) this.#patience.stalled()
    const waitMs = verdict.kind === 'again' ? verdict.waitMs : null
    if (this.backoff.fail(wave, waitMs, this.#clock.now())) this.lanes.fail()
  }

  succeeded(): void {
    this.problem = null
    this.#patience.succeeded()
    this.backoff.succeed()
    this.lanes.succeed()
  }

  /**
   * Call when the token was refused. The owner of a share also has a session; a guest's cookie may
   * belong to another delivery, and is not tried.
   * @returns whether other credentials are left
   */
  withoutToken(usedToken: boolean): boolean {
    if (this.#target.kind === 'delivery' || !usedToken) return false
    this.#token = null
    return true
  }

  /** The user has signed in, or confirms it: all credentials may be tried again. */
  renew(): void {
    this.#token = this.#target.uploadToken
    this.backoff.hurry()
  }
}

/** The answer of the service to what changes something. */
export function isSuccess(json: unknown): boolean {
  return (json as { success?: unknown } | undefined)?.success === true
}
