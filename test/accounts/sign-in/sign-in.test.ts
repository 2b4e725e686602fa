import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError } from '../../helpers/client.ts'
import { findKnown } from '../../../src/accounts/sign-in/known-clients.ts'
import { findUserByEmail } from '../../../src/accounts/users/sql.ts'
import { Tokens } from '../../../src/accounts/sign-in/tokens.ts'
import { adminEmail, adminPassword, startService } from '../../helpers/service.ts'

const right = { email: adminEmail, password: adminPassword }
const wrong = { ...right, password: 'wrong' }

let service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
let client = service.client()

const answers = suite('sign-in: answers')

answers('should be the same for unknown, disabled and wrong credentials', async () => {
  const { sql } = service.database
  await service.user('disabled@example.org')
  await sql`update users set disabled_at = now() where email = 'disabled@example.org'`
  const disabled = { email: 'disabled@example.org', password: 'password of disabled@example.org' }
  const bodies = []
  for (const attempt of [wrong, { ...right, email: 'nobody@example.org' }, disabled]) {
    const answer = await client.post('/api/auth/login', attempt)
    assertError(answer, 401, 'wrong_credentials')
    assert.is(answer.headers['set-cookie'], undefined)
    bodies.push(answer.body.toString())
  }
  assert.is(new Set(bodies).size, 1)
})

answers('should find an email address in any case, with white space around it', async () => {
  const answer = await client.post('/api/auth/login', { ...right, email: '  ADMIN@example.ORG ' })
  assert.is(answer.status, 200)
  assert.is(answer.json().user.email, adminEmail)
})

answers('should look up clients the same way for unknown accounts', async () => {
  const work: string[] = []
  const sql = new Proxy(service.database.sql, {
    apply(target, self, [strings, ...values]: [TemplateStringsArray, ...unknown[]]) {
      const text = strings.join('?').trim()
      // What two queries share is a template too.
      if (text.startsWith('select')) work.push(text)
      return Reflect.apply(target, self, [strings, ...values])
    },
  })
  const tokens = new Tokens(service.keys, service.clock)
  const read = tokens.read.bind(tokens)
  tokens.read = (purpose, token) => {
    work.push(`reads the ${purpose} token`)
    return read(purpose, token)
  }
  const deps = { database: { ...service.database, sql }, tokens, clock: service.clock }
  const client = { ip: '192.0.2.1', deviceTokens: ['of another account'] }
  const workFor = async (email: string) => {
    const user = await findUserByEmail(sql, email)
    assert.is(await findKnown(deps, user?.id ?? null, client), null)
    return work.splice(0)
  }
  const expected = await workFor(adminEmail)
  assert.ok(expected.includes('reads the device token'))
  assert.equal(await workFor('nobody@example.org'), expected)
})

const setup = suite('setup')
const person = { email: 'first@example.org', password: 'long enough', name: 'First' }

setup.before.each(async () => {
  service = await startService({ empty: true, env: { RATE_LIMIT_LOGIN: '20/15m' } })
  client = service.client()
})
setup.after.each(() => service.stop())

const token = () => service.app.services.setup.token

setup('should refuse a wrong token, and every token once an account exists', async () => {
  for (const path of ['/api/setup/verify', '/api/setup']) {
    assertError(await client.post(path, { ...person, token: 'guess' }), 403, 'wrong_setup_token')
  }
  const verify = () => client.post('/api/setup/verify', { token: token() })
  assert.is((await verify()).status, 200)
  const answer = await client.post('/api/setup', { ...person, token: token() })
  assert.is(answer.json().user.is_admin, true)
  assert.is((await client.get('/api/shares')).status, 200)
  const second = { ...person, email: 'second@example.org', token: token() }
  assertError(await client.post('/api/setup', second), 409, 'already_set_up')
  assertError(await verify(), 409, 'already_set_up')
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

setup('should limit attempts at the token', async () => {
  for (let guess = 0; guess < 20; guess += 1) {
    assertError(await client.post('/api/setup', { ...person, token: `guess ${guess}` }), 403)
  }
  assertError(await client.post('/api/setup', { ...person, token: token() }), 429)
})
