import type { Manager } from './actor.ts'
import { CodedError } from './errors.ts'

/** For so long after the password was given, a login decides over accounts and security. */
export const freshMs = 60 * 60_000

/**
 * For all by which a stolen credential could stay for good, or lock others out: an API token may
 * never do it, and a login only soon after its holder gave the password.
 * @param field the one that the request decides over, for the answer
 * @throws CodedError api_token_not_allowed, confirmation_required
 */
export function requireFreshLogin(actor: Manager, field?: string): void {
  if (actor.kind === 'operator') return
  const details = field === undefined ? {} : { field }
  if (actor.sessionId === null) throw new CodedError('api_token_not_allowed', { details })
  if (!actor.isFresh) throw new CodedError('confirmation_required', { details })
}
