// A stolen session must neither become permanent nor lock the owner out.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startMailServer, useMailServer } from '../../email/mail-server.ts'
import { assertError, okay, type Answer, type Client } from '../../helpers/client.ts'
import { adminPassword, startService } from '../../helpers/service.ts'
import { appOf, enrol, makeApiToken, newPerson, person, type Person } from '../people.ts'

const confirmation = suite('account: confirmation')
const quarterHourMs = 15 * 60_000
let ann: Person

const service = await startService()
const server = await startMailServer()
const admin = await service.admin()
await useMailServer(admin, server.port)
confirmation.before.each(async () => {
  ann = await newPerson(service)
  await service.app.services.emails.idle()
  server.received.length = 0
  service.clock.advance(quarterHourMs + 1)
})

/** The notice of a change, and its request without the proof. */
type Change = readonly [notice: string, send: (proof: object) => Promise<Answer>]

const changes: Record<string, Change> = {
  'another email address': [
    'The email address of your account was changed',
    (proof) => ann.client.patch('/api/account', { email: `new${ann.id}@example.org`, ...proof }),
  ],
  'an API token': [
    'An API token was created for your account',
    (proof) =>
      ann.client.post('/api/tokens', { name: 'x', scopes: ['read'], expiresAt: null, ...proof }),
  ],
  'another password': [
    'Your password was changed',
    (proof) =>
      ann.client.post('/api/account/password', { newPassword: 'quite another one', ...proof }),
  ],
  'the end of the account': [
    'Your account was deleted',
    (proof) => ann.client.call('DELETE', '/api/account', { json: proof }),
  ],
}
/** There is nothing to change without a second factor. */
const changesOfFactor: Record<string, Change> = {
  'the end of the second factor': [
    'Two-step sign-in was turned off for your account',
    (proof) => ann.client.post('/api/auth/2fa/disable', proof),
  ],
  'other recovery codes': [
    'The recovery codes of your account were replaced',
    (proof) => ann.client.post('/api/auth/2fa/recovery-codes', proof),
  ],
}

async function notices(): Promise<string[]> {
  await service.app.services.emails.idle()
  return server.received.map(({ to, headers }) => `${to.join()}: ${headers['subject']}`)
}

for (const [name, [notice, send]] of Object.entries(changes)) {
  confirmation(`should require the password to confirm ${name}, and send a notice`, async () => {
    assertError(await send({}), 400, 'invalid_input')
    assertError(await send({ currentPassword: 'wrong' }), 400, 'wrong_current_password')
    assert.equal(await notices(), [])
    await okay(send({ currentPassword: ann.password }))
    assert.equal(await notices(), [`${ann.email}: ${notice} at Transfer`])
  })
}

for (const [name, [notice, send]] of Object.entries({ ...changes, ...changesOfFactor })) {
  confirmation(`should require a code too to confirm ${name} with a second factor`, async () => {
    const { app, recoveryCodes } = await enrol(service, ann.client)
    await notices()
    server.received.length = 0
    const { password: currentPassword } = ann
    const missing = await send({ currentPassword })
    assertError(missing, 400, 'invalid_input')
    assert.is(missing.json().field, 'code')
    assertError(await send({ code: app.code() }), 400, 'invalid_input')
    assertError(await send({ currentPassword, code: 'x' }), 400, 'invalid_input')
    const wrong = { currentPassword, code: app.code(9) }
    assertError(await send(wrong), 400, 'wrong_second_factor')
    const unknown = { currentPassword, recoveryCode: 'aaaa-bbbb' }
    assertError(await send(unknown), 400, 'wrong_second_factor')
    // A wrong password does not use the code up.
    const attempt = { currentPassword: 'wrong', code: app.code() }
    assertError(await send(attempt), 400, 'wrong_current_password')
    assert.equal(await notices(), [])
    const useRecovery = name === 'an API token'
    const proof = useRecovery ? { recoveryCode: recoveryCodes[0] } : { code: app.code() }
    await okay(send({ currentPassword, ...proof }))
    assert.equal(await notices(), [`${ann.email}: ${notice} at Transfer`])
  })
}

confirmation('should send a notice of other ended sessions, if any', async () => {
  const end = () => ann.client.delete('/api/account/sessions')
  assertError(await end(), 403, 'confirmation_required')
  await confirm(ann.client, { currentPassword: ann.password })
  assert.is((await end()).status, 200)
  assert.equal(await notices(), [])
  await ann.signIn()
  assert.is((await end()).status, 200)
  assert.equal(await notices(), [
    `${ann.email}: All other sessions of your account were ended at Transfer`,
  ])
})

confirmation('should count failed confirmations together, and with failed sign-ins', async () => {
  const { email, password } = ann
  const anonymous = service.client()
  const signIn = (word: string) => anonymous.post('/api/auth/login', { email, password: word })
  for (let n = 0; n < 2; n += 1) assertError(await signIn('wrong'), 401, 'wrong_credentials')
  const sends = Object.values(changes).map(([, send]) => send)
  for (const send of sends.slice(0, 3)) {
    assertError(await send({ currentPassword: 'wrong' }), 400, 'wrong_current_password')
  }
  assertError(await signIn(password), 429, 'rate_limited')
  // Failed sign-ins do not keep the owner from confirming: failures of this session do.
  for (const send of sends.slice(0, 2)) {
    assertError(await send({ currentPassword: 'wrong' }), 400, 'wrong_current_password')
  }
  for (const send of sends) {
    assertError(await send({ currentPassword: password }), 429, 'rate_limited')
  }
  const enable = { currentPassword: password, code: '123456' }
  await ann.client.post('/api/auth/2fa/setup')
  assertError(await ann.client.post('/api/auth/2fa/enable', enable), 429, 'rate_limited')
  service.clock.advance(quarterHourMs)
  assert.is((await signIn(password)).status, 200)
  assert.is((await makeApiToken(ann.client)).token.length, 81)
})

confirmation('should limit both steps of signing in by one count, with one error', async () => {
  const { app } = await enrol(service, ann.client)
  const anonymous = service.client()
  const { email, password } = ann
  const verify = (word: string, code: string) =>
    anonymous.post('/api/auth/verify-2fa', { email, password: word, code })
  const answers = [await verify('wrong', app.code()), await verify(password, app.code(9))]
  for (const answer of answers) assertError(answer, 401, 'wrong_code')
  assert.is(answers[0]!.body.toString(), answers[1]!.body.toString())
  // Passing both steps is one attempt.
  const first = await anonymous.post('/api/auth/login', { email, password })
  assert.is(first.json().requires2FA, true)
  assert.is((await verify(password, app.code())).status, 200)
  for (let n = 0; n < 2; n += 1) {
    const attempt = { email: `other${n}@example.org`, password, code: '123456' }
    assertError(await anonymous.post('/api/auth/verify-2fa', attempt), 401, 'wrong_code')
  }
  const sixth = await anonymous.post('/api/auth/login', { email, password: 'wrong' })
  assertError(sixth, 429, 'rate_limited')
  service.clock.advance(quarterHourMs)
  assert.is((await verify(password, app.code())).status, 200)
})

// Changes that would make a stolen session permanent need proof of the last ten minutes.

const fresh = suite('account: recent sign-ins')
const tenMinutesMs = 10 * 60_000
const newcomer = { email: 'new@example.org', name: 'New', password: 'a long password' }
const thief = await service.admin()
const chief = await person(service, 'chief@example.org', { isAdmin: true })
const asked = { email: 'asked@example.org', name: 'Queued' }
const invited = (await thief.post('/api/users/invite', asked)).json().id

fresh.before(async () => {
  ann = await person(service, 'ann@example.org')
})
fresh.before.each(async () => {
  await confirm(thief)
  service.clock.advance(tenMinutesMs)
})

function confirm(client: Client, proof: object = {}): Promise<Answer> {
  return client.post('/api/auth/confirm', { currentPassword: adminPassword, ...proof })
}

const put = (who: Person, json: object) => thief.put(`/api/users/${who.id}`, json)
const set = (json: object) => thief.put('/api/config', json)
const guarded: readonly (readonly [name: string, send: () => Promise<Answer>])[] = [
  ['a new administrator', () => thief.post('/api/users', { ...newcomer, is_admin: true })],
  [
    'an invited administrator',
    () => thief.post('/api/users/invite', { email: 'i@example.org', name: 'I', is_admin: true }),
  ],
  ['another invitation', () => thief.post(`/api/users/${invited}/invite`)],
  ['a promotion', () => put(ann, { is_admin: true })],
  ['a new address for an account', () => put(ann, { email: 'thief@example.org' })],
  ['a new password for an account', () => put(ann, { password: 'a long password' })],
  ['disabling an administrator', () => put(chief, { disabled: true })],
  ['deleting an administrator', () => thief.delete(`/api/users/${chief.id}`)],
  [
    'handing shares to another account',
    () => thief.delete(`/api/users/${ann.id}?transferTo=${chief.id}`),
  ],
  ['a link to set a password', () => thief.post(`/api/users/${ann.id}/password-reset`)],
  ['resetting a second factor', () => thief.post(`/api/users/${ann.id}/2fa/reset`)],
  ['another mail server', () => set({ smtpHost: 'thief.example.org', smtpPassword: 'x' })],
  ['no mail server', () => set({ smtpFrom: 'thief@example.org' })],
  ['requiring a second factor', () => set({ require2FA: true })],
  ['shortening the audit log', () => set({ auditDays: 30 })],
]

for (const [name, send] of guarded) {
  fresh(`should require the password of an old session for ${name}`, async () => {
    const before = await stateNow()
    assertError(await send(), 403, 'confirmation_required')
    assert.equal(await stateNow(), before)
  })
}

async function stateNow(): Promise<unknown> {
  const [users, config] = [await thief.get('/api/users'), await thief.get('/api/config')]
  return [users.json(), config.json()]
}

fresh('should allow old sessions the other actions of administrators', async () => {
  for (const answer of [
    await thief.post('/api/users', newcomer),
    await put(ann, { name: 'Ann', quota: 5_000, email: ann.email, is_admin: false }),
    await put(ann, { disabled: true }),
    await put(ann, { disabled: false }),
    await put(chief, { name: 'chief@example.org', is_admin: true, disabled: false }),
    await set({ appName: 'Ours', auditDays: (await thief.get('/api/config')).json().auditDays }),
  ]) {
    assert.is(answer.status, 200, answer.body.toString())
  }
  const [created] = (await thief.get('/api/users')).json()
  assert.is((await thief.delete(`/api/users/${created.id}`)).status, 200)
})

fresh('should work again for ten minutes after the password was entered', async () => {
  assert.is((await confirm(thief)).status, 200)
  service.clock.advance(tenMinutesMs - 1)
  assert.is((await put(ann, { email: 'annie@example.org' })).status, 200)
  service.clock.advance(1)
  assertError(await put(ann, { email: 'ann@example.org' }), 403, 'confirmation_required')
  service.clock.advance(-2 * tenMinutesMs)
  assertError(await put(ann, { email: 'ann@example.org' }), 403, 'confirmation_required')
  service.clock.advance(2 * tenMinutesMs)
})

fresh('should confirm a session only with the password of its own account', async () => {
  const other = await service.admin()
  service.clock.advance(tenMinutesMs)
  assertError(await confirm(other, { currentPassword: 'wrong' }), 400, 'wrong_current_password')
  assert.is((await confirm(other)).status, 200)
  assert.is((await other.put('/api/config', { require2FA: false, auditDays: 365 })).status, 200)
  assertError(await put(ann, { is_admin: true }), 403, 'confirmation_required')
})

fresh('should take one factor for what gives no access, and all for the rest', async () => {
  const carol = await person(service, 'carol@example.org', { isAdmin: true })
  const plain = await person(service, 'plain@example.org', { isAdmin: true })
  const { app, recoveryCodes } = await enrol(service, carol.client)
  const [recoveryCode] = recoveryCodes
  const password = { currentPassword: carol.password }
  for (const [{ client }, proof, one, all] of [
    [carol, null, 403, 403],
    [carol, () => password, 200, 403],
    [carol, () => ({ code: app.code() }), 200, 403],
    [carol, () => ({ recoveryCode }), 200, 403],
    [carol, () => ({ ...password, code: app.code() }), 200, 200],
    [plain, () => ({ currentPassword: plain.password }), 200, 200],
  ] as const) {
    service.clock.advance(tenMinutesMs)
    if (proof) assert.is((await client.post('/api/auth/confirm', proof())).status, 200)
    assert.is((await client.delete('/api/account/sessions')).status, one)
    const reset = await client.post(`/api/users/${ann.id}/2fa/reset`)
    assert.is(reset.status, all)
    if (all === 403) assert.is(reset.json().factors, 'all')
  }
  const again = await confirm(carol.client, { ...password, recoveryCode })
  assertError(again, 400, 'wrong_second_factor')
})

fresh('should let an account without a password confirm, and change, by code', async () => {
  const dan = await person(service, 'dan@example.org')
  const { app } = await enrol(service, dan.client)
  const noPassword = () => service.database.sql`
    update users set password_hash = '' where id = ${dan.id}`
  await noPassword()
  assert.is((await dan.client.get('/api/auth/2fa/status')).json().hasPassword, false)
  const login = { email: dan.email, password: '' }
  assertError(await service.client().post('/api/auth/login', login), 401, 'wrong_credentials')
  service.clock.advance(tenMinutesMs)
  for (const [method, path, json] of [
    ['PATCH', '/api/account', { email: 'dan2@example.org' }],
    ['POST', '/api/tokens', { name: 'x', scopes: ['read'], expiresAt: null }],
    ['POST', '/api/auth/2fa/recovery-codes', {}],
    ['POST', '/api/account/password', { newPassword: 'quite another one' }],
    ['DELETE', '/api/account', {}],
  ] as const) {
    await noPassword()
    assertError(await dan.client.call(method, path, { json }), 403, 'confirmation_required')
    assertError(await confirm(dan.client), 400, 'wrong_current_password')
    assert.is((await dan.client.post('/api/auth/confirm', { code: app.code() })).status, 200)
    await okay(dan.client.call(method, path, { json }))
    service.clock.advance(2 * tenMinutesMs)
  }
})

confirmation('should require the password for a second factor, and send a notice', async () => {
  const other = await ann.signIn()
  const app = appOf(service, (await ann.client.post('/api/auth/2fa/setup')).json().secret)
  const enable = (body: object) => ann.client.post('/api/auth/2fa/enable', body)
  assertError(await enable({ code: app.code() }), 400, 'invalid_input')
  const attempt = { currentPassword: 'wrong', code: app.code() }
  assertError(await enable(attempt), 400, 'wrong_current_password')
  assert.is((await other.get('/api/account')).status, 200, 'the owner is still signed in')
  assert.is((await enable({ currentPassword: ann.password, code: app.code() })).status, 200)
  assert.equal(await notices(), [
    `${ann.email}: Two-step sign-in was turned on for your account at Transfer`,
  ])
})

fresh('should require the password to lift the quota of an administrator', async () => {
  await confirm(thief)
  for (const who of [ann, chief]) assert.is((await put(who, { quota: 5_000 })).status, 200)
  service.clock.advance(tenMinutesMs)
  assertError(await put(chief, { quota: null }), 403, 'confirmation_required')
  assert.is((await put(ann, { quota: null })).status, 200)
})
