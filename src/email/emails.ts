import type { Audit } from '../audit/audit.ts'
import type { Sql } from '../database/connect.ts'
import { type LimitExchange, RateLimiter } from '../http/rate-limit.ts'
import type { UserActor } from '../lib/actor.ts'
import { CodedError, requireFound } from '../lib/errors.ts'
import type { Language } from '../lib/language.ts'
import { randomRowId } from '../lib/random-id.ts'
import { inOrder, Permits } from '../lib/permits.ts'
import { gather, type DeliveryReceived } from './delivery-templates.ts'
import * as gathered from './gathered-sql.ts'
import { renderEmail, type Content, type TemplateData, type TemplateKind } from './templates.ts'
import type { Deployment } from './wording.ts'
import { Outbox, type OutboxDeps } from './queue.ts'
import { describeFailure, sendMessage, type SmtpPatience, type SmtpServer } from './smtp.ts'
import type { EmailedFiles } from './share-templates.ts'
import * as rows from './sql.ts'
import { dayMs, hourMs } from '../lib/clock.ts'

const queuedMax = 20_000
/** Recipients of one account in an hour: its emails must not fill the queue of all. */
const recipientsMax = 1_000
/** Minimum time between two emails about deliveries to one link. */
const gatherMs = 5 * 60_000
const listedMax = 1_000
const sentLifeMs = 7 * dayMs
const deadLifeMs = 90 * dayMs
/** Short, because an administrator is waiting for the answer. */
const testPatience: SmtpPatience = { connectMs: 10_000, answerMs: 15_000, totalMs: 25_000 }
const testsAtOnceMax = 2
const testsWaitingMax = 2

export interface EmailsDeps extends OutboxDeps {
  readonly audit: Audit
  readonly isAlive: (processId: string) => Promise<boolean>
  readonly limitExchange: LimitExchange
  /** This deployment, with the language and time zone for people who have chosen none. */
  readonly deployment: () => Deployment
  /** What accounts with these addresses have chosen, by lower-case address. */
  readonly localesOf: (sql: Sql, addresses: readonly string[]) => Promise<Map<string, Locale>>
}

/** How a person reads; null for no choice. */
export interface Locale {
  readonly language: Language | null
  readonly timeZone: string | null
}

export interface EmailAddressing {
  readonly to: readonly string[]
  /** Its subject, for example `share:<id>`: selects unsent emails to withdraw. */
  readonly topic: string
  /** The email is useless afterwards; null for no limit. */
  readonly usefulUntil: Date | null
  /** Whether it replaces unsent ones of its topic to the same recipients. */
  readonly isReplacing?: boolean
}

/** An email that is rendered again. */
export interface UnsentEmail {
  readonly recipient: string
  /** What it says about added files; null for one about all files. */
  readonly added: EmailedFiles | null
}

/** Result of an email that was sent at once. */
export type TestResult =
  | { readonly isSent: true; readonly answer: string }
  | { readonly isSent: false; readonly error: string }

/** Emails to people: queued by the transaction of their cause, sent in the background. */
export class Emails {
  readonly #deps: EmailsDeps
  readonly #outbox: Outbox
  readonly #tests = new Permits(inOrder(testsAtOnceMax), { waitersMax: testsWaitingMax })
  /** By the account that emails them. */
  readonly #recipients: RateLimiter

  constructor(deps: EmailsDeps) {
    this.#deps = deps
    const { clock } = deps
    const shared = { exchange: deps.limitExchange, name: 'email recipients' }
    this.#recipients = new RateLimiter({ limit: recipientsMax, windowMs: hourMs, clock, shared })
    this.#outbox = new Outbox(deps)
  }

  /** The server of the settings; null when email is not set up. */
  get server(): SmtpServer | null {
    return this.#deps.server()
  }

  get isConfigured(): boolean {
    return this.server !== null
  }

  /** Whether emails stay in the queue. */
  get isHeld(): boolean {
    return this.#deps.isHeld()
  }

  /**
   * Queues an email to each recipient, as part of the caller's transaction; call `wake` after the
   * commit. Without SMTP, and when the queue is full or the sender has emailed too many recipients,
   * nothing is stored, and the log says so.
   * @returns number of queued emails
   */
  async queue(sql: Sql, data: TemplateData, addressing: EmailAddressing): Promise<number> {
    const { to, topic, usefulUntil } = addressing
    const { kind } = data
    if (to.length === 0 || !(await this.#hasRoom(sql, kind, to.length))) return 0
    if ('sender' in data && !this.#takeFor(data.sender.userId, to.length)) return 0
    if (addressing.isReplacing) await this.withdraw(sql, [topic], to)
    const createdAt = new Date(this.#deps.clock.now())
    for (const rendered of await this.#render(sql, data, to)) {
      const ids = rendered.recipients.map(() => randomRowId())
      const when = { usefulUntil, createdAt, heldUntil: null }
      await rows.insertEmails(sql, { ids, ...rendered, kind, topic, ...when })
    }
    return to.length
  }

  /**
   * Renders unsent emails again, in the transaction that changes what they say.
   * @param kinds those that are concerned
   * @param write called if there are any; returns what each says now, or null for no change
   */
  async rewrite(
    sql: Sql,
    { topic, usefulUntil }: Pick<EmailAddressing, 'topic' | 'usefulUntil'>,
    kinds: readonly TemplateKind[],
    write: () => Promise<((unsent: UnsentEmail) => TemplateData) | null>,
  ): Promise<void> {
    const unsent = await rows.listUnsent(sql, topic, kinds)
    const emailOf = unsent.length > 0 ? await write() : null
    if (!emailOf) return
    const groups = new Map<string, { data: TemplateData; emails: typeof unsent }>()
    for (const email of unsent) {
      const { recipient, contentSealed } = email
      const data = emailOf({ recipient, added: this.#unseal(contentSealed)?.added ?? null })
      const key = JSON.stringify(data)
      const group = groups.get(key) ?? { data, emails: [] }
      group.emails.push(email)
      groups.set(key, group)
    }
    for (const { data, emails } of groups.values()) {
      const to = [...new Set(emails.map(({ recipient }) => recipient))]
      for (const { recipients, contentSealed } of await this.#render(sql, data, to)) {
        const same = emails.filter(({ recipient }) => recipients.includes(recipient))
        const ids = same.map(({ id }) => id)
        await rows.rewriteUnsent(sql, ids, { kind: data.kind, contentSealed, usefulUntil })
      }
    }
  }

  async #render(
    sql: Sql,
    data: TemplateData,
    to: readonly string[],
  ): Promise<{ recipients: string[]; contentSealed: Buffer }[]> {
    const { sealer } = this.#deps
    const sender = 'sender' in data ? data.sender.address : ''
    return [...(await this.#byLocale(sql, to, sender))].map(({ recipients, deployment }) => ({
      recipients,
      contentSealed: sealer.seal(JSON.stringify(renderEmail(data, deployment))),
    }))
  }

  /** Groups recipients that get the same email. Those without a time zone get the sender's. */
  async #byLocale(
    sql: Sql,
    addresses: readonly string[],
    sender: string,
  ): Promise<Iterable<{ recipients: string[]; deployment: Deployment }>> {
    const deployment = this.#deps.deployment()
    const locales = await this.#deps.localesOf(sql, [...addresses, sender])
    const zone = locales.get(sender.toLowerCase())?.timeZone ?? deployment.timeZone
    const groups = new Map<string, { recipients: string[]; deployment: Deployment }>()
    for (const address of addresses) {
      const chosen = locales.get(address.toLowerCase())
      const language = chosen?.language ?? deployment.language
      const timeZone = chosen?.timeZone ?? zone
      const own = { recipients: [], deployment: { ...deployment, language, timeZone } }
      const key = `${language} ${timeZone}`
      const group = groups.get(key) ?? own
      group.recipients.push(address)
      groups.set(key, group)
    }
    return groups.values()
  }

  /** Whether this many emails can be queued; logs the reason if not. */
  async #hasRoom(sql: Sql, kind: TemplateKind, recipients: number): Promise<boolean> {
    const { log } = this.#deps
    if (!this.isConfigured) {
      log.warn('email not configured: nothing sent', { kind, recipients })
      return false
    }
    const { queued } = await rows.countUnsent(sql)
    if (queued + recipients <= queuedMax) return true
    log.error('email queue is full: nothing sent', { kind, recipients })
    return false
  }

  #takeFor(userId: number, recipients: number): boolean {
    const sender = `account ${userId}`
    if (this.#recipients.peek(sender).remaining < recipients) {
      this.#deps.log.warn('account emails too many recipients: nothing sent', { recipients })
      return false
    }
    for (let taken = 0; taken < recipients; taken++) this.#recipients.take(sender)
    return true
  }

  /**
   * Notifies one recipient about a delivery, like `queue`, but at most once in five minutes per
   * topic, because guests cause these emails. The first one goes at once; later ones are gathered
   * into one email that lists them.
   */
  async queueGathered(sql: Sql, data: DeliveryReceived, addressing: EmailAddressing) {
    const [recipient] = addressing.to
    if (recipient === undefined) return
    const { topic } = addressing
    if (this.isConfigured) await gathered.lockTopic(sql, topic)
    const held = await gathered.lockHeldEmail(sql, topic, recipient)
    const before = held && this.#unseal(held.contentSealed)?.gathered
    if (held && before) {
      const [email] = await this.#render(sql, gather(before, data), [recipient])
      return gathered.replaceHeldContent(sql, held.id, email!.contentSealed)
    }
    const heldUntil = await this.#findHold(sql, topic, recipient)
    if (heldUntil === null) return void (await this.queue(sql, data, addressing))
    if (!(await this.#hasRoom(sql, data.kind, 1))) return
    const [email] = await this.#render(sql, gather(null, data), [recipient])
    await rows.insertEmails(sql, {
      ...email!,
      ids: [randomRowId()],
      kind: 'deliveries',
      topic,
      usefulUntil: null,
      createdAt: new Date(this.#deps.clock.now()),
      heldUntil,
    })
  }

  /** When an email may be sent at the earliest; null for at once. */
  async #findHold(sql: Sql, topic: string, recipient: string): Promise<Date | null> {
    const kinds = ['delivery', 'deliveries'] satisfies TemplateKind[]
    const newest = await gathered.findNewestDue(sql, topic, recipient, kinds)
    const sinceMs = newest === null ? Infinity : this.#deps.clock.now() - newest.getTime()
    // A clock that was set back must not delay an email for long.
    if (newest === null || sinceMs >= gatherMs || sinceMs < -gatherMs) return null
    return new Date(newest.getTime() + gatherMs)
  }

  /** Null when it was sealed with another secret. */
  #unseal(contentSealed: Buffer): Content | null {
    try {
      return JSON.parse(this.#deps.sealer.unseal(contentSealed)) as Content
    } catch {
      return null
    }
  }

  /** Withdraws unsent emails, as part of the transaction that makes them pointless. */
  async withdraw(sql: Sql, topics: readonly string[], recipients?: readonly string[]) {
    if (topics.length > 0) await rows.deleteUnsent(sql, topics, recipients)
  }

  /** The newest email to each recipient of a topic; sent ones are kept for a week. */
  async listNewest(topic: string): Promise<rows.EmailRow[]> {
    return rows.listNewestEmails(this.#deps.database.sql, topic)
  }

  /** When the newest email of a topic was queued, or null; none that the clock was ahead for. */
  async newestAt(sql: Sql, topic: string): Promise<Date | null> {
    return rows.findNewestAt(sql, topic, new Date(this.#deps.clock.now()))
  }

  /** Sends due emails in the background. */
  wake(): void {
    this.#outbox.wake()
  }

  /** Runs a transaction, and then sends the emails that it has queued. */
  async begin<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const result = await this.#deps.database.begin(work)
    this.wake()
    return result
  }

  /** Resolves when no email is being sent. */
  idle(): Promise<void> {
    return this.#outbox.idle()
  }

  /** For the job: sends due emails, and waits until they are sent. */
  async run(): Promise<void> {
    this.wake()
    await this.idle()
  }

  /** Says that emails wait, if they do. Call at start. */
  async recover(): Promise<void> {
    if (this.isHeld) this.#deps.log.warn('emails are held: transfer emails release sends them')
    await this.takeOver()
  }

  /** Frees emails that dead processes were sending. */
  async takeOver(): Promise<void> {
    await this.#outbox.takeOver(this.#deps.isAlive)
  }

  async close(graceMs: number): Promise<void> {
    await this.#outbox.close(graceMs)
  }

  /** Returns the number of removed emails. */
  async removeOld(): Promise<number> {
    const { database, clock } = this.#deps
    const now = clock.now()
    const deadBefore = new Date(now - deadLifeMs)
    return rows.deleteOldEmails(database.sql, new Date(now - sentLifeMs), deadBefore)
  }

  /** Number of queued and of failed emails. */
  async count(): Promise<{ queued: number; dead: number }> {
    return rows.countUnsent(this.#deps.database.sql)
  }

  /** The newest emails, at most a thousand. */
  async list(state: rows.EmailState | null): Promise<rows.EmailRow[]> {
    return rows.listMails(this.#deps.database.sql, state, listedMax)
  }

  /** @throws CodedError not_found */
  async find(id: string): Promise<rows.EmailRow> {
    return requireFound(await rows.findEmail(this.#deps.database.sql, id))
  }

  /**
   * Retries a failed or queued email now.
   * @throws CodedError conflict for an email that was sent or has become useless
   */
  async retry(actor: UserActor, id: string): Promise<void> {
    const { audit, clock } = this.#deps
    await this.begin(async (sql) => {
      const mail = await rows.requeueEmail(sql, id, new Date(clock.now()))
      if (!mail) {
        throw new CodedError('conflict', { message: 'Already sent, or no longer relevant.' })
      }
      await audit.record(sql, actor, 'mail.retried', { id, name: mail.recipient })
    })
  }

  /**
   * Sends a test email now, and returns the server's answer.
   * @throws CodedError mail_not_configured, unavailable when several run at once
   */
  async sendTest(actor: UserActor, to: string): Promise<TestResult> {
    const { database, audit, clock, server, logo } = this.#deps
    const current = server()
    if (!current) throw new CodedError('mail_not_configured')
    const [group] = await this.#byLocale(database.sql, [to], '')
    const content = renderEmail({ kind: 'test' }, group!.deployment)
    const message = { id: randomRowId(), to, date: new Date(clock.now()), content, logo: logo() }
    return this.#tests.run(async () => {
      await audit.record(database.sql, actor, 'mail.tested', { id: message.id, name: to })
      try {
        const signal = new AbortController().signal
        return { isSent: true, answer: await sendMessage(current, message, testPatience, signal) }
      } catch (error) {
        return { isSent: false, error: describeFailure(error).message }
      }
    })
  }
}
