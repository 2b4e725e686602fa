// Accounts with several sessions, API tokens and an authenticator app, created through the API.
import * as assert from 'uvu/assert'
import { operator } from '../../src/lib/actor.ts'
import { makeApiToken } from '../helpers/api-token.ts'
import { okay, type Answer, type Client } from '../helpers/client.ts'
import { codeAt } from '../helpers/second-factor.ts'
import type { Service } from '../helpers/service.ts'

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
