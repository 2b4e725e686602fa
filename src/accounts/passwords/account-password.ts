import type { Requester } from '../../lib/permits.ts'
import { findUser, renewPasswordHash, type User } from '../users/sql.ts'
import type { AccountBasis } from '../deps.ts'

/**
 * The account as it is stored now if the password is right; otherwise null. Does the same work
 * without an account or a password. Renews an old hash, which changes no password and ends no
 * session.
 * @throws CodedError unavailable
 */
export async function checkAccountPassword(
  deps: AccountBasis,
  user: User | null,
  password: string,
  requester: Requester,
): Promise<User | null> {
  const { sql } = deps.database
  const passwordHash = user?.passwordHash || null
  const match = await deps.passwords.matches(passwordHash, password, requester)
  if (!user || !match) return null
  const { renewedHash } = match
  if (renewedHash === null) return user
  if (await renewPasswordHash(sql, user, renewedHash)) return { ...user, passwordHash: renewedHash }
  // Changed meanwhile, perhaps by another sign-in that has renewed it.
  return checkAccountPassword(deps, await findUser(sql, user.id), password, requester)
}
