import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { apiTokenInput } from '../../helpers/api-token.ts'
import { adminEmail, adminPassword, startService, type Service } from '../../helpers/service.ts'
import { Guest } from '../../reverse-shares/guest.ts'
import { apiTokenOf, assertNoSecrets, assertRefused, person, type Person } from '../people.ts'

const account = suite('account')
let service: Service
let ann: Person
let made = 0

account.before(async () => {
  service = await startService({
    env: { RATE_LIMIT_LOGIN: 'off', TRUST_PROXY: '127.0.0.1' },
  })
})
account.after(() => service.stop())
account.before.each(async () => {
  made += 1
  ann = await person(service, `ann${made}@example.org`)
})

const patch = (json: object) => ann.client.call('PATCH', '/api/account', { json })
const signIn = (email: string, password: string) =>
  service.client().post('/api/auth/login', { email, password })

account('should show the account of the caller, without secrets', async () => {
  const answer = await ann.client.get('/api/account')
  assert.is(answer.status, 200)
  assert.equal(Object.keys(answer.json()), ['id', 'email', 'name', 'is_admin', 'created_at'])
  assert.equal([answer.json().id, answer.json().email], [ann.id, ann.email])
  assert.not.match(answer.body.toString(), /argon2|hash/)
})

for (const [method, path] of [
  ['GET', '/api/account'],
  ['GET', '/api/account/usage'],
  ['PATCH', '/api/account'],
  ['DELETE', '/api/account'],
  ['POST', '/api/account/password'],
  ['GET', '/api/account/sessions'],
  ['DELETE', '/api/account/sessions'],
  ['DELETE', '/api/account/sessions/00000000-0000-4000-8000-000000000000'],
  ['GET', '/api/tokens'],
  ['POST', '/api/tokens'],
  ['DELETE', '/api/tokens/00000000-0000-4000-8000-000000000000'],
  ['GET', '/api/auth/2fa/status'],
  ['POST', '/api/auth/2fa/setup'],
  ['POST', '/api/auth/2fa/enable'],
  ['POST', '/api/auth/2fa/recovery-codes'],
  ['POST', '/api/auth/2fa/disable'],
  ['POST', '/api/users/1/2fa/reset'],
] as const) {
  account(`should answer 401 to ${method} ${path} without a session`, async () => {
    assertRefused(await service.client().call(method, path), 401, 'unauthorized')
  })
}

account('should show the bytes used by the caller, and by no other account', async () => {
  const usage = async () => (await ann.client.get('/api/account/usage')).json()
  assert.equal(await usage(), { used_bytes: 0, quota_bytes: 0 })
  await ann.client.share({ a: 'seven b', b: 'x' })
  const { id } = (await ann.client.post('/api/reverse')).json()
  await new Guest(service.client(), id).deliver({ c: 'yz' })
  const admin = await service.admin()
  await admin.share({ d: 'not hers' })
  await admin.call('PUT', '/api/config', { json: { userQuota: 5000 } })
  assert.equal(await usage(), { used_bytes: 10, quota_bytes: 5000 })
  await admin.call('PUT', '/api/config', { json: { userQuota: 0 } })
  await admin.close()
})

account('should change the name without a password', async () => {
  const answer = await patch({ name: '  Ann <b>  ' })
  assert.is(answer.status, 200)
  assert.equal([answer.json().name, answer.json().email], ['Ann <b>', ann.email])
  assert.equal((await patch({})).json(), answer.json())
  assert.is((await patch({ email: ann.email })).status, 200)
})

account('should change the email address only with the current password', async () => {
  const email = `new${made}@example.org`
  const missing = await patch({ email })
  assertRefused(missing, 400, 'invalid_input')
  assert.is(missing.json().field, 'currentPassword')
  assertRefused(await patch({ email, currentPassword: 'no' }), 400, 'wrong_current_password')
  assert.is((await ann.client.get('/api/account')).json().email, ann.email)
  const answer = await patch({ email, currentPassword: ann.password })
  assert.equal([answer.status, answer.json().email], [200, email])
  assert.is((await signIn(email, ann.password)).status, 200)
  assertRefused(await signIn(ann.email, ann.password), 401, 'wrong_credentials')
})

account('should answer 409 for an email address that is taken, in any case', async () => {
  const json = { email: adminEmail.toUpperCase(), name: 'x', currentPassword: ann.password }
  assertRefused(await patch(json), 409, 'conflict')
  assert.is((await ann.client.get('/api/account')).json().name, ann.email)
})

for (const [why, json] of [
  ['a blank name', { name: ' ' }],
  ['a name of another type', { name: 7 }],
  ['an email address without @', { email: 'example.org', currentPassword: 'x' }],
  ['a password that is no string', { email: 'a@example.org', currentPassword: ['x'] }],
] as const) {
  account(`should refuse ${why}`, async () => {
    assertRefused(await patch(json), 400, 'invalid_input')
  })
}

account('should not let users make themselves administrators', async () => {
  assert.is((await patch({ is_admin: true, isAdmin: true, id: 1 })).json().is_admin, false)
  assert.is((await ann.client.get('/api/users')).status, 403)
})

// ---

const change = (json: object) => ann.client.post('/api/account/password', json)
const newPassword = 'another long password'

account('should change the password, and end all other sessions and API tokens', async () => {
  const other = await ann.signIn()
  const token = await apiTokenOf(service, ann.client)
  const bob = await person(service, `bob${made}@example.org`)
  const answer = await change({ currentPassword: ann.password, newPassword })
  assert.equal([answer.status, answer.json()], [200, { success: true }])
  assert.is((await ann.client.get('/api/account')).status, 200)
  assert.is((await other.get('/api/account')).status, 401)
  assert.is((await token.get('/api/account')).status, 401)
  assert.is((await bob.client.get('/api/account')).status, 200)
  assert.is((await signIn(ann.email, newPassword)).status, 200)
  assertRefused(await signIn(ann.email, ann.password), 401, 'wrong_credentials')
})

account('should change nothing when the current password is wrong', async () => {
  const other = await ann.signIn()
  const token = await apiTokenOf(service, ann.client)
  assertRefused(await change({ currentPassword: 'no', newPassword }), 400, 'wrong_current_password')
  assert.is((await other.get('/api/account')).status, 200)
  assert.is((await token.get('/api/account')).status, 200)
  assert.is((await signIn(ann.email, ann.password)).status, 200)
})

for (const [why, json] of [
  ['no current password', { newPassword: 'long enough' }],
  ['no new password', { currentPassword: 'x' }],
  ['a short new password', { currentPassword: 'x', newPassword: 'short' }],
  ['a new password of 257 characters', { currentPassword: 'x', newPassword: 'x'.repeat(257) }],
] as const) {
  account(`should refuse to change the password with ${why}`, async () => {
    assertRefused(await change(json), 400, 'invalid_input')
  })
}

account('should stop a session that guesses the current password', async () => {
  for (let guess = 0; guess < 5; guess += 1) {
    assertRefused(
      await change({ currentPassword: `no${guess}`, newPassword }),
      400,
      'wrong_current_password',
    )
  }
  const right = { currentPassword: ann.password, newPassword }
  const refused = await change(right)
  assertRefused(refused, 429, 'rate_limited')
  assert.is(refused.headers['retry-after'], '900')
  const json = { currentPassword: ann.password }
  assertRefused(await ann.client.call('DELETE', '/api/account', { json }), 429, 'rate_limited')
  const moved = { email: `x${made}@example.org`, currentPassword: ann.password }
  assertRefused(await patch(moved), 429, 'rate_limited')
  // Other sessions from the same address are stopped too; elsewhere the owner is not locked out.
  const other = await ann.signIn()
  assertRefused(await other.post('/api/account/password', right), 429, 'rate_limited')
  const elsewhere = { 'x-forwarded-for': '198.51.100.7' }
  assert.is((await other.post('/api/account/password', right, elsewhere)).status, 200)
})

account('should accept one of two password changes at the same instant', async () => {
  const other = await ann.signIn()
  const answers = await Promise.all([
    change({ currentPassword: ann.password, newPassword: 'first new password' }),
    other.post('/api/account/password', {
      currentPassword: ann.password,
      newPassword: 'second new password',
    }),
  ])
  assert.is(answers.filter((answer) => answer.status === 200).length, 1)
  const logins = await Promise.all([
    signIn(ann.email, 'first new password'),
    signIn(ann.email, 'second new password'),
  ])
  assert.is(logins.filter((answer) => answer.status === 200).length, 1)
  const alive = await Promise.all([ann.client.get('/api/account'), other.get('/api/account')])
  assert.is(alive.filter((answer) => answer.status === 200).length, 1)
})

account('should leave no session of the old password after a change', async () => {
  const [changed, ...logins] = await Promise.all([
    change({ currentPassword: ann.password, newPassword }),
    ...Array.from({ length: 4 }, () => signIn(ann.email, ann.password)),
  ])
  assert.is(changed?.status, 200)
  for (const login of logins.filter((answer) => answer.status === 200)) {
    const client = service.client()
    client.token = login.json().token
    assert.is((await client.get('/api/account')).status, 401)
  }
  assert.is((await ann.client.get('/api/account/sessions')).json().length, 1)
})

account('should create no API token in a session that a password change ends', async () => {
  const other = await ann.signIn()
  const input = await apiTokenInput(other, { name: 'late' })
  const [changed] = await Promise.all([
    change({ currentPassword: ann.password, newPassword }),
    // As many confirmations as may run at once: five count as failures until they have succeeded.
    ...Array.from({ length: 4 }, () => other.post('/api/tokens', input)),
  ])
  assert.is(changed?.status, 200)
  assert.equal((await ann.client.get('/api/tokens')).json(), [])
})

// ---

const remove = (json: object) => ann.client.call('DELETE', '/api/account', { json })

account('should delete the account with its shares, sessions and tokens', async () => {
  const shareId = await ann.client.share({ 'a.txt': 'a' })
  const token = await apiTokenOf(service, ann.client)
  const other = await ann.signIn()
  assertRefused(await remove({}), 400, 'invalid_input')
  assertRefused(await remove({ currentPassword: 'no' }), 400, 'wrong_current_password')
  assert.is((await service.client().get(`/api/public/shares/${shareId}`)).status, 200)
  const answer = await remove({ currentPassword: ann.password })
  assert.equal([answer.status, answer.json()], [200, { success: true }])
  assert.match(String(answer.headers['set-cookie']), /^transfer_session_[\w-]{8}=;.*Max-Age=0/)
  for (const client of [ann.client, token, other]) {
    assert.is((await client.get('/api/account')).status, 401)
  }
  assertRefused(await signIn(ann.email, ann.password), 401, 'wrong_credentials')
  assert.is((await service.client().get(`/api/public/shares/${shareId}`)).status, 404)
  const { sql } = service.database
  const [left] = await sql<{ count: number }[]>`
    select (select count(*) from shares where id = ${shareId})
      + (select count(*) from api_tokens where user_id = ${ann.id})
      + (select count(*) from sessions where user_id = ${ann.id})
      + (select count(*) from tombstones) as count`
  assert.is(left?.count, 0)
})

account('should delete the account with its quota during its uploads', async () => {
  const admin = await service.admin()
  await admin.call('PUT', '/api/config', { json: { userQuota: 1e9 } })
  const drafts = await Promise.all([1, 2, 3, 4].map(() => ann.client.init()))
  const chunks = drafts.flatMap((draft) =>
    [0, 1, 2, 3, 4, 5].map((index) => ann.client.chunk(draft, 'f', index, 'x'.repeat(300_000))),
  )
  const answer = await remove({ currentPassword: ann.password })
  assert.is(answer.status, 200, answer.body.toString())
  for (const { status } of await Promise.all(chunks)) {
    assert.ok([200, 401, 404].includes(status), String(status))
  }
  await admin.call('PUT', '/api/config', { json: { userQuota: 0 } })
  const [left] = await service.database.sql<{ count: number }[]>`
    select count(*) from shares where id = any(${drafts})`
  assert.is(left?.count, 0)
})

account('should answer 409 when the last administrator deletes their account', async () => {
  const admin = await service.admin()
  const json = { currentPassword: adminPassword }
  const answer = await admin.call('DELETE', '/api/account', { json })
  assertRefused(answer, 409, 'last_administrator')
  assert.is((await admin.get('/api/users')).status, 200)
})

account('should leave one administrator when all delete themselves at once', async () => {
  const alone = await startService()
  try {
    const people = await Promise.all(
      [1, 2, 3].map((n) => person(alone, `admin${n}@example.org`, { isAdmin: true })),
    )
    const admin = await alone.admin()
    const { id } = (await admin.get('/api/account')).json()
    assert.is((await people[0]!.client.delete(`/api/users/${id}`)).status, 200)
    const answers = await Promise.all(
      people.map(({ client, password }) =>
        client.call('DELETE', '/api/account', { json: { currentPassword: password } }),
      ),
    )
    const statuses = answers.map((answer) => answer.status).toSorted((a, b) => a - b)
    assert.equal(statuses, [200, 200, 409])
  } finally {
    await alone.stop()
  }
})

account('should return no secrets', async () => {
  for (const path of [
    '/api/account',
    '/api/account/sessions',
    '/api/tokens',
    '/api/auth/2fa/status',
  ]) {
    const quiet = await person(service, `quiet${made}${path.length}@example.org`)
    const name = await quiet.client.call('PATCH', '/api/account', { json: { name: 'Quiet' } })
    assertNoSecrets(name)
    assertNoSecrets(await quiet.client.get(path))
  }
})

account('should refuse cross-site requests with the cookie', async () => {
  const recipient = service.client()
  await recipient.post('/api/auth/login', { email: ann.email, password: ann.password })
  const foreign = { 'sec-fetch-site': 'cross-site' }
  for (const [method, path] of [
    ['PATCH', '/api/account'],
    ['DELETE', '/api/account'],
    ['POST', '/api/account/password'],
    ['DELETE', '/api/account/sessions'],
    ['POST', '/api/tokens'],
    ['POST', '/api/auth/2fa/setup'],
    ['POST', '/api/auth/2fa/recovery-codes'],
    ['POST', '/api/auth/2fa/disable'],
  ] as const) {
    assertRefused(await recipient.call(method, path, { headers: foreign }), 403, 'cross_site')
  }
})

account.run()
