import type { UserActor } from '../lib/actor.ts'
import { CodedError } from '../lib/errors.ts'
import type { UserRow } from './sql.ts'

/**
 * An API token makes no administrator and decides nothing over one, so that a stolen token neither
 * outlives its revocation nor locks its owner out.
 * @param isAdmin whether the account is an administrator's, or is to be
 * @throws CodedError api_token_not_allowed
 */
export function refuseAdministratorByToken(
  actor: UserActor,
  isAdmin: boolean | null | undefined,
): void {
  if (actor.sessionId === null && isAdmin) throw new CodedError('api_token_not_allowed')
}

/**
 * The heir of an account reads its shares: no API token chooses one.
 * @throws CodedError api_token_not_allowed
 */
export function refuseTransferByToken(actor: UserActor, transferTo: number | null): void {
  if (actor.sessionId !== null || transferTo === null) return
  throw new CodedError('api_token_not_allowed', { details: { field: 'transferTo' } })
}

/** What an API token may change of an account; anything else decides who gets into it. */
const harmless: ReadonlySet<string> = new Set(['name', 'quota', 'disabled'])

/**
 * @param change as the request has it; what stays as it is counts as no change
 * @throws CodedError api_token_not_allowed
 */
export function refuseSignInByToken(
  actor: UserActor,
  user: UserRow,
  change: Readonly<Record<string, unknown>>,
): void {
  if (actor.sessionId !== null) return
  refuseAdministratorByToken(actor, user.isAdmin)
  const current: Readonly<Record<string, unknown>> = { email: user.email, is_admin: user.isAdmin }
  for (const [field, value] of Object.entries(change)) {
    if (harmless.has(field) || (value ?? null) === null || value === current[field]) continue
    throw new CodedError('api_token_not_allowed', { details: { field } })
  }
}
