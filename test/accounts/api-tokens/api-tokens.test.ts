import { inspect } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isWellFormed } from '../../../src/accounts/api-tokens/api-tokens.ts'
import { operator } from '../../../src/lib/actor.ts'
import { apiTokenInput } from '../../helpers/api-token.ts'
import { sessionCookie } from '../../helpers/cookies.ts'
import { startService } from '../../helpers/service.ts'
import { apiTokenOf, assertNoSecrets, assertRefused, person, type Person } from '../people.ts'

const tokens = suite('API tokens')
const minuteMs = 60_000
const nowhere = '00000000-0000-4000-8000-000000000000'
let ann: Person
let bob: Person
let made = 0

const service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
tokens.after(() => service.stop())
tokens.before.each(async () => {
  made += 1
  ann = await person(service, `ann${made}@example.org`)
  bob = await person(service, `bob${made}@example.org`)
})

const create = async (json: object) =>
  ann.client.post('/api/tokens', await apiTokenInput(ann.client, json))
const list = async (client = ann.client) => (await client.get('/api/tokens')).json()

tokens('should show a token once, when it is created, and store only its hash', async () => {
  const answer = await create({ name: '  Nightly backup ' })
  assert.is(answer.status, 200)
  const { success, token, ...shown } = answer.json()
  assert.is(success, true)
  assert.match(token, /^transfer_[0-9a-f]{72}$/)
  const keys = ['id', 'name', 'hint', 'scopes', 'created_at', 'expires_at', 'last_used_at']
  assert.equal(Object.keys(shown), keys)
  assert.equal([shown.name, shown.expires_at, shown.last_used_at], ['Nightly backup', null, null])
  assert.is(shown.hint, token.slice(0, 13))
  const listed = await ann.client.get('/api/tokens')
  assert.equal(listed.json(), [shown])
  assert.not.ok(listed.body.toString().includes(token.slice(0, 20)))
  assertNoSecrets(listed)
  const rows = await service.database.sql`select api_tokens::text as text from api_tokens`
  assert.not.ok(JSON.stringify(rows).includes(token.slice(20)))
  assert.not.ok(service.logLines.join('').includes(token))
})

// prettier-ignore
const invalid: object[] = [
  { name: undefined }, { name: ' ' }, { name: 'x'.repeat(101) }, { name: 'a\0b' },
  ...[undefined, [], ['read', 'everything'], Array(6).fill('read'), ['administer'], ['metrics']]
    .map((scopes) => ({ name: 'x', scopes })),
  ...[undefined, '2099-02-30T00:00:00Z', '2099-01-01', 4_000_000_000]
    .map((expiresAt) => ({ name: 'x', expiresAt })),
]

tokens('should refuse invalid names, scopes and times', async () => {
  for (const json of invalid) {
    const answer = await create(json)
    assert.equal([answer.status, answer.json().code], [400, 'invalid_input'], inspect(json))
  }
  assert.equal(await list(), [])
})

tokens('should refuse an expiry in the past', async () => {
  const expiresAt = new Date(service.clock.now() - 1).toISOString()
  assertRefused(await create({ name: 'x', expiresAt }), 400, 'invalid_input')
})

tokens('should refuse a token beyond the hundredth', async () => {
  const { sql } = service.database
  await sql`
    insert into api_tokens (id, user_id, name, hint, scopes, token_hash, created_at)
    select
      gen_random_uuid(), ${ann.id}, 'x', 'x', '{read}', sha256(${ann.email} || n::text::bytea),
      now()
    from generate_series(1, 98) as n`
  const answers = await Promise.all([1, 2, 3, 4].map((n) => create({ name: `n${n}` })))
  assert.is(answers.filter((answer) => answer.status === 200).length, 2)
  assertRefused(await create({ name: 'x' }), 409, 'too_many_tokens')
  assert.is((await list()).length, 100)
})

tokens('should work as Bearer like a session, and before a cookie', async () => {
  const token = await apiTokenOf(service, ann.client)
  const shareId = await token.share({ 'a.txt': 'sent by a script' })
  assert.is((await token.get('/api/shares')).json()[0].id, shareId)
  assert.is((await token.get(`/api/shares/${shareId}/download?as=owner`)).status, 200)
  assert.is((await token.get('/api/users')).status, 403)
  assert.is((await token.delete(`/api/shares/${shareId}`)).status, 200)
  const browser = service.client()
  await browser.post('/api/auth/login', { email: bob.email, password: bob.password })
  browser.token = token.token
  assert.is((await browser.get('/api/account')).json().email, ann.email)
  browser.token = changed(token.token!, 12)
  assertRefused(await browser.get('/api/account'), 401, 'unauthorized')
})

tokens('should end when its owner, and only its owner, deletes it', async () => {
  const token = await apiTokenOf(service, ann.client)
  const [{ id }] = await list()
  assertRefused(await bob.client.delete(`/api/tokens/${id}`), 404, 'not_found')
  const admin = await service.admin()
  assertRefused(await admin.delete(`/api/tokens/${id}`), 404, 'not_found')
  for (const wrong of [id.slice(0, -1), `${id}0`, id.toUpperCase(), nowhere, '1']) {
    assertRefused(
      await ann.client.delete(`/api/tokens/${wrong.replace(/^\d+/, 'F')}`),
      404,
      'not_found',
    )
  }
  assert.is((await token.get('/api/account')).status, 200)
  assert.is((await ann.client.delete(`/api/tokens/${id}`)).status, 200)
  assertRefused(await token.get('/api/account'), 401, 'unauthorized')
  assertRefused(await ann.client.delete(`/api/tokens/${id}`), 404, 'not_found')
})

tokens('should expire on time, and be removed then', async () => {
  const expiresAt = new Date(service.clock.now() + 10 * minuteMs).toISOString()
  const token = await apiTokenOf(service, ann.client, { expiresAt })
  assert.is((await list())[0].expires_at, expiresAt)
  service.clock.advance(10 * minuteMs - 1)
  assert.is((await token.get('/api/account')).status, 200)
  service.clock.advance(1)
  assertRefused(await token.get('/api/account'), 401, 'unauthorized')
  await service.app.services.auth.removeEndedSessions()
  assert.equal(await list(), [])
})

tokens('should end when the account is disabled, and stay ended when it is enabled', async () => {
  const token = await apiTokenOf(service, ann.client)
  const { users } = service.app.services
  await users.update(operator, ann.id, { disabled: true })
  assertRefused(await token.get('/api/account'), 401, 'unauthorized')
  await users.update(operator, ann.id, { disabled: false })
  assertRefused(await token.get('/api/account'), 401, 'unauthorized')
})

tokens('should record its last use at most every five minutes', async () => {
  const token = await apiTokenOf(service, ann.client)
  const first = new Date(service.clock.now()).toISOString()
  await token.get('/api/account')
  service.clock.advance(5 * minuteMs)
  await token.get('/api/account')
  assert.is((await list())[0].last_used_at, first)
  service.clock.advance(1)
  await token.get('/api/account')
  assert.is((await list())[0].last_used_at, new Date(service.clock.now()).toISOString())
})

const changed = (token: string, place: number) =>
  token.slice(0, place) + (token[place] === '0' ? '1' : '0') + token.slice(place + 1)

tokens('should not work when altered, or as a cookie', async () => {
  const holder = await apiTokenOf(service, ann.client)
  const right = holder.token!
  const guest = service.client()
  for (const token of [
    changed(right, 12),
    changed(right, right.length - 1),
    right.slice(0, -1),
    `${right}0`,
    right.toUpperCase(),
    'transfer_',
  ]) {
    assert.not.ok(isWellFormed(token), token)
    guest.token = token
    assertRefused(await guest.get('/api/account'), 401, 'unauthorized')
  }
  guest.token = null
  const cookie = sessionCookie(guest, right)
  assertRefused(await guest.get('/api/account', { cookie }), 401, 'unauthorized')
})

tokens('should not gain the rights that their holder gains', async () => {
  const ann = await person(service, 'gains@example.org')
  const token = await apiTokenOf(service, ann.client, { scopes: ['read', 'send', 'manage'] })
  await service.app.services.users.update(operator, ann.id, { isAdmin: true })
  assertRefused(await token.get('/api/users'), 403, 'insufficient_scope')
})

tokens('should list the tokens of the account alone, newest first', async () => {
  await create({ name: 'first' })
  service.clock.advance(1000)
  await create({ name: 'second' })
  await apiTokenOf(service, bob.client, { name: 'of bob' })
  assert.equal(
    (await list()).map((token: { name: string }) => token.name),
    ['second', 'first'],
  )
})
