import type { Sql } from '../../database/connect.ts'
import type { AnonymousActor, Manager } from '../../lib/actor.ts'
import { CodedError } from '../../lib/errors.ts'
import { requireFreshSession } from '../../lib/fresh-session.ts'
import { hashToken, randomToken } from '../../lib/random-id.ts'
import type { TemplateData } from '../../email/templates.ts'
import { requesterOf } from '../passwords/passwords.ts'
import {
  findUser,
  lockUserForChange,
  lockUsers,
  setInvitedAt,
  setPasswordHash,
  type User,
} from '../users/sql.ts'
import { targetOf, type NewUser } from '../users/users.ts'
import type { SignInOrigin, StartedSession } from '../sign-in/sign-in.ts'
import { resetLifeMinutes, resetTopic } from '../reset/password-reset.ts'
import * as rows from '../reset/sql.ts'
import { minuteMs } from '../../lib/durations.ts'
import type { SignInDeps } from '../deps.ts'

const invitationLifeDays = 7
const invitationLifeMs = invitationLifeDays * 24 * 60 * minuteMs

/** A link that sets the password of an account, once. */
export interface AccountLink {
  readonly url: string
  readonly expiresAt: Date
  /** Whether it was emailed; otherwise the administrator has to hand it over. */
  readonly isEmailed: boolean
}

interface Kind {
  readonly isInvitation: boolean
  readonly lifeMs: number
  readonly topic: (userId: number) => string
  readonly url: (token: string) => string
  readonly email: (url: string) => TemplateData
}

/** Account links that administrators make: invitations, and links for a lost password. */
export class AccountLinks {
  readonly #deps: SignInDeps
  readonly #invitation: Kind
  readonly #reset: Kind

  constructor(deps: SignInDeps) {
    this.#deps = deps
    this.#invitation = {
      isInvitation: true,
      lifeMs: invitationLifeMs,
      topic: invitationTopic,
      url: deps.invitationUrl,
      email: (url) => ({ kind: 'invitation', url, lifeDays: invitationLifeDays }),
    }
    this.#reset = {
      isInvitation: false,
      lifeMs: resetLifeMinutes * minuteMs,
      topic: resetTopic,
      url: deps.resetUrl,
      email: (url) => ({ kind: 'password_reset', url, lifeMinutes: resetLifeMinutes }),
    }
  }

  /**
   * Makes an account with a password that its holder will set.
   * @throws CodedError conflict when the email address is taken
   */
  async invite(
    actor: Manager,
    user: Omit<NewUser, 'password'>,
  ): Promise<{ user: User; link: AccountLink }> {
    const { audit, emails, users } = this.#deps
    const invited = await users.createInvited(actor, user, async (sql, created) => {
      const link = await this.#make(sql, created, this.#invitation)
      const details = { is_admin: created.isAdmin, mailed: link.isEmailed }
      await audit.record(sql, actor, 'user.invited', targetOf(created), details)
      return { user: created, link }
    })
    emails.wake()
    return invited
  }

  /**
   * Makes a new link for an invited person, which voids the old one.
   * @throws CodedError not_found, conflict for an account that has a password or is disabled,
   *   api_token_not_allowed, confirmation_required
   */
  async inviteAgain(actor: Manager, userId: number): Promise<AccountLink> {
    const { database, audit, clock, emails } = this.#deps
    const link = await database.begin(async (sql) => {
      await lockUsers(sql)
      const user = requireEnabled(await findUser(sql, userId))
      requireFreshSession(actor)
      if (user.invitedAt === null) {
        throw new CodedError('conflict', { message: 'This account already has a password.' })
      }
      await setInvitedAt(sql, userId, new Date(clock.now()))
      const made = await this.#make(sql, user, this.#invitation)
      const details = { mailed: made.isEmailed }
      await audit.record(sql, actor, 'user.invited_again', targetOf(user), details)
      return made
    })
    emails.wake()
    return link
  }

  /**
   * Makes a link for a new password, like one that people request themselves; voids earlier ones.
   * @throws CodedError not_found, conflict for an account that is disabled
   */
  async makeResetLink(actor: Manager, userId: number): Promise<AccountLink> {
    const { database, audit, emails } = this.#deps
    const link = await database.begin(async (sql) => {
      const user = requireEnabled(await lockUserForChange(sql, userId))
      if (user.invitedAt !== null) {
        throw new CodedError('conflict', {
          message: 'This account has no password yet. Invite its holder again.',
        })
      }
      const made = await this.#make(sql, user, this.#reset)
      const details = { mailed: made.isEmailed }
      await audit.record(sql, actor, 'password.link_made', targetOf(user), details)
      return made
    })
    emails.wake()
    return link
  }

  /**
   * The account that an invitation is for.
   * @throws CodedError wrong_invitation, the same for an unknown, used, replaced or ended one
   */
  async verify(token: string): Promise<rows.ResetTarget> {
    const { database } = this.#deps
    return this.#find(database.sql, token)
  }

  /**
   * Sets the password of an invited account, once, and signs its holder in.
   * @throws CodedError wrong_invitation
   */
  async accept(
    actor: AnonymousActor,
    token: string,
    password: string,
    origin: SignInOrigin,
  ): Promise<StartedSession> {
    const { email } = await this.verify(token)
    const { database, audit, auth, emails, passwords } = this.#deps
    const requester = requesterOf({ kind: 'anonymous', ip: origin.ip })
    const passwordHash = await passwords.hashOfAccount(password, email, requester)
    return database.begin(async (sql) => {
      // When a link is used twice at the same time, the second use finds it gone.
      await lockUsers(sql)
      const { userId } = await this.#find(sql, token)
      await setPasswordHash(sql, userId, passwordHash)
      await rows.deleteResetsOf(sql, userId)
      await emails.withdraw(sql, [invitationTopic(userId)])
      const user = await findUser(sql, userId)
      if (!user) throw new CodedError('wrong_invitation')
      await audit.record(sql, actor, 'user.invitation_accepted', targetOf(user))
      const holder = { kind: 'user', userId, ip: origin.ip } as const
      const details = { second_factor: 'none' }
      await audit.record(sql, holder, 'login.succeeded', targetOf(user), details)
      return auth.startSession(user, origin, sql)
    })
  }

  async #find(sql: Sql, token: string): Promise<rows.ResetTarget> {
    const link = { tokenHash: hashToken(token), isInvitation: true }
    const target = await rows.findTarget(sql, link, new Date(this.#deps.clock.now()))
    if (!target) throw new CodedError('wrong_invitation')
    return target
  }

  /** An account has one link at a time; earlier ones are void. */
  async #make(sql: Sql, { id, email }: User, kind: Kind): Promise<AccountLink> {
    const { clock, emails } = this.#deps
    const token = randomToken()
    const url = kind.url(token)
    const createdAt = new Date(clock.now())
    const expiresAt = new Date(createdAt.getTime() + kind.lifeMs)
    await rows.deleteResetsOf(sql, id)
    await emails.withdraw(sql, [invitationTopic(id), resetTopic(id)])
    const { isInvitation } = kind
    const reset = { userId: id, email, tokenHash: hashToken(token), createdAt, expiresAt }
    // Without email the administrator who made the link hands it over.
    const delivery = { to: [email], topic: kind.topic(id), usefulUntil: expiresAt }
    const isEmailed =
      emails.isConfigured && (await emails.queue(sql, kind.email(url), delivery)) > 0
    await rows.insertReset(sql, { ...reset, isInvitation, provesEmail: isEmailed })
    return { url, expiresAt, isEmailed }
  }
}

function invitationTopic(userId: number): string {
  return `invitation:${userId}`
}

/** @throws CodedError not_found, conflict */
function requireEnabled(user: User | null): User {
  if (!user) throw new CodedError('not_found')
  if (user.disabledAt !== null) {
    throw new CodedError('conflict', { message: 'This account is disabled. Enable it first.' })
  }
  return user
}
