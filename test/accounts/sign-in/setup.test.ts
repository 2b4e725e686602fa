import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Client } from '../../helpers/client.ts'
import { startService, type Service } from '../../helpers/service.ts'
import { assertError, assertShape } from '../../contract/shapes.ts'

const setup = suite('setup')
const person = { email: 'first@example.org', password: 'long enough', name: 'First' }

let service: Service
let client: Client

setup.before.each(async () => {
  service = await startService({ empty: true, env: { RATE_LIMIT_LOGIN: '20/15m' } })
  client = service.client()
})
setup.after.each(async () => {
  await client.close()
  await service.stop()
})

const token = () => service.app.services.setup.token

setup('should treat all requests as signed out until it is done', async () => {
  for (const [method, path] of [
    ['GET', '/api/shares'],
    ['POST', '/api/shares/init'],
    ['POST', '/api/auth/logout'],
    ['DELETE', '/api/shares/AAAAAAAAAAAAAAAAAAAAAA'],
  ] as const) {
    assertError(await client.call(method, path), 401, 'unauthorized')
  }
  assertError(await client.post('/api/auth/login', person), 401, 'wrong_credentials')
  assertError(await client.get('/api/public/shares/AAAAAAAAAAAAAAAAAAAAAA'), 404)
})

setup('should create the administrator and sign in', async () => {
  const answer = await client.post('/api/setup', { ...person, token: token() })
  assertShape(answer.json(), { success: 'boolean', token: 'string', user: 'User' })
  assert.is(answer.json().user.is_admin, true)
  assert.is((await client.get('/api/shares')).status, 200)
  const { email, password } = person
  assert.is((await client.post('/api/auth/login', { email, password })).status, 200)
})

setup('should refuse a wrong token, and every token once an account exists', async () => {
  assertError(
    await client.post('/api/setup', { ...person, token: 'guess' }),
    403,
    'wrong_setup_token',
  )
  assert.is((await client.post('/api/setup', { ...person, token: token() })).status, 200)
  const second = { ...person, email: 'second@example.org', token: token() }
  assertError(await client.post('/api/setup', second), 409, 'already_set_up')
})

setup('should accept one of many requests at one instant', async () => {
  const answers = await Promise.all(
    [1, 2, 3, 4].map((place) =>
      client.post('/api/setup', { ...person, email: `p${place}@example.org`, token: token() }),
    ),
  )
  assert.is(answers.filter((answer) => answer.status === 200).length, 1)
  assert.is(answers.filter((answer) => answer.status === 409).length, 3)
  assert.is((await service.database.sql`select id from users`).length, 1)
})

setup('should refuse fields that are not valid', async () => {
  const table: [field: string, value: unknown][] = [
    ['token', undefined],
    ['token', 7],
    ['token', ''],
    ['email', 'no address'],
    ['password', 'seven77'],
    ['password', 'x'.repeat(257)],
    ['name', ''],
    ['name', '   '],
    ['name', 'x'.repeat(201)],
    ['name', 'a\0b'],
  ]
  for (const [field, value] of table) {
    const answer = await client.post('/api/setup', { ...person, token: token(), [field]: value })
    assertError(answer, 400, 'invalid_input')
    assert.is(answer.json().field, field)
    // Only well-formed attempts count.
  }
  assert.is((await service.database.sql`select id from users`).length, 0)
})

setup('should refuse cross-site requests', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' }
  assertError(await client.post('/api/setup', { ...person, token: token() }, headers), 403)
})

setup('should limit attempts at the token', async () => {
  for (let guess = 0; guess < 20; guess += 1) {
    assertError(await client.post('/api/setup', { ...person, token: `guess ${guess}` }), 403)
  }
  assertError(await client.post('/api/setup', { ...person, token: token() }), 429)
})

setup.run()
