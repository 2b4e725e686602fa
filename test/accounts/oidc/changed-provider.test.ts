// What becomes of sign-ins with a provider that administrators change.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Sql } from '../../../src/database/connect.ts'
import { assertError, type Answer, type Client } from '../../helpers/client.ts'
import { startService } from '../../helpers/service.ts'
import { SmallProvider } from '../../helpers/small-provider.ts'
import { person } from '../people.ts'
import * as scene from './scene.ts'

const changed = suite('changed sign-in providers')
const provider = await new SmallProvider().start()
const env = { RATE_LIMIT_LOGIN: 'off' }
const service = await startService({ env, acceptsHttpProviders: true })
const chief = await person(service, 'chief@example.org', { isAdmin: true })
const elsewhere = { issuer: 'https://other.example' }
const put = (at: { readonly issuer: string }, more: object = {}) =>
  scene.putProvider(chief.client, at, { creation: 'all', ...more })

changed.before.each(async () => {
  await put(provider)
})

changed('should end sessions and upload tokens of a former issuer', async () => {
  const [client, upload] = [service.client(), service.client()]
  await scene.enter(client, provider, scene.newcomer())
  const draft = (await client.post('/api/shares/init')).json()
  upload.token = draft.uploadToken
  await put(provider, { name: 'Another name', clientSecret: 'another secret' })
  assert.ok(await scene.accountOf(client))
  await put(elsewhere)
  assert.is(await scene.accountOf(client), null)
  assertError(await upload.chunk(draft.shareId, 'f', 0, 'abc'), 401, 'unauthorized')
  assert.ok(await scene.accountOf(chief.client), 'other sessions stay')
})

/** Signs in with an account that is locked until the provider has changed. */
async function answerBehind(
  client: Client,
  claims: ReturnType<typeof scene.newcomer>,
  change: (sql: Sql) => Promise<void>,
) {
  const query = await provider.answer(await scene.begin(client), claims)
  let isOver = false
  let answering: Promise<Answer> | null = null
  await service.database.begin(async (sql) => {
    await sql`select 1 from users where email = ${claims.email} for update`
    answering = client.get(scene.callback + query).finally(() => (isOver = true))
    await scene.untilStatementWaits(service, () => isOver)
    await change(sql)
  })
  return answering!
}

changed('should refuse a sign-in that the former issuer has confirmed', async () => {
  const claims = scene.newcomer()
  await scene.enter(service.client(), provider, claims)
  const client = service.client()
  const answer = await answerBehind(client, claims, async (sql) => {
    await sql`update oidc_providers set issuer = ${elsewhere.issuer}`
  })
  assert.is(scene.placeOf(answer), '/login?problem=sign_in_expired')
  assert.is(await scene.accountOf(client), null)
})

changed('should not count as working by a sign-in before the change', async () => {
  const isWorking = async () =>
    service.database.sql`select 1 from oidc_providers where worked_at is not null`.exists()
  const claims = scene.newcomer()
  await scene.enter(service.client(), provider, claims)
  await service.database.sql`update oidc_providers set worked_at = null`
  const client = service.client()
  const answer = await answerBehind(client, claims, async (sql) => {
    await sql`update oidc_providers set secret_sealed = null`
  })
  assert.is(scene.placeOf(answer), '/')
  assert.is(await isWorking(), false)
})

changed('should refuse to change the last working one while passwords are off', async () => {
  await scene.enter(service.client(), provider, scene.newcomer())
  const input = (await chief.client.get('/api/admin/providers')).json()[0]
  const change = (more: object) =>
    chief.client.put('/api/admin/providers/main', { ...input, ...more })
  const set = (passwordSignIn: boolean) => chief.client.put('/api/config', { passwordSignIn })
  assert.is((await set(false)).status, 200)
  try {
    assertError(await change({ clientSecret: 'another' }), 409, 'no_other_sign_in')
    assertError(await change({ clientId: 'another' }), 409, 'no_other_sign_in')
    assertError(await change({ ...elsewhere, clientSecret: 'another' }), 409, 'no_other_sign_in')
    assert.is((await change({ name: 'Another name' })).status, 200)
    // One that does not work anyway may be mended.
    await service.database.sql`update oidc_providers set worked_at = null`
    assert.is((await change({ clientSecret: 'another' })).status, 200)
  } finally {
    assert.is((await set(true)).status, 200)
  }
})
