import type { Manager } from '../../lib/actor.ts'
import { requireFreshLogin } from '../../lib/fresh-login.ts'
import type { UserRow } from './sql.ts'

/**
 * Making an administrator, and deciding over one.
 * @param isAdmin whether the account is an administrator's, or is to be
 * @throws CodedError api_token_not_allowed, confirmation_required
 */
export function guardAdministrator(actor: Manager, isAdmin: boolean | null | undefined): void {
  if (isAdmin) requireFreshLogin(actor)
}

/** What decides neither who gets into an account nor what it may do. */
const harmless: ReadonlySet<string> = new Set(['name', 'quota', 'disabled'])

/**
 * Changing who gets into an account, and anything of an administrator's.
 * @param user as it is when it is changed
 * @param change as the request has it; what stays as it is counts as no change
 * @throws CodedError api_token_not_allowed, confirmation_required
 */
export function guardSignIn(
  actor: Manager,
  user: UserRow,
  change: Readonly<Record<string, unknown>>,
): void {
  const current: Readonly<Record<string, unknown>> = { ...user, disabled: user.disabledAt !== null }
  for (const [field, value] of Object.entries(change)) {
    if ((value ?? null) === null || value === current[field]) continue
    if (user.isAdmin || !harmless.has(field)) requireFreshLogin(actor, fieldNames[field] ?? field)
  }
}

/** As requests have them. */
const fieldNames: Readonly<Record<string, string>> = { isAdmin: 'is_admin' }
