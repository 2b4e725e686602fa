import type { Database, Sql } from '../db/connect.ts'
import type { UserActor } from '../lib/actor.ts'
import { CodedError } from '../lib/errors.ts'
import type { Passwords } from '../users/passwords.ts'
import { findUser, lockUserForChange, type UserRow } from '../users/sql.ts'
import { requireSession } from './auth.ts'
import { hasSession } from './sql.ts'

/**
 * Locks the account of the actor, whose login must still go on. Whoever ends logins takes the same
 * lock, so that of two who change an account at once one sees what the other did.
 * @throws CodedError api_token_not_allowed, unauthorized when the login or the account has ended
 */
export async function lockOwnAccount(sql: Sql, actor: UserActor): Promise<UserRow> {
  const sessionId = requireSession(actor)
  const user = await lockUserForChange(sql, actor.userId)
  if (!user || user.disabledAt || !(await hasSession(sql, sessionId))) {
    throw new CodedError('unauthorized')
  }
  return user
}

/** A password that was right when it was checked, by the hash it was checked against. */
export interface ConfirmedPassword {
  readonly hash: string
}

/** @throws CodedError wrong_current_password, unauthorized when the account is gone */
export async function confirmPassword(
  parts: { readonly database: Database; readonly passwords: Passwords },
  actor: UserActor,
  currentPassword: string,
): Promise<ConfirmedPassword> {
  const user = await findUser(parts.database.sql, actor.userId)
  if (!user) throw new CodedError('unauthorized')
  if (!(await parts.passwords.matches(user.passwordHash, currentPassword))) {
    throw new CodedError('wrong_current_password')
  }
  return { hash: user.passwordHash }
}

/**
 * `lockOwnAccount`, and the password that was confirmed is still the account's.
 * @throws CodedError wrong_current_password, and what lockOwnAccount throws
 */
export async function lockConfirmedAccount(
  sql: Sql,
  actor: UserActor,
  password: ConfirmedPassword,
): Promise<UserRow> {
  const user = await lockOwnAccount(sql, actor)
  if (user.passwordHash !== password.hash) throw new CodedError('wrong_current_password')
  return user
}
