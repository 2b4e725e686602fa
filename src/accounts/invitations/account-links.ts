// Account links that administrators make: invitations, and links for a lost password.
import type { Sql } from '../../database/connect.ts'
import type { AnonymousActor, Manager } from '../../lib/actor.ts'
import { CodedError, requireFound } from '../../lib/errors.ts'
import { requireFreshSession } from '../../lib/fresh-session.ts'
import { hashToken, randomToken } from '../../lib/random-id.ts'
import type { TemplateData } from '../../email/templates.ts'
import { requesterOf } from '../passwords/passwords.ts'
import * as userRows from '../users/sql.ts'
import { targetOf, type NewUser } from '../users/users.ts'
import type { SignInOrigin, StartedSession } from '../sign-in/sign-in.ts'
import { requireLink, resetLifeMinutes } from '../reset/password-reset.ts'
import * as rows from '../reset/sql.ts'
import { dayMs, minuteMs } from '../../lib/clock.ts'
import type { SignInDeps } from '../deps.ts'

const invitationLifeDays = 7

/** A link that sets the password of an account, once. */
export interface AccountLink {
  readonly url: string
  readonly expiresAt: Date
  /** Whether it was emailed; otherwise the administrator has to hand it over. */
  readonly isEmailed: boolean
}

/**
 * Makes an account with a password that its holder will set.
 * @throws CodedError conflict when the email address is taken
 */
export async function invite(
  deps: SignInDeps,
  actor: Manager,
  user: Omit<NewUser, 'password'>,
): Promise<{ user: userRows.User; link: AccountLink }> {
  const { audit, emails, passwords, users } = deps
  const passwordHash = await passwords.hash(randomToken(), requesterOf(actor))
  return emails.begin(async (sql) => {
    const created = await users.createInvited(sql, user, passwordHash)
    const link = await make(deps, sql, created, true)
    const details = { is_admin: created.isAdmin, mailed: link.isEmailed }
    await audit.record(sql, actor, 'user.invited', targetOf(created), details)
    return { user: created, link }
  })
}

/**
 * Makes a new link for an invited person, which voids the old one.
 * @throws CodedError not_found, conflict for an account that has a password or is disabled,
 *   api_token_not_allowed, confirmation_required
 */
export async function inviteAgain(
  deps: SignInDeps,
  actor: Manager,
  userId: number,
): Promise<AccountLink> {
  const { audit, clock, emails } = deps
  return emails.begin(async (sql) => {
    await userRows.lockUsers(sql)
    const user = requireEnabled(await userRows.findUser(sql, userId))
    requireFreshSession(actor)
    if (user.invitedAt === null) {
      throw new CodedError('conflict', { message: 'This account already has a password.' })
    }
    await userRows.setInvitedAt(sql, userId, new Date(clock.now()))
    const made = await make(deps, sql, user, true)
    const details = { mailed: made.isEmailed }
    await audit.record(sql, actor, 'user.invited_again', targetOf(user), details)
    return made
  })
}

/**
 * Makes a link for a new password, like one that people request themselves; voids earlier ones.
 * @throws CodedError not_found, conflict for an account that is disabled
 */
export async function makeResetLink(
  deps: SignInDeps,
  actor: Manager,
  userId: number,
): Promise<AccountLink> {
  const { audit, emails } = deps
  return emails.begin(async (sql) => {
    const user = requireEnabled(await userRows.lockUserForChange(sql, userId))
    if (user.invitedAt !== null) {
      const message = 'This account has no password yet. Invite its holder again.'
      throw new CodedError('conflict', { message })
    }
    const made = await make(deps, sql, user, false)
    const details = { mailed: made.isEmailed }
    await audit.record(sql, actor, 'password.link_made', targetOf(user), details)
    return made
  })
}

/**
 * Sets the password of an invited account, once, and signs its holder in.
 * @throws CodedError wrong_invitation
 */
export async function accept(
  deps: SignInDeps,
  actor: AnonymousActor,
  token: string,
  password: string,
  origin: SignInOrigin,
): Promise<StartedSession> {
  const { email } = await requireLink(deps, deps.database.sql, token, true)
  const { database, audit, auth, passwords } = deps
  const requester = requesterOf({ kind: 'anonymous', ip: origin.ip })
  const passwordHash = await passwords.hashOfAccount(password, email, requester)
  return database.begin(async (sql) => {
    // When a link is used twice at the same time, the second use finds it gone.
    await userRows.lockUsers(sql)
    const { userId } = await requireLink(deps, sql, token, true)
    await userRows.setPasswordHash(sql, userId, passwordHash)
    await rows.deleteResetsOf(sql, userId)
    const user = requireFound(await userRows.findUser(sql, userId), 'wrong_invitation')
    await audit.record(sql, actor, 'user.invitation_accepted', targetOf(user))
    return auth.logIn(sql, user, origin, { second_factor: 'none' })
  })
}

/** An account has one link at a time; earlier ones are void. */
async function make(
  { clock, emails, invitationUrl, resetUrl }: SignInDeps,
  sql: Sql,
  { id, email }: userRows.User,
  isInvitation: boolean,
): Promise<AccountLink> {
  const token = randomToken()
  const url = isInvitation ? invitationUrl(token) : resetUrl(token)
  const createdAt = new Date(clock.now())
  const lifeMs = isInvitation ? invitationLifeDays * dayMs : resetLifeMinutes * minuteMs
  const expiresAt = new Date(createdAt.getTime() + lifeMs)
  const data: TemplateData = isInvitation
    ? { kind: 'invitation', url, lifeDays: invitationLifeDays }
    : { kind: 'password_reset', url, lifeMinutes: resetLifeMinutes }
  await rows.deleteResetsOf(sql, id)
  // Without email the administrator who made the link hands it over.
  const topic = rows.linkTopic(id, isInvitation)
  const delivery = { to: [email], topic, usefulUntil: expiresAt }
  const isEmailed = emails.isConfigured && (await emails.queue(sql, data, delivery)) > 0
  const reset = { userId: id, email, tokenHash: hashToken(token), createdAt, expiresAt }
  await rows.insertReset(sql, { ...reset, isInvitation, provesEmail: isEmailed })
  return { url, expiresAt, isEmailed }
}

/** @throws CodedError not_found, conflict */
function requireEnabled(found: userRows.User | null): userRows.User {
  const user = requireFound(found)
  if (user.disabledAt !== null) {
    throw new CodedError('conflict', { message: 'This account is disabled. Enable it first.' })
  }
  return user
}
