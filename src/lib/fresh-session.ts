import type { Manager } from './actor.ts'
import { CodedError } from './errors.ts'

/** How long a session may change accounts and security settings after the password was given. */
export const freshMs = 60 * 60_000

/**
 * For changes by which a stolen credential could stay for good, or lock others out: an API token
 * may never make them, a session only soon after its holder has given the password.
 * @param field the request field that requires this, for the answer
 * @throws CodedError api_token_not_allowed, confirmation_required
 */
export function requireFreshSession(actor: Manager, field?: string): void {
  if (actor.kind === 'operator') return
  const details = field === undefined ? {} : { field }
  if (actor.sessionId === null) throw new CodedError('api_token_not_allowed', { details })
  if (!actor.isFresh) throw new CodedError('confirmation_required', { details })
}
