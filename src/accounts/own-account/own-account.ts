import type { Sql } from '../../database/connect.ts'
import type { UserActor } from '../../lib/actor.ts'
import { CodedError, invalidInput, requireFound } from '../../lib/errors.ts'
import { requireFreshSession } from '../../lib/fresh-session.ts'
import { checkAccountPassword, requesterOf } from '../passwords/passwords.ts'
import { findUser, lockUserForChange, type User } from '../users/sql.ts'
import { requireSession } from '../sign-in/sign-in.ts'
import type { SecondFactorProof } from '../second-factor/second-factor.ts'
import { hasSession } from '../sign-in/sql.ts'
import type { AccountBasis, SignInDeps } from '../deps.ts'

/** Password and second factor, as typed. */
export interface Confirmation {
  readonly currentPassword: string
  /** Null when none was typed, which is enough for an account without a second factor. */
  readonly proof: SecondFactorProof | null
}

/**
 * Confirms who is acting, before everything by which a stolen session could stay for good or lock
 * its owner out. A right code is used up even if the action then fails.
 * @param confirmation null to rely on the session, which a passkey has confirmed just now
 * @throws CodedError wrong_current_password, wrong_second_factor, invalid_input when password or
 *   code is missing, confirmation_required, unauthorized, api_token_not_allowed
 */
export async function confirmIdentity(
  deps: SignInDeps,
  actor: UserActor,
  confirmation: Confirmation | null,
): Promise<User> {
  const confirmed = await confirmPassword(deps, actor, confirmation?.currentPassword ?? null)
  if (confirmation === null) return confirmed
  await deps.database.begin(async (sql) => {
    const user = await lockOwnAccount(sql, actor, confirmed)
    await requireSecondStep(deps, sql, actor, user, confirmation.proof)
  })
  return confirmed
}

/**
 * Beside the password: uses up a code of the account's app. If a passkey is all that its second
 * step can be, the session must have been confirmed by it, because nothing can be typed for it.
 * @throws CodedError wrong_second_factor, invalid_input without a code, confirmation_required
 */
export async function requireSecondStep(
  { auth, secondFactor }: SignInDeps,
  sql: Sql,
  actor: UserActor,
  user: User,
  proof: SecondFactorProof | null,
): Promise<void> {
  const methods = await auth.secondStep(sql, user.id)
  if (methods.length === 0) return
  if (!methods.includes('code')) return requireFreshSession(actor)
  if (proof === null) throw invalidInput('code', 'is required')
  if (!(await secondFactor.use(sql, actor, user, proof))) {
    throw new CodedError('wrong_second_factor')
  }
}

/**
 * @param password null where none was sent, which a session that was confirmed without it need not
 * @returns the account with the password that was confirmed
 * @throws CodedError api_token_not_allowed, unauthorized when the account is gone,
 *   wrong_current_password; without a password, invalid_input for an account that has one and
 *   confirmation_required for one that has none
 */
export async function confirmPassword(
  deps: AccountBasis,
  actor: UserActor,
  password: string | null,
): Promise<User> {
  requireSession(actor)
  const user = requireFound(await findUser(deps.database.sql, actor.userId), 'unauthorized')
  if (password !== null) {
    const checked = await checkAccountPassword(deps, user, password, requesterOf(actor))
    return requireFound(checked, 'wrong_current_password')
  }
  if (actor.recentProof !== 'passwordless') {
    if (user.passwordHash !== '') throw invalidInput('currentPassword', 'is required')
    requireFreshSession(actor)
  }
  return user
}

/**
 * Locks the actor's account, and requires that its session is alive and its password is still the
 * confirmed one. Ending sessions takes the same lock, so that of two simultaneous changes one sees
 * the result of the other.
 * @throws CodedError api_token_not_allowed, unauthorized when the session or the account has ended,
 *   wrong_current_password
 */
export async function lockOwnAccount(
  sql: Sql,
  actor: UserActor,
  confirmed: User | null = null,
): Promise<User> {
  return requireLive(sql, actor, await lockUserForChange(sql, actor.userId), confirmed)
}

/**
 * The same for transactions that hold `lockUsers`, under which no account changes. Takes no further
 * lock: commits of chunks lock a share first and then its owner, and the deletion of an account has
 * yet to lock its shares.
 */
export async function requireConfirmed(sql: Sql, actor: UserActor, confirmed: User): Promise<User> {
  return requireLive(sql, actor, await findUser(sql, actor.userId), confirmed)
}

/**
 * For results that must not outlive a session; call it at the end of the transaction.
 * @throws CodedError unauthorized when the session has ended; API tokens are not checked
 */
export async function requireLiveSession(sql: Sql, { sessionId }: UserActor): Promise<void> {
  if (sessionId !== null && !(await hasSession(sql, sessionId)))
    throw new CodedError('unauthorized')
}

async function requireLive(
  sql: Sql,
  actor: UserActor,
  user: User | null,
  confirmed: User | null,
): Promise<User> {
  const sessionId = requireSession(actor)
  if (!user || user.disabledAt || !(await hasSession(sql, sessionId))) {
    throw new CodedError('unauthorized')
  }
  if (confirmed && user.passwordHash !== confirmed.passwordHash) {
    throw new CodedError('wrong_current_password')
  }
  return user
}
