import * as assert from 'uvu/assert'
import { okay, type Answer, type Client } from '../../helpers/client.ts'
import { type Service } from '../../helpers/service.ts'
import type { SmallProvider } from '../../helpers/small-provider.ts'
import { countLockWaits } from '../../helpers/locks.ts'
import { until } from '../../helpers/until.ts'

export const callback = '/api/auth/oidc/main/callback'
const input = { name: 'Main', clientId: 'transfer', clientSecret: 'secret of the client' }
/** Rules that let nobody in. */
const strict = {
  linking: 'off',
  creation: 'off',
  domains: [],
  trustsEmail: false,
  trustsSecondFactor: false,
  groupsClaim: '',
  adminGroup: '',
  groupQuotas: [],
}

export async function putProvider(
  admin: Client,
  { issuer }: { readonly issuer: string },
  rules: object = {},
  id = 'main',
): Promise<Answer> {
  const json = { ...input, issuer, ...strict, ...rules }
  const known = await admin.put(`/api/admin/providers/${id}`, json)
  const answer =
    known.status === 404 ? await admin.post('/api/admin/providers', { id, ...json }) : known
  assert.is(answer.status, 200, answer.body.toString())
  return answer
}

export async function begin(client: Client, body: object = {}, id = 'main'): Promise<string> {
  return (await okay(client.post(`/api/auth/oidc/${id}/start`, body))).json().url
}

/** Where an answer leads to, below BASE_URL. */
export function placeOf({ status, headers }: Answer): string {
  assert.is(status, 302)
  const { origin, pathname, search } = new URL(String(headers['location']))
  assert.is(origin, 'http://transfer.test')
  return pathname + search
}

export async function enter(
  client: Client,
  provider: SmallProvider,
  claims: Record<string, unknown>,
  options: { none?: boolean; foreign?: boolean } = {},
): Promise<string> {
  const query = await provider.answer(await begin(client), claims, options)
  return placeOf(await client.get(callback + query))
}

export async function accountOf(client: Client): Promise<any> {
  const answer = await client.get('/api/account')
  return answer.status === 200 ? answer.json() : null
}

let subjects = 0

export function newcomer(more: Record<string, unknown> = {}) {
  const sub = `subject ${(subjects += 1)}`
  const email = `somebody${subjects}@example.org`
  return { sub, email, email_verified: true, name: `Somebody ${subjects}`, ...more }
}

/** Until a statement waits for a lock, or this is true. */
export const untilStatementWaits = (service: Service, isOver = () => false) =>
  until(
    'a statement waits for a lock',
    async () => isOver() || (await countLockWaits(service.database)) > 0,
  )

export const eventsOf = async (service: Service, event: string) =>
  service.database.sql<{ actorKind: string; targetName: string; details: any }[]>`
    select actor_kind, target_name, details from audit where event = ${event} order by id desc`
