import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Client } from '../../helpers/client.ts'
import { enableSecondFactor } from '../../helpers/second-factor.ts'
import { startService } from '../../helpers/service.ts'

const users = suite('users')

const service = await startService()
const admin = await service.admin()
users.after(() => service.stop())

const password = 'a long enough password'

async function create(email: string, more: object = {}): Promise<number> {
  const answer = await admin.post('/api/users', { email, password, name: 'Somebody', ...more })
  assert.equal([answer.status, answer.json()], [200, { success: true }])
  const listed = (await admin.get('/api/users')).json() as { id: number; email: string }[]
  return listed.find((user) => user.email === email)!.id
}

async function signIn(email: string): Promise<Client> {
  const client = service.client()
  const origin = { ip: '127.0.0.1', userAgent: 'test' }
  const result = await service.app.services.auth.signIn(email, password, origin)
  assert.is(result.kind, 'logged_in')
  client.token = result.kind === 'logged_in' ? result.token : ''
  return client
}

users(
  'should list accounts with second factor and disk usage, newest first, without secrets',
  async () => {
    const owner = await service.user('owner@example.org')
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
      return [user?.['second_factor'], user?.['used_bytes']]
    }
    assert.equal(told('owner@example.org'), [true, 5000])
    assert.equal(told('idle@example.org'), [false, 0])
  },
)

users('should show the last sign-in', async () => {
  const told = async () => (await admin.get('/api/users')).json()[0].last_login_at
  await create('guest-of-day@example.org')
  assert.is(await told(), null)
  await signIn('guest-of-day@example.org')
  assert.is(await told(), new Date(service.clock.now()).toISOString())
})

users('should use the quota of an account in place of the setting', async () => {
  const owner = await service.user('quota@example.org')
  const [{ id }] = (await admin.get('/api/users')).json()
  const set = (quota: unknown) => admin.call('PUT', `/api/users/${id}`, { json: { quota } })
  const usage = async () => (await owner.get('/api/account/usage')).json().quota_bytes
  const shareId = await owner.init()
  const send = (index: number) => owner.chunk(shareId, 'f', index, 'x'.repeat(100))
  await admin.call('PUT', '/api/config', { json: { userQuota: 150 } })
  try {
    assert.is((await send(0)).status, 200)
    assert.equal((await send(1)).json().quota, 150)
    assert.is((await set(250)).status, 200)
    assert.is(await usage(), 250)
    assert.is((await send(1)).status, 200)
    const refused = await send(2)
    assert.equal([refused.status, refused.json().code], [413, 'quota_exceeded'])
    assert.equal([refused.json().quota, refused.json().used], [250, 200])
    assert.is((await admin.call('PUT', `/api/users/${id}`, { json: { name: 'x' } })).status, 200)
    assert.is((await send(2)).status, 413, 'omitted fields stay')
    assert.is((await set(0)).status, 200)
    assert.is(await usage(), 0)
    assert.is((await send(2)).status, 200)
    assert.is((await set(null)).status, 200)
    assert.is(await usage(), 150)
    assert.is((await send(3)).status, 413)
    assert.is((await set(-1)).status, 400)
  } finally {
    await admin.call('PUT', '/api/config', { json: { userQuota: 0 } })
  }
})

users('should answer 409 for an email address that is taken, in any case', async () => {
  await create('taken@example.org')
  const again = await admin.post('/api/users', { email: 'TAKEN@example.org', password, name: 'x' })
  assert.equal([again.status, again.json().code], [409, 'conflict'])
  const other = await create('other@example.org')
  const moved = await admin.call('PUT', `/api/users/${other}`, {
    json: { email: 'Taken@Example.org' },
  })
  assert.is(moved.status, 409)
})

users('should apply promotion and demotion at once and keep the session', async () => {
  const id = await create('rise@example.org')
  const client = await signIn('rise@example.org')
  assert.is((await client.get('/api/users')).status, 403)
  await admin.call('PUT', `/api/users/${id}`, { json: { is_admin: true } })
  assert.is((await client.get('/api/users')).status, 200)
  await admin.call('PUT', `/api/users/${id}`, { json: { is_admin: false } })
  assert.is((await client.get('/api/users')).status, 403)
})

users('should end sessions and hide shares when an account is disabled', async () => {
  const id = await create('out@example.org')
  const client = await signIn('out@example.org')
  const shareId = await client.share({ 'a.txt': 'a' })
  await admin.call('PUT', `/api/users/${id}`, { json: { disabled: true } })
  assert.is((await client.get('/api/shares')).status, 401)
  assert.is((await service.client().get(`/api/public/shares/${shareId}`)).status, 404)
  await admin.call('PUT', `/api/users/${id}`, { json: { disabled: false } })
  assert.is((await client.get('/api/shares')).status, 401)
  assert.is((await service.client().get(`/api/public/shares/${shareId}`)).status, 200)
})

users('should protect the last administrator, and leave one of two at once', async () => {
  const pair = await startService()
  try {
    const only = await pair.admin()
    const [{ id }] = (await only.get('/api/users')).json()
    for (const json of [{ is_admin: false }, { disabled: true }]) {
      const answer = await only.call('PUT', `/api/users/${id}`, { json })
      assert.equal([answer.status, answer.json().code], [409, 'last_administrator'])
    }
    assert.is((await only.delete(`/api/users/${id}`)).status, 409)
    assert.is((await only.get('/api/users')).status, 200)
    const two = await pair.user('two@example.org', { isAdmin: true })
    const ids = (await only.get('/api/users')).json().map((user: { id: number }) => user.id)
    const answers = await Promise.all(
      [only, two].map((client, place) =>
        client.call('PUT', `/api/users/${ids[place]}`, { json: { is_admin: false } }),
      ),
    )
    const statuses = answers.map((answer) => answer.status).toSorted((a, b) => a - b)
    assert.ok(['200,403', '200,409'].includes(statuses.join(',')), statuses.join(','))
  } finally {
    await pair.stop()
  }
})

users('should sign in to one account many times at once, while it is changed', async () => {
  const id = await create('busy@example.org')
  const changes = Array.from({ length: 5 }, (_, place) =>
    admin.call('PUT', `/api/users/${id}`, { json: { name: `Busy ${place}` } }),
  )
  await Promise.all([...changes, ...changes.map(() => signIn('busy@example.org'))])
  for (const change of changes) assert.is((await change).status, 200)
})

users('should hand shares over to another account on deletion', async () => {
  const from = await create('from@example.org')
  const to = await create('to@example.org')
  const shareId = await (
    await signIn('from@example.org')
  ).share({ 'a.txt': 'kept' }, { name: 'Kept' })
  assert.is((await admin.delete(`/api/users/${from}?transferTo=${from}`)).status, 400)
  assert.is((await admin.delete(`/api/users/${from}?transferTo=999999`)).status, 400)
  assert.is((await admin.delete(`/api/users/${from}?transferTo=${to}`)).status, 200)
  const [share] = (await (await signIn('to@example.org')).get('/api/shares')).json()
  assert.equal([share.id, share.name], [shareId, 'Kept'])
  assert.is((await service.client().get(`/api/shares/${shareId}/download`)).status, 200)
})
