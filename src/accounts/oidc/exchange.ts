import { CodedError } from '../../lib/errors.ts'
import type { AccountDeps } from '../deps.ts'
import { lacksClaims, readClaims, type Verified } from './claims.ts'
import type { Flow } from './flows.ts'
import type { Provider } from './sql.ts'

type Deps = Pick<AccountDeps, 'baseUrl' | 'log' | 'providerClients'>

const reasonCharactersMax = 500
const causesMax = 5

/** What a provider has said, as it said it. */
export interface Answered {
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
  return withRefusals(deps, provider, async () => {
    const [oidc, configuration] = await Promise.all([
      import('openid-client'),
      deps.providerClients.configurationOf(provider),
    ])
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
  return withRefusals(deps, provider, async () => {
    const { providerClients, baseUrl } = deps
    const [oidc, configuration] = await Promise.all([
      import('openid-client'),
      providerClients.configurationOf(provider),
    ])
    const address = new URL(`${redirectUriOf(baseUrl, provider.id)}?${search.toString()}`)
    const tokens = await oidc.authorizationCodeGrant(configuration, address, {
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.verifier,
      idTokenExpected: true,
    })
    // openid-client has checked its claims, but not its signature.
    const idToken = await providerClients.verify(provider, tokens.id_token ?? '')
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
async function withRefusals<T>(
  { log }: Deps,
  { id }: Provider,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    log.info('sign-in provider refused', { provider: id, reason: reasonsOf(error) })
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
