// Accounts with several sessions, API tokens and an authenticator app, created through the API.
import { createHmac, randomBytes } from 'node:crypto'
import * as assert from 'uvu/assert'
import { administratorScopes, operator, tokenScopes } from '../../src/lib/actor.ts'
import { hashToken } from '../../src/lib/random-id.ts'
import { okay, type Answer, type Client } from '../helpers/client.ts'
import { adminEmail, adminPassword, type Service } from '../helpers/service.ts'

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const stepMs = 30_000

export interface Person {
  readonly email: string
  readonly password: string
  readonly id: number
  readonly client: Client
  signIn(userAgent?: string): Promise<Client>
}

/** Creates an account and signs in to it; sign-ins bypass the limit of attempts. */
export async function person(service: Service, email: string, options: { isAdmin?: boolean } = {}) {
  const password = `password of ${email}`
  const { users } = service.app.services
  const isAdmin = options.isAdmin ?? false
  const user = await users.create(operator, { email, name: email, password, isAdmin })
  const signIn = async (userAgent = 'test') => {
    const client = service.client()
    const origin = { ip: '192.0.2.7', userAgent }
    client.token = (await service.app.services.auth.startSession(user, origin)).token
    return client
  }
  return { email, password, id: user.id, client: await signIn(), signIn }
}

let people = 0

/** An account that no other test knows. */
export const newPerson = (service: Service, name = 'ann'): Promise<Person> =>
  person(service, `${name}${(people += 1)}@example.org`)

export async function apiTokenOf(service: Service, client: Client, input: object = {}) {
  const holder = service.client()
  holder.token = (await makeApiToken(client, input)).token
  return holder
}

export const appOf = (service: Service, secret: string) => ({
  /** The code it shows `steps` steps of 30 s from now. */
  code: (steps = 0) => codeAt(secret, service.clock.now(), steps),
})

export interface Enrolled {
  readonly app: ReturnType<typeof appOf>
  readonly recoveryCodes: readonly string[]
}

/** Sets up and enables the second factor, one step later, so that the next code is unused. */
export async function enrol(service: Service, client: Client): Promise<Enrolled> {
  const setup = await okay(client.post('/api/auth/2fa/setup'))
  const app = appOf(service, setup.json().secret)
  const { email } = (await client.get('/api/account')).json()
  const body = { currentPassword: `password of ${email}`, code: app.code() }
  const enabled = await okay(client.post('/api/auth/2fa/enable', body))
  service.clock.advance(stepMs)
  return { app, recoveryCodes: enabled.json().recoveryCodes }
}

/** Asserts that an answer holds none of the secrets in the database. */
export function assertNoSecrets(answer: Answer): void {
  assert.not.match(answer.body.toString(), /argon2|hash|sealed|password/i)
}

// API tokens, created through the API by signed-in clients.

export interface MadeApiToken {
  readonly token: string
  readonly id: string
}

/**
 * The body of a request for a token: all scopes of the account, without expiry. Accounts of tests
 * have the password that service.ts gives them.
 */
export async function apiTokenInput(client: Client, input: object = {}): Promise<object> {
  const { email, is_admin: isAdmin } = (await client.get('/api/account')).json()
  const scopes = tokenScopes.filter((scope) => isAdmin || !administratorScopes.includes(scope))
  const currentPassword = email === adminEmail ? adminPassword : `password of ${email}`
  return { name: 'script', scopes, expiresAt: null, currentPassword, ...input }
}

export async function makeApiToken(client: Client, input: object = {}): Promise<MadeApiToken> {
  const answer = await okay(client.post('/api/tokens', await apiTokenInput(client, input)))
  return answer.json()
}

export interface EnabledSecondFactor {
  /** The code an app shows `steps` steps of 30 s from now; negative: before. */
  code(steps?: number): string
  readonly recoveryCodes: readonly string[]
}

/** Gives an account a second factor by its rows, like enrolment. */
export async function enableSecondFactor(
  service: Service,
  email: string,
): Promise<EnabledSecondFactor> {
  const { sql } = service.database
  const secret = Array.from(randomBytes(32), (byte) => base32[byte % 32]).join('')
  const recoveryCodes = ['abcd-efgh-2345', 'mnop-qrst-6789']
  const sealed = service.keys.seal(secret)
  const now = new Date(service.clock.now())
  const [row] = await sql<{ userId: number }[]>`
    insert into second_factors (user_id, secret_sealed, enabled_at, created_at)
    select id, ${sealed}, ${now}, ${now} from users where email = ${email}
    returning user_id`
  if (!row) throw new Error(`no account ${email}`)
  for (const code of recoveryCodes) {
    const codeHash = hashToken(code.replaceAll('-', ''))
    await sql`insert into recovery_codes (user_id, code_hash) values (${row.userId}, ${codeHash})`
  }
  return {
    code: (steps) => codeAt(secret, service.clock.now(), steps),
    recoveryCodes,
  }
}

/**
 * The code that an app with this secret shows `steps` steps of 30 s from a time: RFC 6238 with SHA-1
 * and six digits, written from the RFC, as the oracle of the library in src.
 */
export function codeAt(secret: string, nowMs: number, steps = 0): string {
  const places = Array.from(secret.replaceAll(/[\s=]/g, ''), (sign) => base32.indexOf(sign))
  const bits = places.map((place) => place.toString(2).padStart(5, '0')).join('')
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(nowMs / stepMs) + steps))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  const code = (digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000
  return String(code).padStart(6, '0')
}
