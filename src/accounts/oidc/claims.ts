import * as v from 'valibot'
import { emailSchema, userNameSchema } from '../users/schemas.ts'
import type { Provider } from './sql.ts'

/** `sub` and `sid`: at most 255 ASCII characters (OpenID Connect Core 1.0, section 2). */
const idPattern = /^[\x20-\x7e]{1,255}$/
const groupsMax = 1_000
const groupCharactersMax = 200

/** The claims of a user that count for us, after all checks. */
export interface Verified {
  readonly issuer: string
  readonly subject: string
  /** The provider's name for its own session; null if it has none. */
  readonly providerSession: string | null
  /** When the user proved to the provider who they are; null if it does not say. */
  readonly authenticatedAt: number | null
  /** Null without a valid address. */
  readonly email: string | null
  readonly isEmailVerified: boolean
  readonly name: string
  /** Only where they matter. */
  readonly isInAdminGroup: boolean
  /** Bytes, 0 for no limit; null if no group of theirs has one. */
  readonly quota: number | null
}

type Claims = Readonly<Record<string, unknown>>

/** Whether the ID token lacks claims that the user info may have. */
export function lacksClaims(provider: Provider, idToken: Claims): boolean {
  const { groupsClaim } = provider
  return idToken['email'] === undefined || (groupsClaim !== '' && !(groupsClaim in idToken))
}

/**
 * @param idToken checked claims of an ID token
 * @param userInfo of the same subject; empty if it was not asked for
 * @throws Error when the subject is missing or too long
 */
export function readClaims(provider: Provider, idToken: Claims, userInfo: Claims): Verified {
  const { sub: subject, sid, auth_time: authTime } = idToken
  if (!isId(subject)) throw new Error('the ID token has no valid sub')
  // An address and whether it is verified come from the same source.
  const source = idToken['email'] === undefined ? userInfo : idToken
  const email = v.safeParse(emailSchema, source['email'])
  const verified = source['email_verified'] ?? (provider.trustsEmail ? true : undefined)
  const address = email.success ? email.output : null
  const called = [userInfo, idToken]
    .flatMap((claims) => [claims['name'], claims['preferred_username']])
    .map((name) => v.safeParse(userNameSchema, name))
    .find(({ success }) => success)
  const groups = readGroups(idToken[provider.groupsClaim] ?? userInfo[provider.groupsClaim])
  return {
    issuer: provider.issuer,
    subject,
    providerSession: isId(sid) ? sid : null,
    authenticatedAt: typeof authTime === 'number' ? Math.max(0, authTime) * 1000 : null,
    email: address,
    // Some providers write it as a string.
    isEmailVerified: address !== null && (verified === true || verified === 'true'),
    name: called?.success ? called.output : (address?.split('@')[0] ?? ''),
    isInAdminGroup: provider.adminGroup !== '' && groups.has(provider.adminGroup),
    quota: quotaOf(provider.groupQuotas, groups),
  }
}

export function isId(claim: unknown): claim is string {
  return typeof claim === 'string' && idPattern.test(claim)
}

/** A list, one name, or an object with a key for each (Zitadel). */
function readGroups(claim: unknown): ReadonlySet<string> {
  const found =
    typeof claim === 'object' && claim !== null && !Array.isArray(claim)
      ? Object.keys(claim)
      : [claim].flat()
  const names = found.filter((name): name is string => typeof name === 'string')
  return new Set(names.filter(({ length }) => length <= groupCharactersMax).slice(0, groupsMax))
}

function quotaOf(quotas: Provider['groupQuotas'], groups: ReadonlySet<string>): number | null {
  const own = quotas.filter(({ group }) => groups.has(group)).map(({ quota }) => quota)
  if (own.length === 0) return null
  return own.includes(0) ? 0 : Math.max(...own)
}
