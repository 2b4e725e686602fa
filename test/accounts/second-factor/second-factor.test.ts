import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, okay, statusesOf, type Client } from '../../helpers/client.ts'
import { startService } from '../../helpers/service.ts'
import { apiTokenOf, appOf, enableSecondFactor, enrol, newPerson, person } from '../people.ts'
import type { Person } from '../people.ts'

const enrolment = suite('second factor: enrolment')
const stepMs = 30_000
const quarterHourMs = 15 * 60_000
const hourMs = 4 * quarterHourMs
let ann: Person

const service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
enrolment.before.each(async () => {
  ann = await newPerson(service)
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
  const off = {
    enabled: false,
    hasPasskey: false,
    hasPassword: true,
    needsPasskey: false,
    required: false,
    recoveryCodesLeft: 0,
  }
  assert.equal(await status(), off)
  const answer = await setup()
  // It is not required before it is enabled.
  assert.equal(await status(), off)
  assert.is((await signIn()).json().success, true)
  const app = appOf(service, answer.json().secret)
  assert.is((await enable(app.code())).status, 200)
  assert.equal(await status(), { ...off, enabled: true, recoveryCodesLeft: 10 })
  assert.equal((await signIn()).json(), {
    requires2FA: true,
    email: ann.email,
    methods: ['code'],
  })
  service.clock.advance(stepMs)
  assert.is((await verify({ code: app.code() })).status, 200)
  service.clock.advance(stepMs)
  const disabled = await disable({ currentPassword: ann.password, code: app.code() })
  assert.equal(disabled.json(), { success: true })
  assert.equal(await status(), off)
  assert.is((await signIn()).json().success, true)
})

enrolment('should show the secret as an otpauth URI and as a QR code', async () => {
  const admin = await service.admin()
  await admin.put('/api/config', { appName: '漢'.repeat(60) })
  const label = `${'{'.repeat(60)}@${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.org`
  const long = await (await person(service, label)).client.post('/api/auth/2fa/setup')
  assert.ok(long.json().otpauthUri.length > 1300, 'the longest name and address')
  const appName = 'Ärger & <Söhne>: "Ü"'
  await admin.put('/api/config', { appName })
  const { secret, otpauthUri, qrCodeSvg } = (await setup()).json()
  assert.match(secret, /^[A-Z2-7]{32}$/)
  const uri = new URL(otpauthUri)
  assert.equal([uri.protocol, uri.host], ['otpauth:', 'totp'])
  assert.is(decodeURIComponent(uri.pathname), `/${appName}:${ann.email}`)
  assert.is(uri.searchParams.get('secret'), secret)
  assert.is(uri.searchParams.get('issuer'), appName)
  assert.match(qrCodeSvg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^>]*>.*<\/svg>$/s)
  assert.not.match(qrCodeSvg, /<script|<text|href|Söhne/)
})

enrolment('should store secret and recovery codes unreadable in the database', async () => {
  const { secret } = (await setup()).json()
  const { recoveryCodes } = (await enable(appOf(service, secret).code())).json()
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
  const first = appOf(service, (await setup()).json().secret)
  const second = appOf(service, (await setup()).json().secret)
  assertError(await enable(first.code()), 400, 'wrong_second_factor')
  const code = second.code()
  assert.is((await enable(code)).status, 200)
  assertError(await verify({ code }), 401, 'wrong_code')
  assertError(await disable({ currentPassword: ann.password, code }), 400, 'wrong_second_factor')
})

enrolment('should answer 409 in the wrong state before it checks the body', async () => {
  assertError(await enable('x'), 409, 'no_second_factor')
  for (const change of [disable, renew]) {
    assertError(await change({}), 409, 'no_second_factor')
  }
  await setup()
  for (const change of [disable, renew]) {
    assertError(await change({}), 409, 'no_second_factor')
  }
  await enrol(service, ann.client)
  assertError(await setup(), 409, 'second_factor_enabled')
  assertError(await enable('x'), 409, 'second_factor_enabled')
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

enrolment('should replace all recovery codes at once, and end no session', async () => {
  const { app, recoveryCodes: old } = await enrol(service, ann.client)
  const other = await ann.signIn()
  const token = await apiTokenOf(service, ann.client, { recoveryCode: old[9] })
  assert.is((await verify({ recoveryCode: old[0] })).status, 200)
  const renewed = await okay(renew({ currentPassword: ann.password, code: app.code() }))
  const { recoveryCodes } = renewed.json()
  assert.is(new Set([...old, ...recoveryCodes]).size, 20)
  assert.is((await status()).recoveryCodesLeft, 10)
  for (const recoveryCode of old.slice(0, 3)) {
    assertError(await verify({ recoveryCode }), 401, 'wrong_code')
  }
  assert.is((await verify({ recoveryCode: recoveryCodes[0] })).status, 200)
  assert.equal([await isAlive(other), await isAlive(token)], [true, true])
  // The code sent is used up; the app's secret is not.
  assertError(await verify({ code: app.code() }), 401, 'wrong_code')
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
  assert.equal(statusesOf(answers), [200, 400, 400, 400])
  assert.is((await status()).recoveryCodesLeft, 10)
  const { recoveryCodes } = answers.find((answer) => answer.status === 200)!.json()
  assert.is((await verify({ recoveryCode: recoveryCodes[0] })).status, 200)
})

enrolment('should accept no recovery code of an earlier enrolment', async () => {
  const { recoveryCodes: old } = await enrol(service, ann.client)
  assert.is((await disable({ currentPassword: ann.password, recoveryCode: old[1] })).status, 200)
  await enrol(service, ann.client)
  assertError(await verify({ recoveryCode: old[2] }), 401, 'wrong_code')
})

enrolment('should be enabled once of many times at one instant', async () => {
  const app = appOf(service, (await setup()).json().secret)
  const answers = await Promise.all([1, 2, 3, 4].map(() => enable(app.code())))
  assert.equal(statusesOf(answers), [200, 409, 409, 409])
})

enrolment('should leave no session without the second factor once enabled', async () => {
  const app = appOf(service, (await setup()).json().secret)
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

enrolment('should let administrators not reset their own', async () => {
  const chief = await person(service, `chief${ann.id}@example.org`, { isAdmin: true })
  await enrol(service, chief.client)
  assertError(await chief.client.post(`/api/users/${chief.id}/2fa/reset`), 409, 'own_second_factor')
  assert.is((await status(chief.client)).enabled, true)
})

const withFactor = () => enableSecondFactor(service, ann.email)

enrolment('should accept codes of one step before to one step after', async () => {
  const factor = await withFactor()
  for (const steps of [-2, 2]) assert.is((await verify({ code: factor.code(steps) })).status, 401)
  for (const steps of [-1, 1]) assert.is((await verify({ code: factor.code(steps) })).status, 200)
})

enrolment('should accept every code once, also of many at one instant', async () => {
  const factor = await withFactor()
  const code = factor.code()
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => verify({ code })))
  assert.is(answers.filter((answer) => answer.status === 200).length, 1)
  // A code of an earlier step, still within the drift, is refused too.
  assertError(await verify({ code: factor.code(-1) }), 401, 'wrong_code')
  service.clock.advance(quarterHourMs)
  assert.is((await verify({ code: factor.code() })).status, 200)
  service.clock.advance(stepMs)
  assertError(await verify({ code: factor.code(-1) }), 401, 'wrong_code')
})

enrolment('should accept codes after the clock was ahead, each once', async () => {
  const factor = await withFactor()
  service.clock.jump(24 * hourMs)
  assert.is((await verify({ code: factor.code() })).status, 200)
  service.clock.jump(-24 * hourMs)
  assert.is((await verify({ code: factor.code() })).status, 200)
  assertError(await verify({ code: factor.code() }), 401, 'wrong_code')
})

enrolment('should refuse what is no code, and a request without one', async () => {
  await withFactor()
  for (const code of [null, '', '12345a', ' 123456', '123456\n', '１２３４５６', 123456]) {
    const answer = await verify({ code })
    assertError(answer, 400, 'invalid_input')
    assert.is(answer.json().field, 'code')
  }
  assertError(await verify({ recoveryCode: '' }), 400, 'invalid_input')
})

enrolment('should accept recovery codes once, without dashes too, in any case', async () => {
  const [first = '', second = ''] = (await withFactor()).recoveryCodes
  const shouted = second.replaceAll('-', ' ').toUpperCase()
  for (const recoveryCode of [first, shouted]) {
    assert.is((await verify({ recoveryCode })).status, 200)
    assertError(await verify({ recoveryCode }), 401, 'wrong_code')
  }
})

enrolment('should refuse all codes while the second factor is off, and of others', async () => {
  const factor = await withFactor()
  await service.user(`other${ann.id}@example.org`)
  const other = await enableSecondFactor(service, `other${ann.id}@example.org`)
  assertError(await verify({ code: other.code() }), 401, 'wrong_code')
  await service.database.sql`update second_factors set enabled_at = null where user_id = ${ann.id}`
  const [recoveryCode] = factor.recoveryCodes
  assertError(await verify({ recoveryCode }), 401, 'wrong_code')
  assertError(await verify({ code: factor.code() }), 401, 'wrong_code')
  assert.is((await signIn()).json().success, true)
})

enrolment('should check five wrong codes of an account, and count no successes', async () => {
  const factor = await withFactor()
  assert.is((await verify({ code: factor.code(-1) })).status, 200)
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => verify({ code: factor.code(9) })),
  )
  assert.is(answers.filter((answer) => answer.status === 401).length, 5)
  // Another case of its address is the same account.
  const refused = await verify({ email: ann.email.toUpperCase(), code: factor.code() })
  assertError(refused, 429, 'rate_limited')
  assert.is(refused.headers['retry-after'], '900')
  service.clock.advance(quarterHourMs)
  assert.is((await verify({ code: factor.code() })).status, 200)
})
