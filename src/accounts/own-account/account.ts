import type { Manager, UserActor } from '../../lib/actor.ts'
import { CodedError, requireFound } from '../../lib/errors.ts'
import { guardSignIn, targetOf, type UserChange } from '../users/users.ts'
import { requesterOf } from '../passwords/passwords.ts'
import * as userRows from '../users/sql.ts'
import type { SecondFactorProof } from '../second-factor/second-factor.ts'
import { requireSession } from '../sign-in/sign-in.ts'
import {
  confirmIdentity,
  confirmPassword,
  lockOwnAccount,
  requireConfirmed,
  type Confirmation,
} from './own-account.ts'
import { confirmSession } from '../sign-in/sql.ts'
import type { SignInDeps } from '../deps.ts'

/** Changes of one's own account; absent fields stay as they are. */
export interface ProfileChange {
  readonly name?: string | null | undefined
  readonly email?: string | null | undefined
  /** Required for a new email address, because its holder can reset the password. */
  readonly confirmation: Confirmation | null
}

/** @throws CodedError unauthorized when the account has just been deleted */
export async function read(deps: SignInDeps, actor: UserActor): Promise<userRows.User> {
  return requireFound(await userRows.findUser(deps.database.sql, actor.userId), 'unauthorized')
}

/** Bytes of all files that the actor owns, and the quota: 0 for no limit. */
export async function usage(
  { database, settings }: SignInDeps,
  actor: UserActor,
): Promise<{ usedBytes: number; quotaBytes: number }> {
  const { liveBytes: usedBytes } = await userRows.sumUsage(database.sql, actor.userId)
  const own = await userRows.findQuota(database.sql, actor.userId)
  return { usedBytes, quotaBytes: own ?? settings.values.userQuota }
}

/**
 * @throws CodedError conflict, api_token_not_allowed, forbidden where a proxy signs users in by
 *   address; errors of `confirmIdentity`
 */
export async function update(
  deps: SignInDeps,
  actor: UserActor,
  change: ProfileChange,
): Promise<userRows.User> {
  const { users } = deps
  const { name, email, confirmation } = change
  const user = await read(deps, actor)
  if (!email || email === user.email) {
    if (name) await users.update(actor, user.id, { name })
    return read(deps, actor)
  }
  // Checked before the password: a token must not be a way to guess it.
  requireSession(actor)
  // Otherwise one could wait with the address of another user for their first sign-in.
  if (deps.proxyUsers.isOn && !actor.isAdmin) throw new CodedError('forbidden')
  const confirmed = await confirmIdentity(deps, actor, confirmation)
  await users.update(actor, user.id, { name, email }, async (sql) => {
    await requireConfirmed(sql, actor, confirmed)
  })
  return read(deps, actor)
}

/**
 * Changes the password and ends every other session and every API token.
 * @throws CodedError errors of `confirmIdentity`
 */
export async function changePassword(
  deps: SignInDeps,
  actor: UserActor,
  confirmation: Confirmation | null,
  newPassword: string,
): Promise<void> {
  const { audit, passwords, auth, emails, notices } = deps
  const confirmed = await confirmIdentity(deps, actor, confirmation)
  const requester = requesterOf(actor)
  const { email } = confirmed
  const passwordHash = await passwords.hashOfAccount(newPassword, email, requester, 'newPassword')
  await emails.begin(async (sql) => {
    await userRows.lockUsers(sql)
    const user = await requireConfirmed(sql, actor, confirmed)
    await userRows.setPasswordHash(sql, user.id, passwordHash)
    await auth.end(sql, user.id, actor.sessionId)
    await audit.record(sql, actor, 'password.changed', targetOf(user))
    await notices.write(sql, user, 'password_changed', actor)
  })
}

/**
 * Sets the password of another account, and ends all its sessions, API tokens and reset links.
 * @param change further changes of the account, all or nothing
 * @throws CodedError not_found, conflict, last_administrator
 */
export async function setPassword(
  { database, users, audit, passwords, auth, notices }: SignInDeps,
  actor: Manager,
  userId: number,
  password: string,
  change: UserChange = {},
): Promise<void> {
  const holder = requireFound(await userRows.findUser(database.sql, userId))
  const email = change.email ?? holder.email
  const passwordHash = await passwords.hashOfAccount(password, email, requesterOf(actor))
  await users.update(actor, userId, change, async (sql, user) => {
    guardSignIn(actor, user, { ...change, password })
    await userRows.setPasswordHash(sql, userId, passwordHash)
    await auth.end(sql, userId)
    await audit.record(sql, actor, 'password.set', targetOf(user))
    await notices.write(sql, user, 'password_changed', actor)
  })
}

/**
 * Records what was given for the actor's session, which may change accounts and security settings
 * for a while: password, code, or both. One alone counts as all only for an account that has no
 * other.
 * @throws CodedError wrong_current_password, wrong_second_factor, unauthorized,
 *   api_token_not_allowed
 */
export async function confirm(
  deps: SignInDeps,
  actor: UserActor,
  currentPassword: string | null,
  proof: SecondFactorProof | null,
): Promise<void> {
  const { database, audit, clock, auth, secondFactor } = deps
  const sessionId = requireSession(actor)
  const confirmed =
    currentPassword === null ? null : await confirmPassword(deps, actor, currentPassword)
  await database.begin(async (sql) => {
    const user = await lockOwnAccount(sql, actor, confirmed)
    if (proof && !(await secondFactor.use(sql, actor, user, proof))) {
      throw new CodedError('wrong_second_factor')
    }
    const lacksPassword = confirmed === null && user.passwordHash !== ''
    const lacksStep = proof === null && (await auth.secondStep(sql, user.id)).length > 0
    const by = lacksPassword || lacksStep ? 'one' : 'all'
    await confirmSession(sql, sessionId, new Date(clock.now()), by)
    await audit.record(sql, actor, 'session.confirmed', { id: sessionId, name: user.email })
  })
}

/**
 * Deletes the account with everything it owns.
 * @throws CodedError last_administrator; errors of `confirmIdentity`
 */
export async function remove(deps: SignInDeps, actor: UserActor, given: Confirmation | null) {
  const confirmed = await confirmIdentity(deps, actor, given)
  await deps.users.delete(actor, actor.userId, null, async (sql) => {
    await requireConfirmed(sql, actor, confirmed)
  })
}
