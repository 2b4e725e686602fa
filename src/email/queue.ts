import { randomInt } from 'node:crypto'
import type { Database } from '../database/connect.ts'
import { type Clock, minuteMs, hourMs } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { EmbeddedLogo } from './logo.ts'
import type { Content } from './templates.ts'
import { describeFailure, sendMessage } from './smtp.ts'
import type { SmtpPatience, SmtpServer, SmtpFailure } from './smtp.ts'
import * as rows from './sql.ts'

const atOnceMax = 4
const patience: SmtpPatience = {
  connectMs: 30_000,
  answerMs: minuteMs,
  totalMs: 3 * minuteMs,
}
/** Longer than any attempt; the next start frees emails that a dead process was sending. */
const leaseMs = 30 * minuteMs

export interface OutboxDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly sealer: { seal(plain: string): Buffer; unseal(bytes: Buffer): string }
  readonly processId: string
  /** The server in the current settings; null without SMTP. */
  readonly server: () => SmtpServer | null
  /** Whether emails stay in the queue. */
  readonly isHeld: () => boolean
  /** The logo in the current settings. Queued emails do not hold it: it may be large. */
  readonly logo: () => EmbeddedLogo | null
}

/** Result of an attempt. */
type Outcome =
  | { readonly kind: 'sent'; readonly at: Date }
  | ({ readonly kind: 'failed' } & rows.FailedAttempt)

/**
 * Sends queued emails: at least once, and never again after the server has accepted one. Woken
 * after each change that queues an email, and by a job every minute.
 */
export class Outbox {
  readonly #deps: OutboxDeps
  readonly #stop = new AbortController()
  /** Emails being sent, at most `atOnceMax`. */
  readonly #held = new Set<string>()
  /** Results that could not be stored yet; no further email is sent before they are. */
  readonly #unsettled = new Map<string, Outcome>()
  #running: Promise<void> | null = null
  #again = false
  #closing = false

  constructor(deps: OutboxDeps) {
    this.#deps = deps
  }

  /** Sends due emails in the background. */
  wake(): void {
    if (this.#closing) return
    this.#again = true
    this.#running ??= this.#run()
  }

  /** Resolves when no email is being sent. */
  async idle(): Promise<void> {
    await this.#running
  }

  /** Frees emails that dead processes were sending. */
  async takeOver(isAlive: (processId: string) => Promise<boolean>): Promise<void> {
    const { database, processId } = this.#deps
    const { sql } = database
    for (const holder of await rows.listHolders(sql)) {
      if (holder !== processId && !(await isAlive(holder))) await rows.releaseEmailsOf(sql, holder)
    }
  }

  /**
   * Starts no more; emails being sent may take `graceMs`, then they are aborted and sent again
   * later.
   */
  async close(graceMs: number): Promise<void> {
    this.#closing = true
    const timer = setTimeout(() => this.#stop.abort(), graceMs)
    await this.#running
    clearTimeout(timer)
  }

  async #run(): Promise<void> {
    while (this.#again) {
      this.#again = false
      try {
        await this.#sendDue()
      } catch (error) {
        this.#deps.log.warn('email queue waits for database', { cause: error })
      }
    }
    this.#running = null
  }

  async #sendDue(): Promise<void> {
    const { database, clock } = this.#deps
    for (const [id, outcome] of this.#unsettled) await this.#settle(id, outcome)
    if (this.#deps.server() === null || this.#deps.isHeld()) return
    await rows.markUseless(database.sql, new Date(clock.now()), 'no longer relevant')
    // The first worker that cannot reach the server ends the others too.
    const round = { isServerGone: false }
    const workers = Array.from({ length: atOnceMax }, () => this.#sendInTurn(round))
    const results = await Promise.allSettled(workers)
    for (const result of results) if (result.status === 'rejected') throw result.reason
  }

  async #sendInTurn(round: { isServerGone: boolean }): Promise<void> {
    while (!round.isServerGone && !this.#closing && this.#unsettled.size === 0) {
      const server = this.#deps.isHeld() ? null : this.#deps.server()
      const email = server && (await this.#claim())
      if (!server || !email) return
      this.#held.add(email.id)
      await this.#settle(email.id, await this.#attempt(server, email, round))
    }
  }

  #claim(): Promise<rows.ClaimedEmail | null> {
    const { database, clock, processId } = this.#deps
    const now = clock.now()
    return rows.claimEmail(database.sql, {
      now: new Date(now),
      dueBefore: new Date(now + waitMsMax),
      leasedBefore: new Date(now + 2 * leaseMs),
      leasedUntil: new Date(now + leaseMs),
      processId,
      held: [...this.#held],
    })
  }

  async #attempt(
    server: SmtpServer,
    email: rows.ClaimedEmail,
    round: { isServerGone: boolean },
  ): Promise<Outcome> {
    const { clock, log, sealer, logo } = this.#deps
    let content: Content
    try {
      content = JSON.parse(sealer.unseal(email.contentSealed)) as Content
    } catch {
      const message = 'content was encrypted with another key'
      return this.#fail(email, { message, isAboutEmail: false, isFinal: true })
    }
    try {
      const { id, recipient: to, createdAt: date } = email
      const message = { id, to, date, content, logo: logo() }
      await sendMessage(server, message, patience, this.#stop.signal)
      log.info('email sent', { emailId: email.id, kind: email.kind, attempts: email.attempts })
      return { kind: 'sent', at: new Date(clock.now()) }
    } catch (error) {
      const failure = describeFailure(error)
      round.isServerGone ||= !failure.isAboutEmail
      return this.#fail(email, failure)
    }
  }

  #fail(email: rows.ClaimedEmail, failure: SmtpFailure): Outcome {
    const { message: error, isAboutEmail, isFinal } = failure
    const { clock, log } = this.#deps
    const now = clock.now()
    const isDead = isFinal || isHopeless(email.attempts, now - email.queuedAt.getTime())
    const nextAttemptAt = new Date(now + retryDelayMs(email.attempts, randomInt(1001) / 1000))
    const { id: emailId, kind, attempts } = email
    const details = { emailId, kind, attempts, error }
    log.warn(isDead ? 'email given up' : 'email not sent: will retry', details)
    const deadAt = isDead ? new Date(now) : null
    return { kind: 'failed', nextAttemptAt, deadAt, error, isAboutEmail }
  }

  /** @throws when the database fails; the result is kept, and stored before further emails */
  async #settle(id: string, outcome: Outcome): Promise<void> {
    const { database, processId } = this.#deps
    try {
      if (outcome.kind === 'sent') await rows.markSent(database.sql, id, outcome.at)
      else {
        await rows.markFailed(database.sql, id, processId, outcome)
        if (outcome.deadAt) await rows.deleteForgotten(database.sql, id)
      }
    } catch (error) {
      this.#unsettled.set(id, outcome)
      throw error
    }
    this.#unsettled.delete(id)
    this.#held.delete(id)
  }
}

const firstDelayMs = minuteMs
const delayMsMax = hourMs

/** RFC 5321 section 4.5.4.1: senders give up after four to five days at the earliest. */
const giveUpAfterMs = 5 * 24 * hourMs
/** Keeps a clock change from making an email too old after a few attempts. */
const attemptsMin = 20

/** A later due date was written while the clock was wrong. */
const waitMsMax = 2 * delayMsMax

/**
 * The wait after the n-th failed attempt: a minute, doubled up to an hour, plus or minus a quarter,
 * so that emails that failed together are not retried together.
 * @param random 0 to 1
 */
export function retryDelayMs(attempts: number, random: number): number {
  const delayMs = Math.min(delayMsMax, firstDelayMs * 2 ** Math.min(20, attempts - 1))
  return Math.round(delayMs * (0.75 + random / 2))
}

/** Whether an email was tried long and often enough. */
export function isHopeless(attempts: number, ageMs: number): boolean {
  return attempts >= attemptsMin && ageMs > giveUpAfterMs
}
