// A provider of OpenID Connect in the test's process that can also misbehave: it signs whatever a
// test wants. test/accounts/oidc/provider.test.ts has a real one.
import { createHash, generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignJWT, UnsecuredJWT, exportJWK } from 'jose'
import { stopAtEnd } from './suite.ts'

interface Code {
  readonly challenge: string
  readonly idToken: string
}

export class SmallProvider {
  readonly #server = createServer((request, response) => void this.#answer(request, response))
  readonly #codes = new Map<string, Code>()
  #key: { kid: string; privateKey: KeyObject; publicKey: KeyObject } = newKey()
  /** Requests so far, by path. */
  readonly asked: string[] = []
  /** Set to leave requests unanswered. */
  isSilent = false
  issuer = ''

  async start(): Promise<this> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
    this.issuer = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return stopAtEnd(this)
  }

  stop(): void {
    this.#server.close().closeAllConnections()
  }

  rotateKey(): void {
    this.#key = newKey()
  }

  /** A token with these claims beside those that every token needs; undefined removes one. */
  sign(claims: Record<string, unknown>, { none = false, foreign = false } = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const whole = { iss: this.issuer, aud: 'transfer', iat: now, exp: now + 864_000, ...claims }
    const given = Object.entries(whole).filter(([, value]) => value !== undefined)
    const payload = Object.fromEntries(given)
    if (none) return Promise.resolve(new UnsecuredJWT(payload).encode())
    const { kid, privateKey } = this.#key
    const key = foreign ? newKey().privateKey : privateKey
    return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid }).sign(key)
  }

  /** The query with which it sends the browser back that came to `url`. */
  async answer(
    url: string,
    claims: Record<string, unknown>,
    options: { none?: boolean; foreign?: boolean } = {},
  ): Promise<string> {
    const asked = new URL(url).searchParams
    const code = randomUUID()
    const idToken = await this.sign({ nonce: asked.get('nonce'), ...claims }, options)
    this.#codes.set(code, { challenge: asked.get('code_challenge')!, idToken })
    return `?${new URLSearchParams({ code, state: asked.get('state')!, iss: this.issuer })}`
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!.slice(1)
    this.asked.push(path)
    if (this.isSilent) return
    const parts: Buffer[] = []
    for await (const data of request) parts.push(data as Buffer)
    const send = (value: unknown, status = 200) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
    const { kid, publicKey } = this.#key
    if (path === 'keys') return void send({ keys: [{ ...(await exportJWK(publicKey)), kid }] })
    if (path !== 'token') {
      const at = (name: string) => `${this.issuer}/${name}`
      const found = { issuer: this.issuer, authorization_response_iss_parameter_supported: true }
      const endpoints = { authorization_endpoint: at('page'), token_endpoint: at('token') }
      const algorithms = { id_token_signing_alg_values_supported: ['ES256', 'none'] }
      return void send({ ...found, ...endpoints, ...algorithms, jwks_uri: at('keys') })
    }
    const body = new URLSearchParams(Buffer.concat(parts).toString())
    const found = this.#codes.get(body.get('code')!)
    const verifier = createHash('sha256').update(body.get('code_verifier') ?? '')
    const isRight = found?.challenge === verifier.digest('base64url')
    this.#codes.delete(body.get('code')!)
    if (!found || !isRight) return void send({ error: 'invalid_grant' }, 400)
    send({ access_token: 'a', token_type: 'Bearer', id_token: found.idToken })
  }
}

function newKey() {
  return { kid: randomUUID(), ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) }
}
