import type { Sql } from '../../database/connect.ts'
import { showAddress } from '../../http/client-ip.ts'
import type { OperatorActor, SystemActor } from '../../lib/actor.ts'
import type { NoticeKind } from '../../email/account-templates.ts'
import { type User, lockUserForChange } from '../users/sql.ts'
import type { AccountDeps } from '../deps.ts'
import { RateLimiter } from '../../http/rate-limit.ts'
import type { FailureTemplateData } from '../../email/failure-templates.ts'
import { dayMs } from '../../lib/clock.ts'

type Deps = Pick<AccountDeps, 'emails' | 'clock' | 'log' | 'shownAddresses' | 'limitExchange'>

/** Notifies the holder of an account about changes, which may be the work of an attacker. */
export class Notices {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * Queues a notice to the account, as part of the transaction of the change, which `emails.begin`
   * runs; no-op without SMTP.
   */
  async write(
    sql: Sql,
    user: Pick<User, 'id' | 'email'>,
    what: NoticeKind,
    actor: { readonly ip: string; readonly userId?: number } | OperatorActor | SystemActor,
  ): Promise<void> {
    const { emails, clock, shownAddresses } = this.#deps
    if (!emails.isConfigured) return
    const isOther = 'userId' in actor && actor.userId !== user.id
    const privacy = isOther ? shownAddresses() : 'full'
    const ip = 'ip' in actor ? showAddress(actor.ip, privacy) : null
    const email = { kind: what, at: new Date(clock.now()), ip }
    const topic = `account:${user.id}`
    await emails.queue(sql, email, { to: [user.email], topic, usefulUntil: null })
  }

  /** Queues the answer to a person who has signed up, as part of the transaction that gives it. */
  async answerSignUp(sql: Sql, { id, email }: Pick<User, 'id' | 'email'>, isApproved: boolean) {
    const { emails } = this.#deps
    if (!emails.isConfigured) return
    const kind = isApproved ? 'sign_up_approved' : 'sign_up_declined'
    await emails.queue(sql, { kind }, { to: [email], topic: `account:${id}`, usefulUntil: null })
  }
}

/** Failures in a day before the owner gets a notice. */
const signInFailuresMax = 10
/** Fewer, because the password was right. */
const codeFailuresMax = 3
const linkFailuresMax = 20
/** Notices that are being written; more are dropped. */
const pendingMax = 100

export type FailedStep = 'password' | 'second_factor'

/** A link with a password that is being guessed. */
export interface ProtectedLink {
  readonly kind: 'share' | 'reverse'
  readonly id: string
  readonly name: string
  readonly ownerId: number
}

/**
 * Notices to owners about failed guesses at their account or link, at most one a day for each. They
 * are written in the background, so that response times reveal nothing.
 */
export class FailureNotices {
  readonly #deps: Deps
  readonly #counts: Record<FailedStep | 'link', RateLimiter>
  readonly #pending = new Set<Promise<void>>()

  constructor(deps: Deps) {
    this.#deps = deps
    const { clock, limitExchange: exchange } = deps
    const count = (what: string, limit: number) => {
      const shared = { exchange, name: `failures ${what}` }
      return new RateLimiter({ limit, windowMs: dayMs, clock, shared })
    }
    this.#counts = {
      password: count('password', signInFailuresMax),
      second_factor: count('code', codeFailuresMax),
      link: count('link', linkFailuresMax),
    }
  }

  signInFailed(user: Pick<User, 'id'>, step: FailedStep, ip: string): void {
    const topic = `failures:${step}:${user.id}`
    const kind = step === 'password' ? 'sign_in_failures' : 'code_failures'
    const event = { kind, ...this.#event(ip) } as const
    this.#count(this.#counts[step], topic, user.id, event)
  }

  linkFailed(link: ProtectedLink, ip: string): void {
    const { kind, id, name, ownerId } = link
    const event = { kind: 'link_failures', isRequest: kind === 'reverse', name } as const
    this.#count(this.#counts.link, `failures:${kind}:${id}`, ownerId, {
      ...event,
      ...this.#event(ip),
    })
  }

  /** Resolves when all notices are written and sendable ones are sent. */
  async idle(): Promise<void> {
    await Promise.all(this.#pending)
  }

  #event(ip: string): { at: Date; ip: string } {
    const { clock, shownAddresses } = this.#deps
    return { at: new Date(clock.now()), ip: showAddress(ip, shownAddresses()) }
  }

  #count(counts: RateLimiter, topic: string, ownerId: number, email: FailureTemplateData): void {
    // The failures after the last one that counts try again, here or in another process.
    const isDue = counts.take(topic).remaining === 0 && this.#deps.emails.isConfigured
    if (!isDue || this.#pending.size >= pendingMax) return
    const writing = this.#write(topic, ownerId, email)
      .catch((error: unknown) => {
        this.#deps.log.warn('could not queue notice of failed attempts', { cause: error })
      })
      .finally(() => this.#pending.delete(writing))
    this.#pending.add(writing)
  }

  async #write(topic: string, ownerId: number, email: FailureTemplateData): Promise<void> {
    const { emails, clock } = this.#deps
    await emails.begin(async (sql) => {
      const owner = await lockUserForChange(sql, ownerId)
      if (!owner || owner.disabledAt) return
      // Counts are in memory: after a restart only today's emails are known.
      const newestAt = await emails.newestAt(sql, topic)
      if (newestAt && clock.now() - newestAt.getTime() < dayMs) return
      await emails.queue(sql, email, { to: [owner.email], topic, usefulUntil: null })
    })
  }
}
