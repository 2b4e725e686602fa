// Decides on the next request, and applies answers to the whole upload. Only chunks of removed or
// changed files are discarded: every failure ends in another attempt, or in a question to the user.
import type { Files } from './files.ts'
import { Flights, type FlightDeps } from './flights.ts'
import { isSuccess, type Asked } from './line.ts'
import { isReceivedList, pathOf, readReceived, type ReceivedFile } from './manifest.ts'
import type { QueuedFile } from './queue.ts'
import type * as types from './types.ts'
import type { Sending } from './watch.ts'

const serverFullMs = 60_000
const timerMsMax = 60 * 60_000
/** Consecutive times that finalize may report missing chunks. */
const recountsMax = 5
/** A silent request may be on a dead connection: tryNow() restarts it. */
const silentMs = 5000

/** Files of one request to discard them. */
const discardedMax = 200

const alreadyComplete = 'already_complete'

interface Hold {
  readonly kind: types.UploadHold
  readonly problem: types.Problem
  /** Time of the automatic retry. */
  readonly retryAt: number | null
}

export interface SenderDeps extends Omit<FlightDeps, 'path'> {
  readonly target: types.UploadTarget
  readonly files: Files
  /** The service may have chunks already, so its list is read first. */
  readonly isRestored: boolean
  readonly wishes: () => types.Wishes
  readonly finishing: () => void
  readonly finalized: (answer: types.Finalized) => void
  readonly stopped: (problem: types.Problem) => void
}

type Status = Pick<types.UploadSnapshot, 'phase' | 'hold' | 'retryAt' | 'problem'>

export class Sender {
  readonly #deps: SenderDeps
  readonly #path: string
  readonly flights: Flights
  /** The one request that new chunks wait for: probe, list or finalize. */
  #control: Sending | null = null
  /** Whether to finalize when everything has arrived. */
  #isWanted = false
  #isPaused = false
  #isReady = false
  #isFinishing = false
  #isDone = false
  /** How the service's list must correct our state. */
  #stale: null | 'merge' | 'replace' | 'initial' = null
  #hold: Hold | null = null
  #stop: { readonly problem: types.Problem; readonly isFinal: boolean } | null = null
  #recounts = 0
  #disarm = () => {}

  constructor(deps: SenderDeps) {
    this.#deps = deps
    this.#path = pathOf(deps.target)
    this.flights = new Flights({ ...deps, path: this.#path }, this)
    if (deps.isRestored) this.#stale = 'initial'
  }

  get isOver(): boolean {
    return this.#isDone || this.#stop !== null
  }

  get maySend(): boolean {
    return this.#isReady && !this.isOver && !this.#isPaused
  }

  /** The site's limits are known, so requests may begin. */
  ready(): void {
    this.#isReady = true
    this.settled()
  }

  /** Finalizes when everything has arrived; repeats it for a complete share. */
  want(): void {
    this.#isWanted = true
    if (this.#stop?.problem.code !== alreadyComplete) return
    this.#stop = null
    this.#stale = 'initial'
  }

  pause(): void {
    this.#isPaused = true
    // Requests that only wait for their answer may finish, because their bytes are sent.
    this.flights.abort(({ sentAll }) => !sentAll)
  }

  resume(): void {
    this.#isPaused = false
    this.#hold = null
    if (this.#stop?.isFinal === false) this.#stop = null
    this.#recounts = 0
    this.#deps.line.renew()
  }

  tryNow(): void {
    this.#deps.line.backoff.hurry()
    if (this.#hold?.retryAt) this.#hold = null
    this.flights.abort((sending) => !sending.sentAll && sending.silentMs() > silentMs)
    if (this.#control && this.#control.silentMs() > silentMs) this.#control.abort()
  }

  /** @param isFinal whether resume() is impossible */
  stop(problem: types.Problem, isFinal: boolean): void {
    if (this.#isDone || this.#stop?.isFinal) return
    this.#stop = { problem, isFinal }
    this.flights.isOver = isFinal
    this.#disarm()
    this.flights.abort(() => true)
    this.#control?.abort()
    this.#deps.stopped(problem)
  }

  status(): Status {
    const { line, clock, files } = this.#deps
    const { until, failures } = line.backoff
    const told = (phase: types.UploadPhase, more: Partial<Status> = {}): Status => {
      return { phase, hold: null, retryAt: null, problem: line.problem, ...more }
    }
    if (this.#isDone) return told('done', { problem: null })
    if (this.#stop) {
      const { problem, isFinal } = this.#stop
      return told('stopped', { problem, hold: isFinal ? null : 'removed' })
    }
    if (this.#isPaused) return told('paused')
    if (this.#hold) {
      const { kind, retryAt, problem } = this.#hold
      return told('held', { hold: kind, retryAt, problem })
    }
    if (this.#isFinishing) return told('finishing')
    if (this.flights.count > 0) return told('sending')
    const isHeld = this.#isWanted && files.needSomebody
    const isNeeded = this.#hasWork || this.#stale !== null || (this.#isWanted && !isHeld)
    if (isNeeded && clock.now() < until) return told('waiting', { retryAt: until })
    if (isNeeded && failures > 0) return told('waiting')
    if (this.#hasWork) return told('sending')
    return isHeld ? told('held', { hold: 'files' }) : told('idle')
  }

  /** Starts all requests that may start now; called after every event. */
  settled(): void {
    this.#disarm()
    this.#step()
    this.#deps.changed()
  }

  #step(): void {
    const { clock, line, files } = this.#deps
    if (!this.maySend || this.#control) return
    if (this.#hold) {
      if (this.#hold.retryAt === null) return
      const end = () => (this.#hold = null)
      if (clock.now() < this.#hold.retryAt) return this.#wakeAt(this.#hold.retryAt, end)
      end()
    }
    const isAtEnd = this.#isWanted && !this.#hasWork && this.flights.count === 0
    const mayFinish = isAtEnd && !files.needSomebody
    const mayDiscard = files.unneeded.size > 0 && this.#deps.target.kind === 'share'
    if (!this.#hasWork && this.#stale === null && !mayFinish && !mayDiscard) return
    if (clock.now() < line.backoff.until) {
      return this.#wakeAt(line.backoff.until, () => line.backoff.hurry())
    }
    if (line.backoff.needsProbe) return void this.#probe()
    if (this.#stale !== null) {
      if (this.#stale === 'merge' || this.flights.count === 0) void this.#list(this.#stale)
      return
    }
    if (mayFinish) void this.#finalize()
    else if (mayDiscard) void this.#discard()
    else this.flights.fill()
  }

  get #hasWork(): boolean {
    return this.flights.hasWork
  }

  /** @param end ends the wait even if the clock was set back meanwhile */
  #wakeAt(time: number, end: () => void): void {
    const ms = Math.min(timerMsMax, time - this.#deps.clock.now())
    this.#disarm = this.#deps.clock.setTimer(ms, () => {
      end()
      this.settled()
    })
  }

  /** @returns null when the answer no longer matters */
  async #ask(
    method: 'GET' | 'POST',
    path: string,
    isExpected: (json: unknown) => boolean,
    json?: object,
  ): Promise<Asked | null> {
    const { sending, asked } = this.#deps.line.ask({ method, path, json }, isExpected)
    this.#control = sending
    const answer = await asked
    this.#control = null
    return this.isOver || answer.outcome.isAborted ? null : answer
  }

  /** Sends one small request instead of chunks, after several failures. */
  async #probe(): Promise<void> {
    const { line } = this.#deps
    const isUp = (json: unknown) => {
      const { status, uploads } = (json ?? {}) as { status?: unknown; uploads?: unknown }
      return (status === 'ok' || status === 'degraded') && uploads !== 'disk_full'
    }
    const asked = await this.#ask('GET', '/readyz', isUp)
    if (asked?.verdict.kind === 'ok') line.backoff.isProbed = true
    else if (asked) line.failed(asked)
    this.settled()
  }

  async #list(mode: 'merge' | 'replace' | 'initial'): Promise<void> {
    const { line } = this.#deps
    this.#stale = null
    const asked = await this.#ask('GET', `${this.#path}/chunks?samples=true`, isReceivedList)
    if (asked?.verdict.kind === 'ok') {
      line.backoff.isProbed = true
      this.#apply(readReceived(asked.outcome.reply.json), mode)
    } else {
      this.#stale = mode
      if (asked?.problem.code === alreadyComplete) {
        // By a finalize with a lost answer, which is repeated; or by another client.
        if (this.#isWanted) return void this.#finalize()
        return this.stop(asked.problem, true)
      }
      if (asked) this.trouble(asked)
    }
    this.settled()
  }

  #apply(received: Map<string, ReceivedFile>, mode: 'merge' | 'replace' | 'initial'): void {
    const { files } = this.#deps
    if (mode === 'initial') {
      for (const file of files.restore(received)) this.flights.push(file)
      return
    }
    for (const file of mode === 'merge' ? this.flights.open : files.values()) {
      if (file.key === null || (mode === 'replace' && file.status !== 'done')) continue
      const found = received.get(file.identity)
      if (mode === 'replace') file.begin(file.chunkBytes)
      if (found?.key === file.key) file.merge(found.ranges)
      if (file.isComplete) this.flights.settle(file)
      else if (mode === 'replace') this.#sendAgain(file)
    }
  }

  #sendAgain(file: QueuedFile): void {
    file.set(file.source ? 'waiting' : 'missing')
    if (file.source) this.flights.push(file)
  }

  /**
   * Another device completes the draft with all that the service has. If this fails, the service
   * has too much for that, and finalize here still leaves these files out.
   */
  async #discard(): Promise<void> {
    const { unneeded } = this.#deps.files
    const fileIds = [...unneeded].slice(0, discardedMax)
    for (const key of fileIds) unneeded.delete(key)
    const asked = await this.#ask('POST', `${this.#path}/discard`, isSuccess, { fileIds })
    if (asked?.verdict.kind === 'again') this.#deps.line.failed(asked)
    this.settled()
  }

  async #finalize(): Promise<void> {
    const list = this.#deps.files.listed()
    if (!list) return
    this.#isFinishing = true
    this.#deps.finishing()
    const body = { ...list, ...this.#deps.wishes() }
    const asking = this.#ask('POST', `${this.#path}/finalize`, isSuccess, body)
    this.#deps.changed()
    const asked = await asking
    this.#isFinishing = false
    if (asked?.verdict.kind === 'ok') {
      this.#isDone = true
      this.#deps.line.succeeded()
      this.#deps.finalized(asked.outcome.reply.json as types.Finalized)
    } else if (asked) this.#refused(asked)
    this.settled()
  }

  #refused(asked: Asked): void {
    const { files } = this.#deps
    const { verdict, problem, outcome } = asked
    const { name, fileId } = (outcome.reply.json ?? {}) as { name?: unknown; fileId?: unknown }
    const named = [...files.values()].find(({ path, key }) => {
      return verdict.kind === 'refused' ? path === name : key !== null && key === fileId
    })
    if (verdict.kind === 'shrink') return this.tooLarge({ ...problem, code: 'list_too_large' })
    if (verdict.kind === 'refused' && named) return this.flights.fail(named, problem)
    if (problem.code === alreadyComplete) return this.stop(problem, true)
    if (verdict.kind !== 'relist' || outcome.reply.status === 409) return this.trouble(asked)
    this.#recounts += 1
    if (this.#recounts > recountsMax) this.#holdFor('refused', problem)
    else if (problem.code === 'incomplete_upload') this.#stale = 'replace'
    else if (named) {
      named.restart()
      this.#sendAgain(named)
    } else this.#holdFor('refused', problem)
  }

  /** An answer concerns more than one file. */
  trouble(asked: Asked): void {
    const { verdict, problem } = asked
    if (verdict.kind === 'hold') {
      if (verdict.hold === 'sign_in') this.#signIn(asked)
      else this.#holdFor(verdict.hold, problem)
    } else if (verdict.kind === 'gone') this.stop(problem, false)
    else if (verdict.kind === 'refused') this.#holdFor('refused', problem)
    else this.#deps.line.failed(asked)
  }

  #signIn({ problem, usedToken, outcome }: Asked): void {
    const { line, target } = this.#deps
    if (line.withoutToken(usedToken)) return
    const isOurs = outcome.reply.json !== undefined
    if (target.kind === 'delivery' && isOurs) this.stop(problem, false)
    else this.#holdFor('sign_in', problem)
  }

  #holdFor(kind: types.UploadHold, problem: types.Problem): void {
    const retryAt = kind === 'server_full' ? this.#deps.clock.now() + serverFullMs : null
    this.#hold = { kind, problem, retryAt }
  }

  /** Even the smallest chunk is too large. */
  tooLarge(problem: types.Problem): void {
    this.#holdFor('too_large', problem)
  }

  /** The service may have bytes without an acknowledgement. */
  doubt(): void {
    this.#stale ??= 'merge'
  }
}
