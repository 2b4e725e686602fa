import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Passwords } from '../../../src/accounts/passwords/passwords.ts'
import { Permits } from '../../../src/lib/permits.ts'
import type { Client } from '../../helpers/client.ts'
import { adminEmail, adminPassword, startService, type Service } from '../../helpers/service.ts'
import { assertError } from '../../contract/shapes.ts'

const minuteMs = 60_000
const right = { email: adminEmail, password: adminPassword }
const wrong = { ...right, password: 'wrong' }

let service: Service
let client: Client

async function start(env: Record<string, string> = {}): Promise<void> {
  service = await startService({ env })
  client = service.client()
}
async function stop(): Promise<void> {
  await client.close()
  await service.stop()
}

// ---

const limit = suite('sign-in: rate limit')
limit.before(() => start())
limit.after(stop)
limit.before.each(() => service.clock.advance(15 * minuteMs + 1))

limit('should answer the sixth attempt with 429, Retry-After and RateLimit fields', async () => {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    assertError(await client.post('/api/auth/login', wrong), 401, 'wrong_credentials')
    service.clock.advance(minuteMs)
  }
  const refused = await client.post('/api/auth/login', right)
  assertError(refused, 429, 'rate_limited')
  assert.is(refused.headers['retry-after'], String(10 * 60))
  assert.is(refused.headers['ratelimit-limit'], '5')
  assert.is(refused.headers['ratelimit-remaining'], '0')
  assert.is(refused.headers['ratelimit-reset'], String(14 * 60))
})

limit('should count successful attempts too', async () => {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    assert.is((await client.post('/api/auth/login', right)).status, 200)
  }
  assertError(await client.post('/api/auth/login', right), 429)
})

limit('should admit an attempt again exactly one window after the first', async () => {
  await client.post('/api/auth/login', wrong)
  service.clock.advance(minuteMs)
  for (let attempt = 0; attempt < 4; attempt += 1) await client.post('/api/auth/login', wrong)
  service.clock.advance(14 * minuteMs - 1)
  assertError(await client.post('/api/auth/login', right), 429)
  service.clock.advance(1)
  assert.is((await client.post('/api/auth/login', right)).status, 200)
  assertError(await client.post('/api/auth/login', right), 429)
})

limit('should admit at most five attempts in any window', async () => {
  const passedAt: number[] = []
  for (let step = 0; step < 90; step += 1) {
    service.clock.advance((step % 7) * 20_000)
    const answer = await client.post('/api/auth/login', wrong)
    if (answer.status !== 429) passedAt.push(service.clock.monotonic())
  }
  assert.ok(passedAt.length > 5, 'more than one window was seen')
  for (const start of passedAt) {
    const inWindow = passedAt.filter((at) => at >= start && at < start + 15 * minuteMs)
    assert.ok(inWindow.length <= 5, `${inWindow.length} attempts in one window`)
  }
})

limit('should admit five of twenty attempts at one instant', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => client.post('/api/auth/login', wrong)),
  )
  assert.is(answers.filter((answer) => answer.status === 401).length, 5)
  assert.is(answers.filter((answer) => answer.status === 429).length, 15)
})

limit('should ignore the headers of proxies that it does not trust', async () => {
  const forged = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'client-ip', 'x-client-ip']
  for (let attempt = 0; attempt < 5; attempt += 1) await client.post('/api/auth/login', wrong)
  for (const [place, name] of forged.entries()) {
    const answer = await client.post('/api/auth/login', right, { [name]: `203.0.113.${place}` })
    assertError(answer, 429)
  }
})

// ---

const answers = suite('sign-in: answers')
answers.before(() => start({ RATE_LIMIT_LOGIN: 'off' }))
answers.after(stop)

answers('should be the same for unknown, disabled and wrong credentials', async () => {
  const { sql } = service.database
  const user = await service.user('disabled@example.org')
  await user.close()
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

const badFields: [name: string, value: unknown][] = [
  ['email', undefined],
  ['email', null],
  ['email', 7],
  ['email', ['a@example.org']],
  ['email', { toString: 'a@example.org' }],
  ['email', ''],
  ['email', 'no address'],
  ['email', 'a@b@c'],
  ['email', `${'a'.repeat(250)}@example.org`],
  ['email', 'a\0@example.org'],
  ['email', 'a\ud800@example.org'],
  ['password', undefined],
  ['password', null],
  ['password', 7],
  ['password', true],
  ['password', ['x']],
  ['password', 'x'.repeat(257)],
  ['password', 'x\0'],
  ['password', '\udfff'],
]

for (const path of ['/api/auth/login', '/api/auth/verify-2fa']) {
  for (const [name, value] of badFields) {
    answers(`should refuse ${name} ${JSON.stringify(value)?.slice(0, 40)} at ${path}`, async () => {
      const answer = await client.post(path, { ...right, code: '123456', [name]: value })
      assertError(answer, 400, 'invalid_input')
      assert.is(answer.json().field, name)
    })
  }
}

// ---

/** Counts password hashes computed while `run` runs: each takes one turn. */
async function countHashes(run: () => Promise<unknown>): Promise<number> {
  const original = Object.getOwnPropertyDescriptor(Permits.prototype, 'run')!
  let count = 0
  const counting = function (this: unknown, ...call: unknown[]): unknown {
    if (typeof call[1] === 'object') count += 1
    return original.value.apply(this, call)
  }
  Object.defineProperty(Permits.prototype, 'run', { ...original, value: counting })
  try {
    await run()
  } finally {
    Object.defineProperty(Permits.prototype, 'run', original)
  }
  return count
}

const work = suite('sign-in: work')
work.before(() => start({ RATE_LIMIT_LOGIN: 'off' }))
work.after(stop)

work('should be the same for an unknown account from the first request on', async () => {
  const known = new Passwords()
  const hash = await new Passwords().hash('right')
  const counts = []
  counts.push(await countHashes(() => known.matches(hash, 'wrong')))
  counts.push(await countHashes(() => new Passwords().matches(null, 'wrong')))
  assert.is(counts[0], counts[1])
})

work('should be one hash for every attempt, for any account', async () => {
  await client.post('/api/auth/login', wrong)
  const attempts = [right, wrong, { ...right, email: 'nobody@example.org' }]
  for (const attempt of attempts) {
    assert.is(await countHashes(() => client.post('/api/auth/login', attempt)), 1, attempt.email)
    const body = { ...attempt, code: '000000' }
    assert.is(await countHashes(() => client.post('/api/auth/verify-2fa', body)), 1)
  }
})

limit.run()
answers.run()
work.run()
