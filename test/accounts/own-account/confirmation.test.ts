// A stolen session must neither become permanent nor lock the owner out.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Answer, Client } from '../../helpers/client.ts'
import { makeApiToken } from '../../helpers/api-token.ts'
import { adminPassword, startService, type Service } from '../../helpers/service.ts'
import { startMailServer, useMailServer, type MailServer } from '../../email/mail-server.ts'
import { App, assertRefused, enrol, person, type Person } from '../people.ts'

const confirmation = suite('account: confirmation')
const quarterHourMs = 15 * 60_000
let service: Service
let server: MailServer
let admin: Client
let ann: Person
let made = 0

confirmation.before(async () => {
  service = await startService()
  server = await startMailServer()
  admin = await service.admin()
  await useMailServer(admin, server.port)
})
confirmation.after(async () => {
  await admin.close()
  await service.stop()
  await server.stop()
})
confirmation.before.each(async () => {
  made += 1
  ann = await person(service, `ann${made}@example.org`)
  server.received.length = 0
  service.clock.advance(quarterHourMs + 1)
})
confirmation.after.each(() => ann.client.close())

interface AuditEvent {
  readonly name: string
  readonly notice: string | null
  /** The request without the proof. */
  readonly send: (proof: object) => Promise<Answer>
}

const events: readonly AuditEvent[] = [
  {
    name: 'another email address',
    notice: 'The email address of your account was changed',
    send: (proof) =>
      ann.client.call('PATCH', '/api/account', {
        json: { email: `new${made}@example.org`, ...proof },
      }),
  },
  {
    name: 'an API token',
    notice: 'An API token was created for your account',
    send: (proof) =>
      ann.client.post('/api/tokens', { name: 'x', scopes: ['read'], expiresAt: null, ...proof }),
  },
  {
    name: 'another password',
    notice: 'Your password was changed',
    send: (proof) =>
      ann.client.post('/api/account/password', { newPassword: 'quite another one', ...proof }),
  },
  {
    name: 'the end of the account',
    notice: 'Your account was deleted',
    send: (proof) => ann.client.call('DELETE', '/api/account', { json: proof }),
  },
]

async function notices(): Promise<string[]> {
  await service.app.services.emails.idle()
  return server.received.map(({ to, headers }) => `${to.join()}: ${headers['subject']}`)
}

for (const { name, notice, send } of events) {
  confirmation(`should require the password to confirm ${name}, and send a notice`, async () => {
    assertRefused(await send({}), 400, 'invalid_input')
    assertRefused(await send({ currentPassword: 'wrong' }), 400, 'wrong_current_password')
    assert.equal(await notices(), [])
    const done = await send({ currentPassword: ann.password })
    assert.is(done.status, 200, done.body.toString())
    assert.equal(await notices(), [`${ann.email}: ${notice} at Transfer`])
  })

  confirmation(`should require a code too to confirm ${name} with a second factor`, async () => {
    const { app, recoveryCodes } = await enrol(service, ann.client)
    await notices()
    server.received.length = 0
    const { password: currentPassword } = ann
    const missing = await send({ currentPassword })
    assertRefused(missing, 400, 'invalid_input')
    assert.is(missing.json().field, 'code')
    const wrong = { currentPassword, code: app.code(9) }
    assertRefused(await send(wrong), 400, 'wrong_second_factor')
    const unknown = { currentPassword, recoveryCode: 'aaaa-bbbb' }
    assertRefused(await send(unknown), 400, 'wrong_second_factor')
    // A wrong password does not use the code up.
    const attempt = { currentPassword: 'wrong', code: app.code() }
    assertRefused(await send(attempt), 400, 'wrong_current_password')
    assert.equal(await notices(), [])
    const useRecovery = name === 'an API token'
    const proof = useRecovery ? { recoveryCode: recoveryCodes[0] } : { code: app.code() }
    const done = await send({ currentPassword, ...proof })
    assert.is(done.status, 200, done.body.toString())
    assert.equal(await notices(), [`${ann.email}: ${notice} at Transfer`])
  })
}

confirmation('should require the password for a second factor, and send a notice', async () => {
  const other = await ann.signIn()
  const app = new App(service, (await ann.client.post('/api/auth/2fa/setup')).json().secret)
  const enable = (body: object) => ann.client.post('/api/auth/2fa/enable', body)
  assertRefused(await enable({ code: app.code() }), 400, 'invalid_input')
  const attempt = { currentPassword: 'wrong', code: app.code() }
  assertRefused(await enable(attempt), 400, 'wrong_current_password')
  assert.is((await other.get('/api/account')).status, 200, 'the owner is still signed in')
  assert.is((await enable({ currentPassword: ann.password, code: app.code() })).status, 200)
  assert.equal(await notices(), [
    `${ann.email}: Two-step sign-in was turned on for your account at Transfer`,
  ])
  await other.close()
})

confirmation('should send a notice of other ended sessions, if any', async () => {
  const end = () => ann.client.delete('/api/account/sessions')
  assert.is((await end()).status, 200)
  assert.equal(await notices(), [])
  const other = await ann.signIn()
  assert.is((await end()).status, 200)
  assert.equal(await notices(), [
    `${ann.email}: All other sessions of your account were ended at Transfer`,
  ])
  await other.close()
})

confirmation('should notify the old address when an administrator changes it', async () => {
  const json = { email: `moved${made}@example.org` }
  await admin.post('/api/auth/confirm', { currentPassword: adminPassword })
  assert.is((await admin.call('PUT', `/api/users/${ann.id}`, { json })).status, 200)
  assert.equal(await notices(), [
    `${ann.email}: The email address of your account was changed at Transfer`,
  ])
  assert.match(
    server.received[0]!.text.replaceAll(/\s+/g, ' '),
    'tell your administrator immediately',
  )
})

confirmation('should count failed confirmations together, and with failed sign-ins', async () => {
  const { email, password } = ann
  const anonymous = service.client()
  const signIn = (word: string) => anonymous.post('/api/auth/login', { email, password: word })
  for (let n = 0; n < 2; n += 1) assertRefused(await signIn('wrong'), 401, 'wrong_credentials')
  for (const { send } of events.slice(0, 3)) {
    assertRefused(await send({ currentPassword: 'wrong' }), 400, 'wrong_current_password')
  }
  assertRefused(await signIn(password), 429, 'rate_limited')
  // Failed sign-ins do not keep the owner from confirming: failures of this session do.
  for (const { send } of events.slice(0, 2)) {
    assertRefused(await send({ currentPassword: 'wrong' }), 400, 'wrong_current_password')
  }
  for (const { send } of events) {
    assertRefused(await send({ currentPassword: password }), 429, 'rate_limited')
  }
  const enable = { currentPassword: password, code: '123456' }
  await ann.client.post('/api/auth/2fa/setup')
  assertRefused(await ann.client.post('/api/auth/2fa/enable', enable), 429, 'rate_limited')
  service.clock.advance(quarterHourMs)
  assert.is((await signIn(password)).status, 200)
  assert.is((await makeApiToken(ann.client)).token.length, 81)
  await anonymous.close()
})

confirmation('should limit both steps of signing in by one count, with one error', async () => {
  const { app } = await enrol(service, ann.client)
  const anonymous = service.client()
  const { email, password } = ann
  const verify = (word: string, code: string) =>
    anonymous.post('/api/auth/verify-2fa', { email, password: word, code })
  const answers = [await verify('wrong', app.code()), await verify(password, app.code(9))]
  for (const answer of answers) assertRefused(answer, 401, 'wrong_code')
  assert.is(answers[0]!.body.toString(), answers[1]!.body.toString())
  // Passing both steps is one attempt.
  const first = await anonymous.post('/api/auth/login', { email, password })
  assert.is(first.json().requires2FA, true)
  assert.is((await verify(password, app.code())).status, 200)
  for (let n = 0; n < 2; n += 1) {
    const attempt = { email: `other${n}@example.org`, password, code: '123456' }
    assertRefused(await anonymous.post('/api/auth/verify-2fa', attempt), 401, 'wrong_code')
  }
  const sixth = await anonymous.post('/api/auth/login', { email, password: 'wrong' })
  assertRefused(sixth, 429, 'rate_limited')
  service.clock.advance(quarterHourMs)
  assert.is((await verify(password, app.code())).status, 200)
  await anonymous.close()
})

confirmation.run()
