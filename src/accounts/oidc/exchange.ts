import type { Configuration } from 'openid-client'
import * as v from 'valibot'
import { localPartOf } from '../../lib/email-address.ts'
import { CodedError } from '../../lib/errors.ts'
import type { AccountDeps } from '../deps.ts'
import type { Flow } from './flows.ts'
import type { Provider } from './sql.ts'
import { emailSchema, userNameSchema } from '../users/schemas.ts'

type OpenidClient = typeof import('openid-client')
type Deps = Pick<AccountDeps, 'baseUrl' | 'log' | 'providerClients'>

const reasonCharactersMax = 500
const causesMax = 5

/** What a provider has said, as it said it. */
interface Answered {
  readonly verified: Verified
  readonly idToken: object
  readonly userInfo: object
}

/** Where the provider sends browsers back to, exactly (RFC 9700, section 2.1). */
export function redirectUriOf(baseUrl: string, providerId: string): string {
  return `${baseUrl}/api/auth/oidc/${providerId}/callback`
}

/**
 * The page of the provider that a flow begins with: code flow with PKCE (RFC 7636), state, nonce.
 * @throws CodedError provider_unreachable, provider_refused
 */
export async function addressOf(deps: Deps, provider: Provider, flow: Flow): Promise<string> {
  return asking(deps, provider, async (oidc, configuration) => {
    // Where it exists, providers leave the claim out without it.
    const hasGroups = configuration.serverMetadata().scopes_supported?.includes('groups')
    const withGroups = provider.groupsClaim !== '' && hasGroups
    const address = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUriOf(deps.baseUrl, provider.id),
      scope: `openid email profile${withGroups ? ' groups' : ''}`,
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
      // OpenID Connect Core 1.0, section 3.1.2.1: the provider then tells when it has asked.
      ...(flow.asksAgain && { max_age: '0' }),
    })
    return address.href
  })
}

/**
 * Redeems the code of an answer, and checks the answer and the ID token (OpenID Connect Core 1.0,
 * sections 3.1.2.7 and 3.1.3.7; RFC 9207).
 * @param search the query of the answer
 * @throws CodedError provider_unreachable, provider_refused
 */
export async function redeem(
  deps: Deps,
  provider: Provider,
  flow: Flow,
  search: URLSearchParams,
): Promise<Answered> {
  return asking(deps, provider, async (oidc, configuration) => {
    const address = new URL(`${redirectUriOf(deps.baseUrl, provider.id)}?${search.toString()}`)
    const tokens = await oidc.authorizationCodeGrant(configuration, address, {
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.verifier,
      idTokenExpected: true,
    })
    // openid-client has checked its claims, but not its signature.
    const idToken = await deps.providerClients.verify(provider, tokens.id_token ?? '')
    if ((idToken['azp'] ?? provider.clientId) !== provider.clientId) {
      throw new Error('the ID token was issued to another client')
    }
    const asks =
      lacksClaims(provider, idToken) &&
      configuration.serverMetadata().userinfo_endpoint !== undefined
    const userInfo = asks
      ? await oidc.fetchUserInfo(configuration, tokens.access_token, idToken.sub ?? '')
      : {}
    return { verified: readClaims(provider, idToken, { ...userInfo }), idToken, userInfo }
  })
}

/** Only the provider's address and what it says in its own words may be logged. */
async function asking<T>(
  { log, providerClients }: Deps,
  provider: Provider,
  work: (oidc: OpenidClient, configuration: Configuration) => Promise<T>,
): Promise<T> {
  try {
    const configuration = await providerClients.configurationOf(provider)
    return await work(await import('openid-client'), configuration)
  } catch (error) {
    log.info('sign-in provider refused', { provider: provider.id, reason: reasonsOf(error) })
    for (const cause of causesOf(error)) if (cause instanceof CodedError) throw cause
    throw new CodedError('provider_refused', { cause: error })
  }
}

/** Every message of an error and its causes, with the provider's own code and description. */
export function reasonsOf(error: unknown): string {
  const reasons = causesOf(error).map((cause) => {
    const { error: code, error_description: words } = cause as {
      error?: unknown
      error_description?: unknown
    }
    return [cause.message, code, words].filter((part) => typeof part === 'string').join(' ')
  })
  return [...new Set(reasons)].join(': ').slice(0, reasonCharactersMax)
}

function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  for (
    let cause = error;
    cause instanceof Error && causes.length < causesMax;
    cause = cause.cause
  ) {
    causes.push(cause)
  }
  return causes
}

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
function lacksClaims(provider: Provider, idToken: Claims): boolean {
  const { groupsClaim } = provider
  return idToken['email'] === undefined || (groupsClaim !== '' && !(groupsClaim in idToken))
}

/**
 * @param idToken checked claims of an ID token
 * @param userInfo of the same subject; empty if it was not asked for
 * @throws Error when the subject is missing or too long
 */
function readClaims(provider: Provider, idToken: Claims, userInfo: Claims): Verified {
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
    name: called?.success ? called.output : localPartOf(address ?? ''),
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
