import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Client } from '../../helpers/client.ts'
import { enableSecondFactor, totp, type EnabledSecondFactor } from '../../helpers/second-factor.ts'
import { adminEmail, adminPassword, startService, type Service } from '../../helpers/service.ts'
import { assertError } from '../../contract/shapes.ts'

const factors = suite('second factor')
const stepMs = 30_000
const path = '/api/auth/verify-2fa'

let service: Service
let client: Client
let factor: EnabledSecondFactor
let account: { email: string; password: string }
let accounts = 0

factors.before(async () => {
  service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
  client = service.client()
})
factors.after(async () => {
  await client.close()
  await service.stop()
})
factors.before.each(async () => {
  accounts += 1
  const email = `person${accounts}@example.org`
  account = { email, password: `password of ${email}` }
  await (await service.user(email)).close()
  factor = await enableSecondFactor(service, email)
  client.cookies.clear()
  // Restores the limits of earlier tests; computes codes at the start of their step.
  service.clock.advance(16 * 60_000)
  service.clock.advance(stepMs - (service.clock.now() % stepMs))
})

const useCode = (code: unknown) => client.post(path, { ...account, code })
const useRecovery = (recoveryCode: unknown) => client.post(path, { ...account, recoveryCode })

factors('should agree with the examples of RFC 6238 (the oracle of these tests)', () => {
  const secret = Buffer.from('12345678901234567890')
  assert.is(totp(secret, Math.floor(59 / 30)), '287082')
  assert.is(totp(secret, Math.floor(1_111_111_109 / 30)), '081804')
  assert.is(totp(secret, Math.floor(20_000_000_000 / 30)), '353130')
})

factors('should sign in with the current code, and set the cookie', async () => {
  const answer = await useCode(factor.code())
  assert.is(answer.status, 200)
  assert.is(answer.json().user.email, account.email)
  assert.match(String(answer.headers['set-cookie']), /^transfer_session_[\w-]{8}=/)
  assert.is((await client.get('/api/shares')).status, 200)
})

for (const [steps, status] of [
  [-2, 401],
  [-1, 200],
  [1, 200],
  [2, 401],
] as const) {
  factors(`should answer ${status} to a code of ${steps} steps from now`, async () => {
    assert.is((await useCode(factor.code(steps))).status, status)
  })
}

factors('should accept every code once', async () => {
  const code = factor.code()
  assert.is((await useCode(code)).status, 200)
  assertError(await useCode(code), 401, 'wrong_code')
  // A code of an earlier step, still within the drift, is refused too.
  assertError(await useCode(factor.code(-1)), 401, 'wrong_code')
  service.clock.advance(stepMs)
  assertError(await useCode(code), 401, 'wrong_code')
  assert.is((await useCode(factor.code())).status, 200)
})

factors('should accept one of many uses at one instant', async () => {
  const code = factor.code()
  const answers = await Promise.all(Array.from({ length: 5 }, () => useCode(code)))
  assert.is(answers.filter((answer) => answer.status === 200).length, 1)
})

factors('should not use up a code when the password is wrong', async () => {
  const attempt = { ...account, password: 'wrong', code: factor.code() }
  assertError(await client.post(path, attempt), 401, 'wrong_code')
  assert.is((await useCode(factor.code())).status, 200)
})

for (const code of [
  '',
  '12345',
  '1234567',
  '12345a',
  ' 123456',
  '123456\n',
  '１２３４５６',
  123456,
  [],
]) {
  factors(`should refuse ${JSON.stringify(code)} as a code`, async () => {
    const answer = await useCode(code)
    assertError(answer, 400, 'invalid_input')
    assert.is(answer.json().field, 'code')
  })
}

factors('should refuse a request with neither code', async () => {
  assertError(await client.post(path, account), 400, 'invalid_input')
  assertError(await client.post(path, { ...account, code: null }), 400, 'invalid_input')
})

factors('should accept every recovery code once, with or without dashes, in any case', async () => {
  const [first = '', second = ''] = factor.recoveryCodes
  assert.is((await useRecovery(first)).status, 200)
  assertError(await useRecovery(first), 401, 'wrong_code')
  assert.is((await useRecovery(second.replaceAll('-', ' ').toUpperCase())).status, 200)
  assertError(await useRecovery(second), 401, 'wrong_code')
  assertError(await useRecovery('zzzz-zzzz-zzzz'), 401, 'wrong_code')
})

for (const code of ['', 'x'.repeat(101), 7, 'a\0b']) {
  factors(`should refuse ${JSON.stringify(code).slice(0, 30)} as a recovery code`, async () => {
    assertError(await useRecovery(code), 400)
  })
}

factors('should refuse recovery codes while the second factor is off', async () => {
  const { sql } = service.database
  await sql`update second_factors set enabled_at = null`
  assertError(await useRecovery(factor.recoveryCodes[0]), 401, 'wrong_code')
  assertError(await useCode(factor.code()), 401, 'wrong_code')
  const login = await client.post('/api/auth/login', account)
  assert.is(login.json().success, true)
})

factors('should refuse the codes of another account', async () => {
  await (await service.user(`other${accounts}@example.org`)).close()
  const other = await enableSecondFactor(service, `other${accounts}@example.org`)
  assertError(await useCode(other.code()), 401, 'wrong_code')
})

factors('should answer 401 for an account without a second factor', async () => {
  const admin = { email: adminEmail, password: adminPassword }
  assertError(await client.post(path, { ...admin, code: '123456' }), 401)
  assertError(await client.post(path, { ...admin, recoveryCode: 'abcd' }), 401)
})

factors('should refuse an account after five failures, and count no successes', async () => {
  assert.is((await useCode(factor.code(-1))).status, 200)
  for (let failure = 0; failure < 5; failure += 1) {
    assertError(await useCode(factor.code(5)), 401)
  }
  const refused = await useCode(factor.code())
  assertError(refused, 429, 'rate_limited')
  assert.is(refused.headers['retry-after'], '900')
  // Another case of its address is the same account.
  const shouted = { ...account, email: account.email.toUpperCase(), code: factor.code() }
  assertError(await client.post(path, shouted), 429)
  service.clock.advance(15 * 60_000)
  assert.is((await useCode(factor.code())).status, 200)
})

factors('should check at most five of many attempts at one instant', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => useCode(factor.code(9))))
  assert.is(answers.filter((answer) => answer.status === 401).length, 5)
  assert.is(answers.filter((answer) => answer.status === 429).length, 7)
})

factors.run()
