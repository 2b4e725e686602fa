import type { Manager } from '../../lib/actor.ts'
import { requireFreshSession } from '../../lib/fresh-session.ts'
import type { User } from './sql.ts'

/**
 * Guards making an administrator and changing one.
 * @param isAdmin whether the account is, or becomes, an administrator's
 * @throws CodedError api_token_not_allowed, confirmation_required
 */
export function guardAdministrator(actor: Manager, isAdmin: boolean | null | undefined): void {
  if (isAdmin) requireFreshSession(actor)
}

/** Fields that affect neither access to an account nor its rights. */
const harmless: ReadonlySet<string> = new Set(['name', 'quota', 'disabled'])

/**
 * Guards changes of who can sign in to an account, and all changes of an administrator.
 * @param user the account before the change
 * @param change as requested; unchanged values count as no change
 * @throws CodedError api_token_not_allowed, confirmation_required
 */
export function guardSignIn(
  actor: Manager,
  user: User,
  change: Readonly<Record<string, unknown>>,
): void {
  const current: Readonly<Record<string, unknown>> = { ...user, disabled: user.disabledAt !== null }
  for (const [field, value] of Object.entries(change)) {
    if ((value ?? null) === null || value === current[field]) continue
    if (user.isAdmin || !harmless.has(field)) requireFreshSession(actor, fieldNames[field] ?? field)
  }
}

/** Field names in requests. */
const fieldNames: Readonly<Record<string, string>> = { isAdmin: 'is_admin' }
