import type { Sql } from '../../database/connect.ts'
import type { Manager, UserActor } from '../../lib/actor.ts'
import { CodedError } from '../../lib/errors.ts'
import { findUser, lockUserForChange, type User } from '../users/sql.ts'
import { targetOf } from '../users/users.ts'
import { requireSession } from '../sign-in/sign-in.ts'
import { confirmPassword, lockOwnAccount, requireSecondStep } from '../own-account/own-account.ts'
import type { Confirmation } from '../own-account/own-account.ts'
import { findProviderOfSession } from '../oidc/sql.ts'
import { countPasskeys, deletePasskeysOf } from '../passkeys/sql.ts'
import { createRecoveryCode } from './second-factor.ts'
import * as rows from './sql.ts'
import type { SignInDeps } from '../deps.ts'

const recoveryCodeCount = 10

/** `pending` is set up, but no code has proved yet that the app works. */
export type FactorState = 'none' | 'pending' | 'enabled'

export async function status(deps: SignInDeps, actor: UserActor) {
  const { sql } = deps.database
  const enabled = (await findState(sql, actor.userId)) === 'enabled'
  const { require2FA } = deps.settings.values
  const hasPasskey = (await countPasskeys(sql, actor.userId)) > 0
  const provider = actor.sessionId && (await findProviderOfSession(sql, actor.sessionId))
  const isTrusted = provider ? provider.trustsSecondFactor : false
  return {
    enabled,
    hasPasskey,
    needsPasskey: require2FA && hasPasskey && !enabled,
    hasPassword: (await findUser(sql, actor.userId))?.passwordHash !== '',
    // Not where the session's provider stands for it.
    required: require2FA && !isTrusted,
    recoveryCodesLeft: enabled ? await rows.countRecoveryCodes(sql, actor.userId) : 0,
  }
}

/** @throws CodedError second_factor_enabled, no_second_factor for any other state */
export async function requireState(
  deps: SignInDeps,
  actor: UserActor,
  ...wanted: FactorState[]
): Promise<void> {
  requireOneOf(await findState(deps.database.sql, actor.userId), wanted)
}

/**
 * Makes a secret for the actor's app, replacing one that was never enabled.
 * @throws CodedError second_factor_enabled
 */
export async function setup(
  { database, clock, secondFactor, settings }: SignInDeps,
  actor: UserActor,
): Promise<{ secret: string; uri: string }> {
  return database.begin(async (sql) => {
    const user = await lockOwnAccount(sql, actor)
    requireOneOf(await findState(sql, user.id), ['none', 'pending'])
    const made = await secondFactor.createSecret(settings.values.appName, user.email)
    await rows.putPendingFactor(sql, user.id, made.sealed, new Date(clock.now()))
    return { secret: made.secret, uri: made.uri }
  })
}

/**
 * Enables the second factor, once a code proves that the app has the secret. Ends every other
 * session and every API token, because they were granted without it.
 * @param password null to rely on the session: see `confirmIdentity`
 * @returns the recovery codes; only their hashes are stored
 * @throws CodedError wrong_second_factor, second_factor_enabled, no_second_factor; errors of
 *   `confirmIdentity`
 */
export async function enable(
  deps: SignInDeps,
  actor: UserActor,
  password: string | null,
  code: string,
): Promise<string[]> {
  const { audit, clock, secondFactor, auth, emails, notices } = deps
  const confirmed = await confirmPassword(deps, actor, password)
  return emails.begin(async (sql) => {
    const user = await lockOwnAccount(sql, actor, confirmed)
    const userId = user.id
    const factor = await rows.findFactor(sql, userId)
    requireOneOf(stateOf(factor), ['pending'])
    if (password !== null) await requireSecondStep(deps, sql, actor, user, null)
    const step = factor && (await secondFactor.findStep(factor.secretSealed, code))
    if (step === null) throw new CodedError('wrong_second_factor')
    await rows.enableFactor(sql, userId, step, new Date(clock.now()))
    const recoveryCodes = await makeRecoveryCodes(sql, userId)
    await auth.end(sql, userId, requireSession(actor))
    await audit.record(sql, actor, 'second_factor.enabled', targetOf(user))
    await notices.write(sql, user, 'second_factor_enabled', actor)
    return recoveryCodes
  })
}

/**
 * Replaces the account's recovery codes.
 * @returns the codes; only their hashes are stored
 * @throws CodedError wrong_current_password, wrong_second_factor, no_second_factor
 */
export async function renewRecoveryCodes(
  deps: SignInDeps,
  actor: UserActor,
  confirmation: Confirmation | null,
): Promise<string[]> {
  const { audit, notices } = deps
  return whenConfirmed(deps, actor, confirmation, async (sql, user) => {
    await rows.deleteRecoveryCodes(sql, user.id)
    const recoveryCodes = await makeRecoveryCodes(sql, user.id)
    await audit.record(sql, actor, 'second_factor.recovery_codes_renewed', targetOf(user))
    await notices.write(sql, user, 'recovery_codes_renewed', actor)
    return recoveryCodes
  })
}

/**
 * Disables the second factor and ends every other session and every API token.
 * @throws CodedError wrong_current_password, wrong_second_factor, no_second_factor
 */
export async function disable(deps: SignInDeps, actor: UserActor, given: Confirmation | null) {
  const { audit, auth, notices } = deps
  await whenConfirmed(deps, actor, given, async (sql, user) => {
    await rows.deleteFactor(sql, user.id)
    await auth.end(sql, user.id, requireSession(actor))
    await audit.record(sql, actor, 'second_factor.disabled', targetOf(user))
    await notices.write(sql, user, 'second_factor_disabled', actor)
  })
}

/** Changes the actor's second factor with the account locked, and sends queued notices. */
async function whenConfirmed<T>(
  deps: SignInDeps,
  actor: UserActor,
  confirmation: Confirmation | null,
  change: (sql: Sql, user: User) => Promise<T>,
): Promise<T> {
  const confirmed = await confirmPassword(deps, actor, confirmation?.currentPassword ?? null)
  return deps.emails.begin(async (sql) => {
    const user = await lockOwnAccount(sql, actor, confirmed)
    requireOneOf(await findState(sql, user.id), ['enabled'])
    // In the same transaction: of two changes at once, one makes the proof of the other worthless.
    if (confirmation) await requireSecondStep(deps, sql, actor, user, confirmation.proof)
    return change(sql, user)
  })
}

/**
 * Removes the second factors of a user who has lost them, passkeys included, and ends their
 * sessions and API tokens. No-op for an account without one.
 * @returns whether it had one
 * @throws CodedError own_second_factor: an administrator's own one needs password and code
 */
export async function reset(deps: SignInDeps, actor: Manager, userId: number): Promise<boolean> {
  if (actor.kind === 'user' && actor.userId === userId) throw new CodedError('own_second_factor')
  const { audit, auth, emails, notices } = deps
  return emails.begin(async (sql) => {
    const user = await lockUserForChange(sql, userId)
    if (!user) return false
    const hadCodes = await rows.deleteFactor(sql, userId)
    if ((await deletePasskeysOf(sql, userId)) === 0 && !hadCodes) return false
    await auth.end(sql, userId)
    await audit.record(sql, actor, 'second_factor.reset', targetOf(user))
    await notices.write(sql, user, 'second_factor_reset', actor)
    return true
  })
}

async function makeRecoveryCodes(sql: Sql, userId: number): Promise<string[]> {
  const made = Array.from({ length: recoveryCodeCount }, createRecoveryCode)
  for (const { hash } of made) await rows.insertRecoveryCode(sql, userId, hash)
  return made.map(({ code }) => code)
}

async function findState(sql: Sql, userId: number): Promise<FactorState> {
  return stateOf(await rows.findFactor(sql, userId))
}

function stateOf(factor: rows.Factor | null): FactorState {
  if (!factor) return 'none'
  return factor.enabledAt ? 'enabled' : 'pending'
}

function requireOneOf(state: FactorState, wanted: readonly FactorState[]): void {
  if (wanted.includes(state)) return
  if (state === 'enabled') throw new CodedError('second_factor_enabled')
  throw new CodedError('no_second_factor')
}
