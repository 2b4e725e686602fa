// The second factor: enrolment, and signing in with it.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError } from '../../contract/shapes.ts'
import type { Client } from '../../helpers/client.ts'
import { type EnabledSecondFactor, enableSecondFactor } from '../../helpers/second-factor.ts'
import { type Service, startService } from '../../helpers/service.ts'
import { apiTokenOf, App, assertRefused, enrol, person, type Person } from '../people.ts'

const enrolment = suite('second factor: enrolment')
const stepMs = 30_000
const quarterHourMs = 15 * 60_000
let service: Service
let ann: Person
let made = 0

enrolment.before(async () => {
  service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
})
enrolment.after(() => service.stop())
enrolment.before.each(async () => {
  made += 1
  ann = await person(service, `ann${made}@example.org`)
  // Restores the limits of earlier tests; computes codes at the start of their step.
  service.clock.advance(quarterHourMs + 1)
  service.clock.advance(stepMs - (service.clock.now() % stepMs))
})

const setup = () => ann.client.post('/api/auth/2fa/setup')
const enable = (code: unknown, client = ann.client) =>
  client.post('/api/auth/2fa/enable', { currentPassword: ann.password, code })
const disable = (json: object) => ann.client.post('/api/auth/2fa/disable', json)
const renew = (json: object) => ann.client.post('/api/auth/2fa/recovery-codes', json)
const status = async (client = ann.client) => (await client.get('/api/auth/2fa/status')).json()
const signIn = () =>
  service.client().post('/api/auth/login', { email: ann.email, password: ann.password })
const verify = (proof: object) =>
  service
    .client()
    .post('/api/auth/verify-2fa', { email: ann.email, password: ann.password, ...proof })
const isAlive = async (client: Client) => (await client.get('/api/account')).status === 200

enrolment('should set up, enable, sign in with a code and disable', async () => {
  assert.equal(await status(), {
    enabled: false,
    hasPasskey: false,
    hasPassword: true,
    required: false,
    recoveryCodesLeft: 0,
  })
  const answer = await setup()
  assert.is(answer.status, 200)
  assert.equal(Object.keys(answer.json()), ['secret', 'otpauthUri', 'qrCodeSvg', 'qrCode'])
  // It is not required before it is enabled.
  assert.is((await status()).enabled, false)
  assert.is((await signIn()).json().success, true)
  const app = new App(service, answer.json().secret)
  const enabled = await enable(app.code())
  assert.is(enabled.status, 200)
  assert.equal(Object.keys(enabled.json()), ['success', 'recoveryCodes', 'backupCodes'])
  assert.equal(await status(), {
    enabled: true,
    hasPasskey: false,
    hasPassword: true,
    required: false,
    recoveryCodesLeft: 10,
  })
  assert.equal((await signIn()).json(), {
    requires2FA: true,
    email: ann.email,
    methods: ['code'],
  })
  service.clock.advance(stepMs)
  assert.is((await verify({ code: app.code() })).status, 200)
  service.clock.advance(stepMs)
  const off = await disable({ currentPassword: ann.password, code: app.code() })
  assert.equal([off.status, off.json()], [200, { success: true }])
  assert.equal(await status(), {
    enabled: false,
    hasPasskey: false,
    hasPassword: true,
    required: false,
    recoveryCodesLeft: 0,
  })
  assert.is((await signIn()).json().success, true)
})

enrolment('should show the secret as an otpauth URI and as a QR code', async () => {
  const admin = await service.admin()
  await admin.call('PUT', '/api/config', { json: { appName: '漢'.repeat(60) } })
  const label = `${'{'.repeat(60)}@${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.org`
  const long = await (await person(service, label)).client.post('/api/auth/2fa/setup')
  assert.ok(long.json().otpauthUri.length > 1300, 'the longest name and address')
  const appName = 'Ärger & <Söhne>: "Ü"'
  await admin.call('PUT', '/api/config', { json: { appName } })
  const { secret, otpauthUri, qrCodeSvg } = (await setup()).json()
  assert.match(secret, /^[A-Z2-7]{32}$/)
  const uri = new URL(otpauthUri)
  assert.equal([uri.protocol, uri.host], ['otpauth:', 'totp'])
  assert.is(decodeURIComponent(uri.pathname), `/${appName}:${ann.email}`)
  assert.is(uri.searchParams.get('secret'), secret)
  assert.is(uri.searchParams.get('issuer'), appName)
  for (const [name, usual] of [
    ['algorithm', 'SHA1'],
    ['digits', '6'],
    ['period', '30'],
  ] as const) {
    assert.is(uri.searchParams.get(name) ?? usual, usual)
  }
  assert.match(qrCodeSvg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^>]*>.*<\/svg>$/s)
  assert.not.match(qrCodeSvg, /<script|<text|href|Söhne/)
})

enrolment('should store secret and recovery codes unreadable in the database', async () => {
  const { secret } = (await setup()).json()
  const { recoveryCodes } = (await enable(new App(service, secret).code())).json()
  assert.is(recoveryCodes.length, 10)
  assert.is(new Set(recoveryCodes).size, 10)
  for (const code of recoveryCodes) assert.match(code, /^([a-z2-7]{4}-){3}[a-z2-7]{4}$/)
  const { sql } = service.database
  const rows = await sql`
    select encode(secret_sealed, 'escape') as sealed, encode(code_hash, 'escape') as hash
    from second_factors join recovery_codes using (user_id)
    where user_id = ${ann.id}`
  assert.is(rows.length, 10)
  const text = JSON.stringify(rows)
  for (const plain of [secret, ...recoveryCodes.map((code: string) => code.replaceAll('-', ''))]) {
    assert.not.ok(text.includes(plain))
  }
  assert.not.ok(service.logLines.join('').includes(secret))
})

enrolment('should accept the secret of the last setup only, and each code once', async () => {
  const first = new App(service, (await setup()).json().secret)
  const second = new App(service, (await setup()).json().secret)
  for (const code of ['', '12345', '12345a', '１２３４５６', 123456, null]) {
    assertRefused(await enable(code), 400, 'invalid_input')
  }
  assertRefused(await enable(first.code()), 400, 'wrong_second_factor')
  const code = second.code()
  assert.is((await enable(code)).status, 200)
  assertRefused(await verify({ code }), 401, 'wrong_code')
  const again = await disable({ currentPassword: ann.password, code })
  assertRefused(again, 400, 'wrong_second_factor')
})

// ---

enrolment('should answer 409 in the wrong state before it checks the body', async () => {
  assertRefused(await enable('x'), 409, 'no_second_factor')
  for (const change of [disable, renew]) {
    assertRefused(await change({}), 409, 'no_second_factor')
  }
  await setup()
  for (const change of [disable, renew]) {
    assertRefused(await change({}), 409, 'no_second_factor')
  }
  await enrol(service, ann.client)
  assertRefused(await setup(), 409, 'second_factor_enabled')
  assertRefused(await enable('x'), 409, 'second_factor_enabled')
})

enrolment('should end all other sessions and API tokens when enabled or disabled', async () => {
  const sessions = async (proof: object = {}) => [
    await ann.signIn(),
    await apiTokenOf(service, ann.client, proof),
  ]
  const alive = (clients: Client[]) => Promise.all(clients.map(isAlive))
  const before = await sessions()
  await setup()
  await enable('000000')
  assert.equal(await alive(before), [true, true])
  const { app, recoveryCodes } = await enrol(service, ann.client)
  assert.equal(await alive(before), [false, false])
  const between = await sessions({ recoveryCode: recoveryCodes[9] })
  assert.is((await disable({ currentPassword: ann.password, code: app.code() })).status, 200)
  assert.equal(await alive(between), [false, false])
  assert.ok(await isAlive(ann.client))
})

for (const [what, change] of [
  ['disabled', disable],
  ['given new recovery codes', renew],
] as const) {
  enrolment(`should require password and code to be ${what}`, async () => {
    const { app, recoveryCodes } = await enrol(service, ann.client)
    const { password } = ann
    assertRefused(await change({ code: app.code() }), 400, 'invalid_input')
    assertRefused(await change({ currentPassword: password }), 400, 'invalid_input')
    assertRefused(await change({ currentPassword: password, code: 'x' }), 400, 'invalid_input')
    const [recoveryCode] = recoveryCodes
    const wrongPassword = { currentPassword: 'wrong', code: app.code() }
    assertRefused(await change(wrongPassword), 400, 'wrong_current_password')
    const wrongCode = { currentPassword: password, code: app.code(7) }
    assertRefused(await change(wrongCode), 400, 'wrong_second_factor')
    assert.equal(await status(), {
      enabled: true,
      hasPasskey: false,
      hasPassword: true,
      required: false,
      recoveryCodesLeft: 10,
    })
    // None of these attempts used anything up.
    assert.is((await verify({ code: app.code() })).status, 200)
    assert.is((await change({ currentPassword: password, recoveryCode })).status, 200)
  })
}

enrolment('should replace all recovery codes at once, and end no session', async () => {
  const { app, recoveryCodes: old } = await enrol(service, ann.client)
  const other = await ann.signIn()
  const token = await apiTokenOf(service, ann.client, { recoveryCode: old[9] })
  assert.is((await verify({ recoveryCode: old[0] })).status, 200)
  const renewed = await renew({ currentPassword: ann.password, code: app.code() })
  assert.is(renewed.status, 200)
  assert.equal(Object.keys(renewed.json()), ['success', 'recoveryCodes', 'backupCodes'])
  const { recoveryCodes } = renewed.json()
  assert.is(new Set([...old, ...recoveryCodes]).size, 20)
  assert.equal(await status(), {
    enabled: true,
    hasPasskey: false,
    hasPassword: true,
    required: false,
    recoveryCodesLeft: 10,
  })
  for (const recoveryCode of old.slice(0, 3)) {
    assertRefused(await verify({ recoveryCode }), 401, 'wrong_code')
  }
  assert.is((await verify({ recoveryCode: recoveryCodes[0] })).status, 200)
  assert.equal([await isAlive(other), await isAlive(token)], [true, true])
  // The code sent is used up; the app's secret is not.
  assertRefused(await verify({ code: app.code() }), 401, 'wrong_code')
  service.clock.advance(stepMs)
  assert.is((await verify({ code: app.code() })).status, 200)
})

enrolment('should leave ten codes after many renewals at one instant', async () => {
  const { recoveryCodes: old } = await enrol(service, ann.client)
  const { password: currentPassword } = ann
  const answers = await Promise.all(
    old.slice(0, 4).map((recoveryCode) => renew({ currentPassword, recoveryCode })),
  )
  // The first renewal replaces the codes that the others sent.
  assert.equal(
    answers.map((answer) => answer.status).toSorted((a, b) => a - b),
    [200, 400, 400, 400],
  )
  assert.is((await status()).recoveryCodesLeft, 10)
  const { recoveryCodes } = answers.find((answer) => answer.status === 200)!.json()
  assert.is((await verify({ recoveryCode: recoveryCodes[0] })).status, 200)
})

enrolment('should accept each recovery code once, and none of an earlier enrolment', async () => {
  const { recoveryCodes: old } = await enrol(service, ann.client)
  assert.is((await verify({ recoveryCode: old[0] })).status, 200)
  assertRefused(await verify({ recoveryCode: old[0] }), 401, 'wrong_code')
  assert.is((await status()).recoveryCodesLeft, 9)
  const off = await disable({ currentPassword: ann.password, recoveryCode: old[1] })
  assert.is(off.status, 200)
  const { recoveryCodes } = await enrol(service, ann.client)
  assertRefused(await verify({ recoveryCode: old[2] }), 401, 'wrong_code')
  assert.is((await verify({ recoveryCode: recoveryCodes[0]!.toUpperCase() })).status, 200)
})

enrolment('should limit attempts at codes by session here, and together with sign-in', async () => {
  const { app } = await enrol(service, ann.client)
  const attempt = { currentPassword: ann.password, code: app.code(7) }
  for (let n = 0; n < 3; n += 1) {
    const change = n === 0 ? renew : disable
    assertRefused(await change(attempt), 400, 'wrong_second_factor')
  }
  for (let n = 0; n < 2; n += 1)
    assertRefused(await verify({ code: app.code(7) }), 401, 'wrong_code')
  assertRefused(await verify({ code: app.code() }), 429, 'rate_limited')
  for (const change of [disable, renew]) {
    assertRefused(await change(attempt), 400, 'wrong_second_factor')
  }
  const right = { currentPassword: ann.password, code: app.code() }
  for (const change of [disable, renew]) {
    assertRefused(await change(right), 429, 'rate_limited')
  }
  service.clock.advance(quarterHourMs)
  assert.is((await disable({ ...right, code: app.code() })).status, 200)
})

enrolment('should be enabled once of many times at one instant', async () => {
  const app = new App(service, (await setup()).json().secret)
  const answers = await Promise.all([1, 2, 3, 4].map(() => enable(app.code())))
  assert.equal(
    answers.map((answer) => answer.status).toSorted((a, b) => a - b),
    [200, 409, 409, 409],
  )
  const { recoveryCodes } = answers.find((answer) => answer.status === 200)!.json()
  assert.is((await verify({ recoveryCode: recoveryCodes[9] })).status, 200)
})

enrolment('should leave no session without the second factor once enabled', async () => {
  const app = new App(service, (await setup()).json().secret)
  const [enabled, ...logins] = await Promise.all([
    enable(app.code()),
    ...Array.from({ length: 4 }, signIn),
  ])
  assert.is(enabled.status, 200)
  for (const login of logins) {
    if (login.json().requires2FA || login.status === 401) continue
    const client = service.client()
    client.token = login.json().token
    assert.not.ok(await isAlive(client))
  }
  assert.is((await ann.client.get('/api/account/sessions')).json().length, 1)
})

// ---

enrolment('should let an administrator reset it for a user who has lost it', async () => {
  const admin = await service.admin()
  const { app } = await enrol(service, ann.client)
  const token = await apiTokenOf(service, ann.client, { code: app.code() })
  const reset = await admin.post(`/api/users/${ann.id}/2fa/reset`)
  assert.equal([reset.status, reset.json()], [200, { success: true }])
  assert.equal([await isAlive(ann.client), await isAlive(token)], [false, false])
  const login = await signIn()
  assert.is(login.json().success, true)
  // Without a second factor there is nothing to reset, and no session ends.
  assert.is((await admin.post(`/api/users/${ann.id}/2fa/reset`)).status, 200)
  const client = service.client()
  client.token = login.json().token
  assert.ok(await isAlive(client))
})

enrolment('should let only administrators reset it, and not their own', async () => {
  const chief = await person(service, `chief${made}@example.org`, { isAdmin: true })
  await enrol(service, chief.client)
  const own = await chief.client.post(`/api/users/${chief.id}/2fa/reset`)
  assertRefused(own, 409, 'own_second_factor')
  for (const id of [ann.id, chief.id, 999_999]) {
    const answer = await ann.client.post(`/api/users/${id}/2fa/reset`)
    assertRefused(answer, 403, 'forbidden')
  }
  for (const id of ['999999', '0', '-1', 'abc', '99999999999']) {
    assertRefused(await chief.client.post(`/api/users/${id}/2fa/reset`), 404, 'not_found')
  }
  assert.is((await status(chief.client)).enabled, true)
})

// ---

const factors = suite('second factor')
const path = '/api/auth/verify-2fa'

let client: Client
let factor: EnabledSecondFactor
let account: { email: string; password: string }
let accounts = 0

factors.before(async () => {
  service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
  client = service.client()
})
factors.after(() => service.stop())
factors.before.each(async () => {
  accounts += 1
  const email = `person${accounts}@example.org`
  account = { email, password: `password of ${email}` }
  await service.user(email)
  factor = await enableSecondFactor(service, email)
  client.cookies.clear()
  // Restores the limits of earlier tests; computes codes at the start of their step.
  service.clock.advance(16 * 60_000)
  service.clock.advance(stepMs - (service.clock.now() % stepMs))
})

const useCode = (code: unknown) => client.post(path, { ...account, code })
const useRecovery = (recoveryCode: unknown) => client.post(path, { ...account, recoveryCode })

factors('should sign in with the current code, and set the cookie', async () => {
  const answer = await useCode(factor.code())
  assert.is(answer.status, 200)
  assert.is(answer.json().user.email, account.email)
  assert.match(String(answer.headers['set-cookie']), /^transfer_session_[\w-]{8}=/)
  assert.is((await client.get('/api/shares')).status, 200)
})

factors('should accept codes of one step before to one step after', async () => {
  for (const steps of [-2, 2]) assert.is((await useCode(factor.code(steps))).status, 401)
  for (const steps of [-1, 1]) assert.is((await useCode(factor.code(steps))).status, 200)
})

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

factors('should refuse what is no code, and a request without one', async () => {
  for (const code of ['', '12345', '12345a', ' 123456', '123456\n', '１２３４５６', 123456, []]) {
    const answer = await useCode(code)
    assertError(answer, 400, 'invalid_input')
    assert.is(answer.json().field, 'code')
  }
  for (const code of ['', 'x'.repeat(101), 7, 'a\0b']) assertError(await useRecovery(code), 400)
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

factors('should refuse recovery codes while the second factor is off', async () => {
  const { sql } = service.database
  await sql`update second_factors set enabled_at = null`
  assertError(await useRecovery(factor.recoveryCodes[0]), 401, 'wrong_code')
  assertError(await useCode(factor.code()), 401, 'wrong_code')
  const login = await client.post('/api/auth/login', account)
  assert.is(login.json().success, true)
})

factors('should refuse the codes of another account', async () => {
  await service.user(`other${accounts}@example.org`)
  const other = await enableSecondFactor(service, `other${accounts}@example.org`)
  assertError(await useCode(other.code()), 401, 'wrong_code')
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
