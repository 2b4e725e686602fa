import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, okay, sessionCookie } from '../../helpers/client.ts'
import { isWellFormed } from '../../../src/accounts/api-tokens/api-tokens.ts'
import { startService } from '../../helpers/service.ts'
import { apiTokenInput, apiTokenOf, assertNoSecrets, newPerson, type Person } from '../people.ts'

const tokens = suite('API tokens')
const minuteMs = 60_000
let ann: Person
let bob: Person

const service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
tokens.before.each(async () => {
  ann = await newPerson(service)
  bob = await newPerson(service, 'bob')
})

const create = async (json: object) =>
  ann.client.post('/api/tokens', await apiTokenInput(ann.client, json))
const list = async (client = ann.client) => (await client.get('/api/tokens')).json()

tokens('should show a token once, when it is created, and store only its hash', async () => {
  const { success, token, ...shown } = (await okay(create({ name: '  Nightly backup ' }))).json()
  assert.is(success, true)
  assert.match(token, /^transfer_[0-9a-f]{72}$/)
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

tokens('should refuse wrong scopes, those of administrators, and a past expiry', async () => {
  const expiresAt = new Date(service.clock.now() - 1).toISOString()
  for (const wrong of [[], ['read', 'everything'], ['administer'], ['metrics']]) {
    assertError(await create({ scopes: wrong }), 400, 'invalid_input')
  }
  assertError(await create({ expiresAt }), 400, 'invalid_input')
  assert.equal(await list(), [])
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
  assertError(await create({ name: 'x' }), 409, 'too_many_tokens')
  assert.is((await list()).length, 100)
})

tokens('should work as Bearer like a session, before a cookie, and show its last use', async () => {
  const token = await apiTokenOf(service, ann.client)
  const shareId = await token.share({ 'a.txt': 'sent by a script' })
  assert.is((await token.get('/api/shares')).json()[0].id, shareId)
  assert.is((await list())[0].last_used_at, new Date(service.clock.now()).toISOString())
  const browser = service.client()
  await browser.post('/api/auth/login', { email: bob.email, password: bob.password })
  browser.token = token.token
  assert.is((await browser.get('/api/account')).json().email, ann.email)
})

tokens('should end when its owner, and only its owner, deletes it', async () => {
  const token = await apiTokenOf(service, ann.client)
  const [{ id }] = await list()
  assertError(await bob.client.delete(`/api/tokens/${id}`), 404, 'not_found')
  const admin = await service.admin()
  assertError(await admin.delete(`/api/tokens/${id}`), 404, 'not_found')
  assert.is((await token.get('/api/account')).status, 200)
  assert.is((await ann.client.delete(`/api/tokens/${id}`)).status, 200)
  assertError(await token.get('/api/account'), 401, 'unauthorized')
  assertError(await ann.client.delete(`/api/tokens/${id}`), 404, 'not_found')
})

tokens('should expire on time, and be removed then', async () => {
  const expiresAt = new Date(service.clock.now() + 10 * minuteMs).toISOString()
  const token = await apiTokenOf(service, ann.client, { expiresAt })
  assert.is((await list())[0].expires_at, expiresAt)
  service.clock.advance(10 * minuteMs - 1)
  assert.is((await token.get('/api/account')).status, 200)
  service.clock.advance(1)
  assertError(await token.get('/api/account'), 401, 'unauthorized')
  await service.app.services.auth.removeEndedSessions()
  assert.equal(await list(), [])
})

const changed = (token: string, place: number) =>
  token.slice(0, place) + (token[place] === '0' ? '1' : '0') + token.slice(place + 1)

tokens('should not work when altered, or as a cookie', async () => {
  const right = (await apiTokenOf(service, ann.client)).token!
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
    assertError(await guest.get('/api/account'), 401, 'unauthorized')
  }
  guest.token = null
  const cookie = sessionCookie(guest, right)
  assertError(await guest.get('/api/account', { cookie }), 401, 'unauthorized')
})

tokens('should show their last use, although the clock was ahead before', async () => {
  const holder = await apiTokenOf(service, ann.client)
  service.clock.jump(24 * 60 * minuteMs)
  await okay(holder.get('/api/account'))
  service.clock.jump(-24 * 60 * minuteMs)
  await okay(holder.get('/api/account'))
  assert.is((await list())[0].last_used_at, new Date(service.clock.now()).toISOString())
})
