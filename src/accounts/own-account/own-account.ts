import type { Sql } from '../../database/connect.ts'
import type { UserActor } from '../../lib/actor.ts'
import { CodedError, invalidInput } from '../../lib/errors.ts'
import { requireFreshSession } from '../../lib/fresh-session.ts'
import { checkAccountPassword } from '../passwords/account-password.ts'
import { requesterOf } from '../passwords/passwords.ts'
import { findUser, lockUserForChange, type User } from '../users/sql.ts'
import { requireSession } from '../sign-in/sign-in.ts'
import type { SecondFactorProof } from '../second-factor/second-factor.ts'
import { hasSession } from '../sign-in/sql.ts'
import type { AccountBasis, SignInDeps } from '../deps.ts'

/** A holder who was verified, of the account with this password. */
export interface ConfirmedPassword {
  /** The hash that it was checked against; '' for an account without a password. */
  readonly hash: string
  /** Address of the account. */
  readonly email: string
}

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
): Promise<ConfirmedPassword> {
  if (confirmation === null) return requirePasswordless(deps, actor)
  const { currentPassword, proof } = confirmation
  const confirmed = await confirmPassword(deps, actor, currentPassword)
  await deps.database.begin(async (sql) => {
    const user = await lockOwnAccount(sql, actor, confirmed)
    await requireSecondStep(deps, sql, actor, user, proof)
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
 * For requests without the password, which a session that was confirmed without it need not send.
 * @throws CodedError api_token_not_allowed, unauthorized, invalid_input for an account with a
 *   password, confirmation_required for one without
 */
export async function requirePasswordless(
  { database }: AccountBasis,
  actor: UserActor,
): Promise<ConfirmedPassword> {
  requireSession(actor)
  const user = await findUser(database.sql, actor.userId)
  if (!user) throw new CodedError('unauthorized')
  const { passwordHash: hash, email } = user
  if (actor.recentProof !== 'passwordless') {
    if (hash !== '') throw invalidInput('currentPassword', 'is required')
    requireFreshSession(actor)
  }
  return { hash, email }
}

/** @throws CodedError wrong_current_password, unauthorized when the account is gone */
export async function confirmPassword(
  deps: AccountBasis,
  actor: UserActor,
  currentPassword: string,
): Promise<ConfirmedPassword> {
  const user = await findUser(deps.database.sql, actor.userId)
  if (!user) throw new CodedError('unauthorized')
  const checked = await checkAccountPassword(deps, user, currentPassword, requesterOf(actor))
  if (!checked) throw new CodedError('wrong_current_password')
  return { hash: checked.passwordHash, email: checked.email }
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
  confirmed: ConfirmedPassword | null = null,
): Promise<User> {
  return requireLive(sql, actor, await lockUserForChange(sql, actor.userId), confirmed)
}

/**
 * The same for transactions that hold `lockUsers`, under which no account changes. Takes no further
 * lock: commits of chunks lock a share first and then its owner, and the deletion of an account has
 * yet to lock its shares.
 */
export async function requireConfirmed(
  sql: Sql,
  actor: UserActor,
  confirmed: ConfirmedPassword,
): Promise<User> {
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
  confirmed: ConfirmedPassword | null,
): Promise<User> {
  const sessionId = requireSession(actor)
  if (!user || user.disabledAt || !(await hasSession(sql, sessionId))) {
    throw new CodedError('unauthorized')
  }
  if (confirmed && user.passwordHash !== confirmed.hash) {
    throw new CodedError('wrong_current_password')
  }
  return user
}
