import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, statusesOf, type Client } from '../../helpers/client.ts'
import { adminPassword, startService } from '../../helpers/service.ts'
import { apiTokenOf, enableSecondFactor, person } from '../people.ts'

const users = suite('users')

const service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
const admin = await service.admin()

const update = (id: number, json: object) => admin.put(`/api/users/${id}`, json)

users('should list accounts with factor, usage and last sign-in, without secrets', async () => {
  const { client: owner, ...account } = await person(service, 'owner@example.org')
  service.clock.advance(60_000)
  await service.client().post('/api/auth/login', account)
  const at = new Date(service.clock.now()).toISOString()
  service.clock.advance(1000)
  await service.user('idle@example.org')
  await enableSecondFactor(service, 'owner@example.org')
  await owner.share({ 'a.bin': 'x'.repeat(3000) })
  await owner.share({ 'b.bin': 'y'.repeat(2000) })
  const answer = await admin.get('/api/users')
  assert.not.match(answer.body.toString(), /argon2|password/)
  const listed = answer.json<Record<string, unknown>[]>()
  assert.is(listed[0]!['email'], 'idle@example.org', 'newest first')
  const told = (email: string) => {
    const user = listed.find((one) => one['email'] === email)
    return [user?.['second_factor'], user?.['used_bytes'], user?.['last_login_at']]
  }
  assert.equal(told('owner@example.org'), [true, 5000, at])
  assert.equal(told('idle@example.org').slice(0, 2), [false, 0])
})

users('should use the quota of an account in place of the setting', async () => {
  const { id, client: owner } = await person(service, 'quota@example.org')
  const set = (quota: unknown) => update(id, { quota })
  const usage = async () => (await owner.get('/api/account/usage')).json().quota_bytes
  const shareId = await owner.init()
  const send = (index: number) => owner.chunk(shareId, 'f', index, 'x'.repeat(100))
  await admin.put('/api/config', { userQuota: 150 })
  try {
    assert.is((await send(0)).status, 200)
    assert.equal((await send(1)).json().quota, 150)
    assert.is((await set(250)).status, 200)
    assert.is(await usage(), 250)
    assert.is((await send(1)).status, 200)
    const refused = await send(2)
    assert.equal([refused.status, refused.json().code], [413, 'quota_exceeded'])
    assert.equal([refused.json().quota, refused.json().used], [250, 200])
    assert.is((await update(id, { name: 'x' })).status, 200)
    assert.is((await send(2)).status, 413, 'omitted fields stay')
    assert.is((await set(0)).status, 200)
    assert.is(await usage(), 0)
    assert.is((await send(2)).status, 200)
    assert.is((await set(null)).status, 200)
    assert.is(await usage(), 150)
    assert.is((await send(3)).status, 413)
    assert.is((await set(-1)).status, 400)
  } finally {
    await admin.put('/api/config', { userQuota: 0 })
  }
})

users('should apply promotion and demotion at once and keep the session', async () => {
  const { id, client } = await person(service, 'rise@example.org')
  for (const isAdmin of [true, false]) {
    await update(id, { is_admin: isAdmin })
    assert.is((await client.get('/api/users')).status, isAdmin ? 200 : 403)
  }
})

users('should end credentials and hide shares when an account is disabled', async () => {
  const { id, client } = await person(service, 'out@example.org')
  const shareId = await client.share({ 'a.txt': 'a' })
  const token = await apiTokenOf(service, client)
  await update(id, { disabled: true })
  for (const one of [client, token]) assert.is((await one.get('/api/shares')).status, 401)
  assert.is((await service.client().get(`/api/public/shares/${shareId}`)).status, 404)
  await update(id, { disabled: false })
  for (const one of [client, token]) assert.is((await one.get('/api/shares')).status, 401)
  assert.is((await service.client().get(`/api/public/shares/${shareId}`)).status, 200)
})

users('should change an account while its holder signs in and ends sessions', async () => {
  const { id, email, password, client } = await person(service, 'restless@example.org')
  const answers = await Promise.all(
    [1, 2, 3, 4, 5].flatMap((place) => [
      update(id, { name: `Restless ${place}` }),
      service.client().post('/api/auth/login', { email, password }),
      client.delete('/api/account/sessions'),
    ]),
  )
  for (const { status } of answers) assert.is(status, 200)
})

users('should protect the last administrator, and count no invited one', async () => {
  const alone = await startService()
  const only = await alone.admin()
  const { id } = (await only.get('/api/account')).json()
  const demote = () => only.put(`/api/users/${id}`, { is_admin: false })
  const remove = (client: Client, currentPassword: string) =>
    client.call('DELETE', '/api/account', { json: { currentPassword } })
  const invitation = { email: 'asked@example.org', name: 'Asked', is_admin: true }
  const { url } = (await only.post('/api/users/invite', invitation)).json()
  for (const answer of [
    await demote(),
    await only.put(`/api/users/${id}`, { disabled: true }),
    await only.delete(`/api/users/${id}`),
    await remove(only, adminPassword),
  ]) {
    assertError(answer, 409, 'last_administrator')
  }
  const chief = await person(alone, 'chief@example.org', { isAdmin: true })
  const asked = alone.client()
  const accept = { token: url.split('#token=')[1], password: 'a password of my own' }
  assert.is((await asked.post('/api/auth/invitation/accept', accept)).status, 200)
  const answers = await Promise.all([
    demote(),
    remove(chief.client, chief.password),
    remove(asked, accept.password),
  ])
  assert.equal(statusesOf(answers), [200, 200, 409])
})
