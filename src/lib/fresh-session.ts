import type { Manager, UserActor } from './actor.ts'
import { CodedError } from './errors.ts'

/** How long a session may change accounts and security settings after its holder was verified. */
export const freshMs = 10 * 60_000

/**
 * For changes by which a stolen credential could stay for good, or lock others out: an API token
 * may never make them, a session only soon after its holder has proved all that a sign-in takes
 * (OWASP ASVS 5, 7.5.1).
 * @param field the request field that requires this, for the answer
 * @throws CodedError api_token_not_allowed, confirmation_required
 */
export function requireFreshSession(actor: Manager, field?: string): void {
  if (actor.kind === 'operator' || isProven(actor)) return
  refuse(actor, 'all', field)
}

/**
 * The same for actions that give no access: any one factor is enough (OWASP ASVS 5, 7.5.2 and
 * 7.5.3).
 * @throws CodedError api_token_not_allowed, confirmation_required
 */
export function requireRecentProof(actor: Manager, field?: string): void {
  if (actor.kind === 'operator' || actor.recentProof) return
  refuse(actor, 'one', field)
}

function isProven({ recentProof }: UserActor): boolean {
  return recentProof === 'all' || recentProof === 'passwordless'
}

function refuse(actor: UserActor, factors: 'one' | 'all', field: string | undefined): never {
  const details = field === undefined ? {} : { field }
  if (actor.sessionId === null) throw new CodedError('api_token_not_allowed', { details })
  throw new CodedError('confirmation_required', { details: { ...details, factors } })
}
