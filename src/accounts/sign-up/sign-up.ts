import type { Sql } from '../../database/connect.ts'
import { countEmailsBetween, countUnsentOf } from '../../email/sql.ts'
import { networkOf } from '../../http/client-ip.ts'
import { RateLimiter } from '../../http/rate-limit.ts'
import { requireToken } from '../../http/run.ts'
import { system, type AnonymousActor } from '../../lib/actor.ts'
import { dayMs, hourMs } from '../../lib/clock.ts'
import { domainOf, localPartOf } from '../../lib/email-address.ts'
import { CodedError } from '../../lib/errors.ts'
import { hashToken } from '../../lib/random-id.ts'
import type { SignInDeps } from '../deps.ts'
import { isChallengeUsed, useChallenge } from '../passkeys/sql.ts'
import { requesterOf } from '../passwords/passwords.ts'
import { LateAnswers } from '../reset/late-answers.ts'
import type { SignInOrigin, StartedSession } from '../sign-in/sign-in.ts'
import { findUserByEmail, listAdministratorEmails, lockUsers } from '../users/sql.ts'
import { targetOf, type NewUser } from '../users/users.ts'
import * as rows from './sql.ts'

/** How long a link works. */
const lifeHours = 24
/** People who wait for approval, and how long. */
const waitingMax = 1_000
const waitingDaysMax = 30
/** Requests of one network in an hour. */
const networkMax = 40
/** Emails within a day: to one address, and to all that are likely to reach the same mailbox. */
const dailyMax = { address: 3, mailbox: 6 }
/** Unsent emails to people without an account: a flood leaves the queue to those with one. */
const unsentMax = 1_000
/** Marks what only this class has sealed. */
const mark = 'sign-up'
const noticeTopic = 'sign-ups'
const topicStart = 'sign-up:'
/** Their mailboxes ignore dots before the `@`. */
const domainsWithoutDots: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com'])

/** What a link confirms, and the hash by which it works once. */
interface OpenLink {
  readonly email: string
  readonly hash: Buffer
  readonly expiresAt: Date
}

/**
 * Creates accounts that people want for themselves. The address is confirmed first, by a sealed
 * link that holds it: until then nothing is stored but the email.
 */
export class SignUp {
  readonly #deps: SignInDeps
  readonly #answers: LateAnswers
  readonly #networks: RateLimiter

  constructor(deps: SignInDeps) {
    this.#deps = deps
    this.#answers = new LateAnswers(deps)
    const { clock, limitExchange: exchange } = deps
    const shared = { exchange, name: 'sign-up networks' }
    this.#networks = new RateLimiter({ limit: networkMax, windowMs: hourMs, clock, shared })
  }

  /** Whether people can sign up now. Without email or passwords, the setting has no effect. */
  get isOn(): boolean {
    const { emails, settings } = this.#deps
    const { signUp, passwordSignIn } = settings.values
    return signUp !== 'off' && passwordSignIn && emails.isConfigured
  }

  get needsApproval(): boolean {
    return this.#deps.settings.values.signUp === 'approval'
  }

  /**
   * Emails a link, or that there is an account already. Other domains get nothing.
   * @throws CodedError sign_up_off, rate_limited
   */
  async request({ ip }: AnonymousActor, email: string): Promise<void> {
    this.#requireOn()
    requireToken(this.#networks.take(networkOf(ip) ?? ip))
    const user = await findUserByEmail(this.#deps.database.sql, email)
    if (!user && !this.#mayHold(email)) return
    this.#answers.begin('sign-up', ip, () => this.#answer(user?.email ?? email))
  }

  /**
   * What a link confirms.
   * @throws CodedError sign_up_off, wrong_sign_up_link, sign_up_used, too_many_sign_ups
   */
  async verify(token: string): Promise<OpenLink> {
    const { sql } = this.#deps.database
    this.#requireOn()
    const link = this.#open(token)
    await this.#requireRoom(sql, link.email)
    if (await isChallengeUsed(sql, link.hash)) throw new CodedError('wrong_sign_up_link')
    return link
  }

  /**
   * Creates the account, once, and signs its holder in.
   * @returns null while an administrator has to approve it
   * @throws CodedError errors of `verify`
   */
  async confirm(
    actor: AnonymousActor,
    token: string,
    { name, password }: Pick<NewUser, 'name' | 'password'>,
    origin: SignInOrigin,
  ): Promise<StartedSession | null> {
    const { email, hash, expiresAt } = await this.verify(token)
    const { auth, emails, passwords, users } = this.#deps
    const passwordHash = await passwords.hashOfAccount(password, email, requesterOf(actor))
    const { needsApproval } = this
    return emails.begin(async (sql) => {
      // When a link is used twice at the same time, the second use finds the account.
      await lockUsers(sql)
      await this.#requireRoom(sql, email)
      // The account may be gone, or have another address now.
      if (!(await useChallenge(sql, hash, expiresAt))) throw new CodedError('wrong_sign_up_link')
      const person = { email, name, passwordHash }
      const user = await users.createConfirmed(sql, actor, person, needsApproval)
      await emails.withdraw(sql, [topicOf(email)], [email])
      if (needsApproval) {
        await this.#tellAdministrators(sql)
        return null
      }
      return auth.logIn(sql, user, origin, { second_factor: 'none' })
    })
  }

  /** How many people wait for approval, and those who have waited longest. */
  async listWaiting(
    countMax: number,
  ): Promise<{ readonly count: number; readonly first: readonly rows.WaitingPerson[] }> {
    const { sql } = this.#deps.database
    const [count, first] = await Promise.all([
      rows.countWaiting(sql),
      rows.listWaiting(sql, countMax),
    ])
    return { count, first }
  }

  /** For the job: tells administrators of those who came within an hour of the last email. */
  async run(): Promise<void> {
    const { database, emails } = this.#deps
    if ((await rows.countWaiting(database.sql)) === 0) return
    await emails.begin(async (sql) => {
      await lockUsers(sql)
      await this.#tellAdministrators(sql)
    })
  }

  /** Declines those who have waited too long. Returns their number. */
  async removeOld(): Promise<number> {
    const { audit, clock, emails, notices } = this.#deps
    const before = new Date(clock.now() - waitingDaysMax * dayMs)
    return emails.begin(async (sql) => {
      await lockUsers(sql)
      const declined = await rows.deleteWaiting(sql, before)
      for (const user of declined) {
        await audit.record(sql, system, 'user.declined', targetOf(user))
        await notices.answerSignUp(sql, user, false)
      }
      return declined.length
    })
  }

  /** Resolves when no request is being answered. */
  idle(): Promise<void> {
    return this.#answers.idle()
  }

  async #answer(email: string): Promise<void> {
    const { clock, emails, keys, log, signUpUrl } = this.#deps
    const now = clock.now()
    const topic = topicOf(email)
    await emails.begin(async (sql) => {
      const lastDay = { since: new Date(now - dayMs), until: new Date(now) }
      const sent = await countEmailsBetween(sql, topic, email, lastDay)
      if (sent.own >= dailyMax.address) return
      // Variants must not use up the emails of the mailbox's own address.
      if (topic !== `${topicStart}${email.toLowerCase()}` && sent.all >= dailyMax.mailbox) return
      const expiresAt = now + lifeHours * hourMs
      const delivery = { to: [email], topic, usefulUntil: new Date(expiresAt) }
      if (await findUserByEmail(sql, email)) {
        await emails.queue(sql, { kind: 'sign_up_known' }, delivery)
      } else if ((await countUnsentOf(sql, ['sign_up'])) < unsentMax) {
        const token = keys.seal(JSON.stringify([mark, email, expiresAt])).toString('base64url')
        await emails.queue(sql, { kind: 'sign_up', url: signUpUrl(token), lifeHours }, delivery)
      } else {
        log.error('too many unsent emails to people who sign up: nothing sent')
      }
    })
  }

  /** At most once an hour, and only about people who came after the last email. */
  async #tellAdministrators(sql: Sql): Promise<void> {
    const { clock, emails } = this.#deps
    const now = clock.now()
    const newestAt = await rows.findNewestWaiting(sql, new Date(now))
    const toldAt = (await emails.newestAt(sql, noticeTopic))?.getTime() ?? -Infinity
    if (newestAt === null || now - toldAt < hourMs || newestAt.getTime() <= toldAt) return
    const count = await rows.countWaiting(sql)
    const to = await listAdministratorEmails(sql)
    const addressing = { to, topic: noticeTopic, usefulUntil: new Date(now + dayMs) }
    await emails.queue(sql, { kind: 'sign_ups_waiting', count }, addressing)
  }

  /** @throws CodedError wrong_sign_up_link */
  #open(token: string): OpenLink {
    const { clock, keys } = this.#deps
    try {
      // Different texts have the same bytes.
      const bytes = Buffer.from(token, 'base64url')
      const text = keys.unseal(bytes)
      const [found, email, expiresAt] = JSON.parse(text) as [string, string, number]
      if (found === mark && clock.now() < expiresAt && this.#mayHold(email)) {
        const hash = hashToken(bytes.toString('base64url'))
        return { email, hash, expiresAt: new Date(expiresAt) }
      }
    } catch {
      // Another secret, or no link of ours.
    }
    throw new CodedError('wrong_sign_up_link')
  }

  /** Some servers pass `a%b@c` and `b!a@c` on to a mailbox at b, which may be anywhere. */
  #mayHold(email: string): boolean {
    const { signUpDomains } = this.#deps.settings.values
    if (signUpDomains.length === 0) return true
    return signUpDomains.includes(domainOf(email)) && !/[%!]/.test(email)
  }

  /** @throws CodedError sign_up_off */
  #requireOn(): void {
    if (!this.isOn) throw new CodedError('sign_up_off')
  }

  /** @throws CodedError sign_up_used, too_many_sign_ups */
  async #requireRoom(sql: Sql, email: string): Promise<void> {
    if (await findUserByEmail(sql, email)) throw new CodedError('sign_up_used')
    if (!this.needsApproval) return
    if ((await rows.countWaiting(sql)) >= waitingMax) throw new CodedError('too_many_sign_ups')
  }
}

/**
 * The topic of emails to a mailbox. Addresses that differ after a plus count as one, because many
 * servers deliver them to one mailbox; at Gmail, those that differ by dots do too.
 */
function topicOf(email: string): string {
  const domain = domainOf(email)
  const [local = ''] = localPartOf(email).toLowerCase().split('+', 1)
  const mailbox = domainsWithoutDots.has(domain) ? local.replaceAll('.', '') : local
  return `${topicStart}${mailbox}@${domain}`
}
