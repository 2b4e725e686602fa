// The own account: changes, sessions, and two conflicting requests at one instant.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Sql } from '../../../src/database/connect.ts'
import { apiTokenInput } from '../../helpers/api-token.ts'
import type { Answer } from '../../helpers/client.ts'
import { adminEmail, startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'
import { Guest } from '../../requests/guest.ts'
import { apiTokenOf, assertNoSecrets, assertRefused, person, type Person } from '../people.ts'

const account = suite('account')
let ann: Person
let bob: Person
let made = 0

const service = await startService({
  env: { RATE_LIMIT_LOGIN: 'off', TRUST_PROXY: '127.0.0.1' },
})
account.after(() => service.stop())
account.before.each(async () => {
  made += 1
  ann = await person(service, `ann${made}@example.org`)
  bob = await person(service, `bob${made}@example.org`)
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
})

account('should change the name without a password', async () => {
  const answer = await patch({ name: '  Ann <b>  ' })
  assert.is(answer.status, 200)
  assert.equal([answer.json().name, answer.json().email], ['Ann <b>', ann.email])
  assert.equal((await patch({})).json(), answer.json())
  assert.is((await patch({ email: ann.email })).status, 200)
})

account('should change the email address', async () => {
  const email = `new${made}@example.org`
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

account('should not let users make themselves administrators', async () => {
  assert.is((await patch({ is_admin: true, isAdmin: true, id: 1 })).json().is_admin, false)
  assert.is((await ann.client.get('/api/users')).status, 403)
})

account('should refuse invalid fields', async () => {
  for (const json of [
    { name: ' ' },
    { name: 7 },
    { email: 'example.org', currentPassword: 'x' },
    { email: 'a@example.org', currentPassword: ['x'] },
  ]) {
    assertRefused(await patch(json), 400, 'invalid_input')
  }
  for (const newPassword of [undefined, 'short', 'x'.repeat(257)]) {
    assertRefused(await change({ currentPassword: 'x', newPassword }), 400, 'invalid_input')
  }
})

// ---

const change = (json: object) => ann.client.post('/api/account/password', json)
const newPassword = 'another long password'

account('should change the password, and end all other sessions and API tokens', async () => {
  const other = await ann.signIn()
  const token = await apiTokenOf(service, ann.client)
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

// ---

interface Listed {
  id: string
  current: boolean
  ip: string
  user_agent: string
  created_at: string
  last_seen_at: string
}
const listSessions = async (client = ann.client): Promise<Listed[]> =>
  (await client.get('/api/account/sessions')).json()

account('should list the sessions newest first, and mark the current one', async () => {
  service.clock.advance(60_000)
  await ann.signIn('Firefox <script>')
  const answer = await ann.client.get('/api/account/sessions')
  const [newer, older] = answer.json() as Listed[]
  assert.is(answer.json().length, 2)
  assert.equal([newer!.current, older!.current], [false, true])
  assert.equal([newer!.user_agent, newer!.ip], ['Firefox <script>', '192.0.2.7'])
  assert.ok(newer!.created_at > older!.created_at)
  assertNoSecrets(answer)
  assert.not.ok(answer.body.toString().includes(ann.client.token!))
})

account('should end one session', async () => {
  const other = await ann.signIn()
  const id = (await listSessions()).find((session) => !session.current)!.id
  const answer = await ann.client.delete(`/api/account/sessions/${id}`)
  assert.equal([answer.status, answer.json()], [200, { success: true }])
  assert.is((await other.get('/api/account')).status, 401)
  assert.is((await ann.client.get('/api/account')).status, 200)
  assertRefused(await ann.client.delete(`/api/account/sessions/${id}`), 404, 'not_found')
})

account('should end all other sessions, of this account alone', async () => {
  const others = [await ann.signIn(), await ann.signIn()]
  const token = await apiTokenOf(service, ann.client)
  assert.is((await ann.client.delete('/api/account/sessions')).status, 200)
  for (const other of others) assert.is((await other.get('/api/account')).status, 401)
  assert.equal(
    (await listSessions()).map((session) => session.current),
    [true],
  )
  assert.is((await token.get('/api/account')).status, 200)
  assert.is((await bob.client.get('/api/account')).status, 200)
})

account('should answer 404 for the session of another account, and leave it', async () => {
  const id = (await listSessions(bob.client))[0]!.id
  const admin = await service.admin()
  for (const client of [ann.client, admin]) {
    assertRefused(await client.delete(`/api/account/sessions/${id}`), 404, 'not_found')
  }
  assert.is((await bob.client.get('/api/account')).status, 200)
  assert.is(
    (await listSessions()).some((session) => session.id === id),
    false,
  )
})

// ---

/**
 * Locks the account's row as a change of it does, sends the request, makes the rest of the change
 * once the request waits for the row (or has not waited), and commits.
 */
async function during(change: (sql: Sql) => Promise<unknown>, send: () => Promise<Answer>) {
  let answer: Promise<Answer> | null = null
  await service.database.begin(async (sql) => {
    await sql`select 1 from users where id = ${ann.id} for no key update`
    let isAnswered = false
    answer = send().finally(() => {
      isAnswered = true
    })
    await until('it waits, or is answered', async () => isAnswered || isSomebodyWaiting())
    await change(sql)
  })
  return answer as unknown as Answer
}

async function isSomebodyWaiting(): Promise<boolean> {
  const rows = await service.database.sql`
    select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return rows.length > 0
}

const endSessions = (sql: Sql) => sql`delete from sessions where user_id = ${ann.id}`
const setHash = (sql: Sql) => sql`update users set password_hash = 'x' where id = ${ann.id}`

account('should grant no session while the password is being changed', async () => {
  const { email, password } = ann
  const answer = await during(
    async (sql) => {
      await setHash(sql)
      await endSessions(sql)
    },
    () => service.client().post('/api/auth/login', { email, password }),
  )
  assertRefused(answer, 401, 'wrong_credentials')
})

account('should grant no session to an account that is being disabled', async () => {
  const { email, password } = ann
  const answer = await during(
    (sql) => sql`update users set disabled_at = now() where id = ${ann.id}`,
    () => service.client().post('/api/auth/login', { email, password }),
  )
  assertRefused(answer, 401, 'wrong_credentials')
})

account('should create no API token for a session that is being ended', async () => {
  const input = await apiTokenInput(ann.client, { name: 'late' })
  const answer = await during(endSessions, () => ann.client.post('/api/tokens', input))
  assertRefused(answer, 401, 'unauthorized')
  const rows = await service.database.sql`select 1 from api_tokens where user_id = ${ann.id}`
  assert.is(rows.length, 0)
})

account('should set up no second factor for a session that is being ended', async () => {
  const answer = await during(endSessions, () => ann.client.post('/api/auth/2fa/setup'))
  assertRefused(answer, 401, 'unauthorized')
})

account('should change the password once when one session changes it twice at once', async () => {
  const change = () =>
    ann.client.post('/api/account/password', { currentPassword: ann.password, newPassword })
  const answers = await Promise.all([change(), change(), change()])
  const statuses = answers.map((answer) => answer.status).toSorted((a, b) => a - b)
  assert.equal(statuses, [200, 400, 400])
})

account('should leave out expired sessions', async () => {
  await ann.signIn()
  for (let day = 0; day < 8; day += 1) {
    service.clock.advance(24 * 60 * 60_000)
    assert.is((await ann.client.get('/api/account')).status, 200)
  }
  assert.is((await listSessions()).length, 1)
})
