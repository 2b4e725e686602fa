// The own account: changes, sessions, and two conflicting requests at one instant.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../helpers/until.ts'
import type { Sql } from '../../../src/database/connect.ts'
import { assertError, okay, pluck, statusesOf, type Answer } from '../../helpers/client.ts'
import { adminEmail, startService } from '../../helpers/service.ts'
import { countLockWaits } from '../../helpers/locks.ts'
import { apiTokenInput, apiTokenOf, assertNoSecrets, newPerson, type Person } from '../people.ts'

const account = suite('account')
let ann: Person
let bob: Person

const service = await startService({
  env: { RATE_LIMIT_LOGIN: 'off', TRUST_PROXY: '127.0.0.1' },
})
account.before.each(async () => {
  ann = await newPerson(service)
  bob = await newPerson(service, 'bob')
})

const patch = (json: object) => ann.client.patch('/api/account', json)
const signIn = (email: string, password: string) =>
  service.client().post('/api/auth/login', { email, password })

account('should change name without and address with a password, and no rights', async () => {
  const named = await patch({ name: '  Ann <b>  ', is_admin: true, isAdmin: true, id: 1 })
  assert.equal([named.status, named.json().name], [200, 'Ann <b>'])
  assert.equal((await patch({ email: ann.email })).json(), named.json())
  const email = `new${ann.id}@example.org`
  const taken = { email: adminEmail.toUpperCase(), name: 'x', currentPassword: ann.password }
  assertError(await patch(taken), 409, 'conflict')
  const answer = await patch({ email, currentPassword: ann.password })
  assert.equal(answer.json(), { ...named.json(), email })
  assert.equal((await ann.client.get('/api/account')).json(), answer.json())
  assert.is(answer.json().is_admin, false)
  assert.is((await signIn(email, ann.password)).status, 200)
  assertError(await signIn(ann.email, ann.password), 401, 'wrong_credentials')
})

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
  assertError(await signIn(ann.email, ann.password), 401, 'wrong_credentials')
})

const remove = (json: object) => ann.client.call('DELETE', '/api/account', { json })

account('should delete the account with its shares, sessions and tokens', async () => {
  const shareId = await ann.client.share({ 'a.txt': 'a' })
  const token = await apiTokenOf(service, ann.client)
  const other = await ann.signIn()
  const answer = await remove({ currentPassword: ann.password })
  assert.equal([answer.status, answer.json()], [200, { success: true }])
  assert.match(String(answer.headers['set-cookie']), /^transfer_session_[\w-]{8}=;.*Max-Age=0/)
  for (const client of [ann.client, token, other]) {
    assert.is((await client.get('/api/account')).status, 401)
  }
  assertError(await signIn(ann.email, ann.password), 401, 'wrong_credentials')
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
  await admin.put('/api/config', { userQuota: 1e9 })
  // 15, because an address has 16 permits, and no answer may depend on a wait for one.
  const drafts = await Promise.all([1, 2, 3].map(() => ann.client.init()))
  const chunks = drafts.flatMap((draft) =>
    [0, 1, 2, 3, 4].map((index) => ann.client.chunk(draft, 'f', index, 'x'.repeat(300_000))),
  )
  await okay(remove({ currentPassword: ann.password }))
  for (const { status } of await Promise.all(chunks)) {
    assert.ok([200, 401, 404].includes(status), String(status))
  }
  await admin.put('/api/config', { userQuota: 0 })
  const left = await service.database.sql`select from shares where id = any(${drafts})`
  assert.is(left.count, 0)
})

account('should list the sessions newest first, and end one, of this account alone', async () => {
  service.clock.advance(60_000)
  const other = await ann.signIn('Firefox <script>')
  const answer = await ann.client.get('/api/account/sessions')
  const [newer, older] = answer.json()
  assert.is(answer.json().length, 2)
  assert.equal([newer!.current, older!.current], [false, true])
  assert.equal([newer!.user_agent, newer!.ip], ['Firefox <script>', '192.0.2.7'])
  assert.ok(newer!.created_at > older!.created_at)
  assertNoSecrets(answer)
  assert.not.ok(answer.body.toString().includes(ann.client.token!))
  const path = `/api/account/sessions/${newer.id}`
  for (const client of [bob.client, await service.admin()]) {
    assertError(await client.delete(path), 404, 'not_found')
  }
  assert.is((await other.get('/api/account')).status, 200)
  assert.equal((await ann.client.delete(path)).json(), { success: true })
  assert.is((await other.get('/api/account')).status, 401)
  assert.is((await ann.client.get('/api/account')).status, 200)
  assertError(await ann.client.delete(path), 404, 'not_found')
})

account('should end all other sessions, of this account alone', async () => {
  const others = [await ann.signIn(), await ann.signIn()]
  const token = await apiTokenOf(service, ann.client)
  assert.is((await ann.client.delete('/api/account/sessions')).status, 200)
  for (const other of others) assert.is((await other.get('/api/account')).status, 401)
  const left = (await ann.client.get('/api/account/sessions')).json<{ current: boolean }[]>()
  assert.equal(pluck(left, 'current'), [true])
  assert.is((await token.get('/api/account')).status, 200)
  assert.is((await bob.client.get('/api/account')).status, 200)
})

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
    await until(
      'it waits, or is answered',
      async () => isAnswered || (await countLockWaits(service.database)) > 0,
    )
    await change(sql)
  })
  return answer as unknown as Answer
}

account('should grant no session while a password changes or an account is disabled', async () => {
  for (const change of [
    (sql: Sql) => sql`update users set password_hash = 'x' where id = ${ann.id}`,
    (sql: Sql) => sql`update users set disabled_at = now() where id = ${ann.id}`,
  ]) {
    ann = await newPerson(service)
    const answer = await during(change, () => signIn(ann.email, ann.password))
    assertError(answer, 401, 'wrong_credentials')
  }
})

account('should make no token and second factor for a session that is being ended', async () => {
  const endSessions = (sql: Sql) => sql`delete from sessions where user_id = ${ann.id}`
  for (const send of [
    async () => ann.client.post('/api/tokens', await apiTokenInput(ann.client)),
    () => ann.client.post('/api/auth/2fa/setup'),
  ]) {
    ann = await newPerson(service)
    assertError(await during(endSessions, send), 401, 'unauthorized')
  }
})

account('should change the password once when one session changes it twice at once', async () => {
  const change = () =>
    ann.client.post('/api/account/password', { currentPassword: ann.password, newPassword })
  assert.equal(statusesOf(await Promise.all([change(), change(), change()])), [200, 400, 400])
})
