import type { JSONWebKeySet, JWTPayload } from 'jose'
import type { Configuration, CustomFetchOptions, ServerMetadata } from 'openid-client'
import { isLoopback } from '../../http/client-ip.ts'
import { type Clock, hourMs, minuteMs } from '../../lib/clock.ts'
import { CodedError } from '../../lib/errors.ts'
import { hostOf, parseUrl } from '../../lib/base-path.ts'
import type { Keys } from '../sign-in/keys.ts'
import type { Provider } from './sql.ts'

const requestMsMax = 5_000
const answerBytesMax = 256 * 1024
const keptMs = hourMs
/** Minimum time between two reads of keys, even if a token names an unknown one. */
const keysKeptMsMin = minuteMs
/** Asymmetric algorithms only: with the others, a client could sign tokens itself. */
// oxfmt-ignore
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512',
  'EdDSA', 'Ed25519']
const clockToleranceSeconds = 30
/** Errors that keys from before a rotation explain. */
const outdated: ReadonlySet<string> = new Set([
  'ERR_JWKS_NO_MATCHING_KEY',
  'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
])
const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const
const optionalEndpoints = ['userinfo_endpoint', 'end_session_endpoint'] as const

interface Deps {
  readonly clock: Clock
  readonly keys: Keys
  /** Accepts issuers of this machine over http: for tests. */
  readonly acceptsHttp: boolean
}

/**
 * Requests to providers (OpenID Connect Core 1.0 and Discovery 1.0). Each request has 5 seconds and
 * 256 KiB, and follows no redirect. Errors are CodedError provider_unreachable when no answer
 * comes, otherwise of openid-client or jose.
 */
export class ProviderClients {
  readonly #deps: Deps
  readonly #metadata: KeptReads<ServerMetadata>
  readonly #keySets: KeptReads<JSONWebKeySet>

  constructor(deps: Deps) {
    this.#deps = deps
    this.#metadata = new KeptReads(deps.clock)
    this.#keySets = new KeptReads(deps.clock)
  }

  /** Whether an issuer may be asked at all. */
  accepts(address: string): boolean {
    const url = parseUrl(address)
    return url?.protocol === 'https:' || this.#isLocalHttp(url)
  }

  /**
   * The metadata of a provider.
   * @param keptMsMax how old it may be
   */
  metadata(issuer: string, keptMsMax = keptMs): Promise<ServerMetadata> {
    return this.#metadata.read(issuer, keptMsMax, () => this.#discover(issuer))
  }

  async keySet(issuer: string, keptMsMax = keptMs): Promise<JSONWebKeySet> {
    const { jwks_uri: address } = await this.metadata(issuer)
    return this.#keySets.read(`${issuer} ${address}`, keptMsMax, async () => {
      const found = await this.#readJson(address!)
      if (!Array.isArray(found['keys'])) throw new Error('the answer has no keys')
      return found as unknown as JSONWebKeySet
    })
  }

  /** The provider as openid-client knows it. */
  async configurationOf(provider: Provider): Promise<Configuration> {
    const [oidc, metadata] = await Promise.all([
      import('openid-client'),
      this.metadata(provider.issuer),
    ])
    const { secretSealed, clientId } = provider
    const secret = secretSealed === null ? '' : this.#deps.keys.unseal(secretSealed)
    // OpenID Connect Discovery 1.0, section 3: the default is basic.
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const bySecret = methods.includes('client_secret_basic')
      ? oidc.ClientSecretBasic(secret)
      : oidc.ClientSecretPost(secret)
    const authenticate = secret === '' ? oidc.None() : bySecret
    const configuration = new oidc.Configuration(metadata, clientId, {}, authenticate)
    configuration[oidc.customFetch] = (url, options) => this.#fetch(url, options)
    // The timer of #fetch is ours.
    configuration.timeout = 0
    if (this.#isLocalHttp(parseUrl(provider.issuer))) oidc.allowInsecureRequests(configuration)
    return configuration
  }

  /**
   * The claims of a token that the provider has signed for us (RFC 7519): signature, algorithm,
   * issuer, audience, and times if it has them.
   */
  async verify({ issuer, clientId }: Provider, token: string): Promise<JWTPayload> {
    const { createLocalJWKSet, errors, jwtVerify } = await import('jose')
    const options = {
      issuer,
      audience: clientId,
      algorithms,
      clockTolerance: clockToleranceSeconds,
      currentDate: new Date(this.#deps.clock.now()),
    }
    const verify = async (keptMsMax: number) => {
      const keySet = createLocalJWKSet(await this.keySet(issuer, keptMsMax))
      return (await jwtVerify(token, keySet, options)).payload
    }
    try {
      return await verify(keptMs)
    } catch (error) {
      if (!(error instanceof errors.JOSEError) || !outdated.has(error.code)) throw error
      return verify(keysKeptMsMin)
    }
  }

  async #discover(issuer: string): Promise<ServerMetadata> {
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    const found = await this.#readJson(address)
    if (found['issuer'] !== issuer) {
      throw new Error(`the provider has another issuer: ${String(found['issuer'])}`)
    }
    // Browsers are sent to some of them: no script, and nothing unencrypted.
    for (const name of [...endpoints, ...optionalEndpoints]) {
      const endpoint = found[name]
      if (endpoint === undefined && !endpoints.includes(name as (typeof endpoints)[0])) continue
      if (typeof endpoint !== 'string' || !this.accepts(endpoint)) {
        throw new Error(`the ${name} of the provider is no https URL`)
      }
    }
    return found as unknown as ServerMetadata
  }

  async #readJson(address: string): Promise<Record<string, unknown>> {
    const options = { method: 'GET', headers: { accept: 'application/json' }, body: undefined }
    const answer = await this.#fetch(address, options)
    if (answer.status !== 200) throw new Error(`${address} answers with status ${answer.status}`)
    const found: unknown = await answer.json()
    if (typeof found !== 'object' || found === null)
      throw new Error(`${address} has no JSON object`)
    return found as Record<string, unknown>
  }

  /** @throws CodedError provider_unreachable */
  async #fetch(
    address: string,
    { method, headers, body }: Pick<CustomFetchOptions, 'method' | 'headers' | 'body'>,
  ): Promise<Response> {
    const { Client } = await import('undici')
    const url = new URL(address)
    const connect = { timeout: requestMsMax }
    const client = new Client(url.origin, { connect, headersTimeout: 0, bodyTimeout: 0 })
    const ending = new AbortController()
    const late = () => ending.abort(new Error(`no answer within ${requestMsMax / 1000} s`))
    const cancel = this.#deps.clock.setTimer(requestMsMax, late)
    try {
      const answer = await client.request({
        method: method as 'GET',
        path: url.pathname + url.search,
        headers,
        body: body === undefined || body === null ? null : String(body as URLSearchParams),
        signal: ending.signal,
        reset: true,
      })
      const parts: Buffer[] = []
      let bytes = 0
      for await (const data of answer.body as AsyncIterable<Buffer>) {
        bytes += data.length
        if (bytes > answerBytesMax) throw new Error(`more than ${answerBytesMax} bytes`)
        parts.push(data)
      }
      const type = answer.headers['content-type'] ?? ''
      return new Response(bytes === 0 ? null : Buffer.concat(parts), {
        status: answer.statusCode,
        headers: { 'Content-Type': String(type) },
      })
    } catch (cause) {
      throw new CodedError('provider_unreachable', { cause })
    } finally {
      cancel()
      void client.destroy()
    }
  }

  #isLocalHttp(url: URL | null): boolean {
    return this.#deps.acceptsHttp && url?.protocol === 'http:' && isLoopback(hostOf(url))
  }
}

const keptMax = 100
/** A failure is kept too, so that a provider that is down is not asked by every request. */
const failureKeptMs = 10_000

interface Kept<T> {
  readonly at: number
  readonly value: Promise<T>
  hasFailed: boolean
}

/** Results of reads from elsewhere, shared by all who ask meanwhile; the oldest ones go first. */
class KeptReads<T> {
  readonly #clock: Clock
  readonly #kept = new Map<string, Kept<T>>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @throws errors of `load` */
  read(key: string, keptMsMax: number, load: () => Promise<T>): Promise<T> {
    const now = this.#clock.monotonic()
    const found = this.#kept.get(key)
    if (found) {
      const lifeMs = found.hasFailed ? Math.min(failureKeptMs, keptMsMax) : keptMsMax
      if (now - found.at < lifeMs) return found.value
    }
    const fresh: Kept<T> = { at: now, value: load(), hasFailed: false }
    fresh.value.catch(() => (fresh.hasFailed = true))
    this.#kept.delete(key)
    this.#kept.set(key, fresh)
    if (this.#kept.size > keptMax) this.#kept.delete(this.#kept.keys().next().value!)
    return fresh.value
  }
}
