// Notices tell account holders about security changes, which may be the work of an attacker.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, type Client } from '../../helpers/client.ts'
import { operator } from '../../../src/lib/actor.ts'
import { startMailServer, useMailServer } from '../../email/mail-server.ts'
import { Authenticator } from '../../helpers/authenticator.ts'
import { startService } from '../../helpers/service.ts'
import { enableSecondFactor, newPerson, type Person } from '../people.ts'

const notices = suite('auth: notices')
const newPassword = 'quite another one'
const quarterHourMs = 15 * 60_000
let admin: Client
let ann: Person

const service = await startService({ env: { BASE_URL: 'https://transfer.test' } })
const server = await startMailServer()
await useMailServer(await service.admin(), server.port)
notices.before.each(async () => {
  await sent()
  server.received.length = 0
  ann = await newPerson(service)
  service.clock.advance(3_600_001)
  admin = await service.admin()
})

async function sent(): Promise<string[]> {
  await service.app.services.passwordReset.idle()
  await service.app.services.emails.idle()
  return server.received.map(({ to, headers }) => `${to.join()}: ${headers['subject']}`)
}

const changePassword = (currentPassword = ann.password) =>
  ann.client.post('/api/account/password', { currentPassword, newPassword })

notices('should report a changed password, with time and address', async () => {
  await service.app.services.settings.update(operator, { timeZone: 'UTC' })
  assert.is((await changePassword()).status, 200)
  assert.equal(await sent(), [`${ann.email}: Your password was changed at Transfer`])
  const { text } = server.received[0]!
  const at = new Date(service.clock.now())
  const time = at.toISOString().slice(11, 16)
  const moment = `${at.getUTCFullYear()}, ${time} UTC, from IP address 127.0.0.1.`
  assert.match(text.replaceAll(/\s+/g, ' '), moment)
  assert.match(text, 'change your password now')
  for (const secret of [newPassword, ann.password, '#token=']) assert.not.match(text, secret)
})

notices('should report a password set by an administrator to the old address', async () => {
  const { id } = ann
  const json = { password: newPassword, email: 'new@example.org', name: 'New' }
  const changed = await admin.put(`/api/users/${id}`, json)
  assert.equal([changed.status, changed.json()], [200, { success: true }])
  assert.equal((await sent()).toSorted(), [
    `${ann.email}: The email address of your account was changed at Transfer`,
    `${ann.email}: Your password was changed at Transfer`,
  ])
  assert.is((await ann.client.get('/api/account')).status, 401, 'the session has ended')
  const login = { email: 'new@example.org', password: newPassword }
  assert.is((await ann.client.post('/api/auth/login', login)).status, 200)
})

notices('should set no password unless the whole change succeeds', async () => {
  const put = (json: object) =>
    admin.put(`/api/users/${ann.id}`, { password: newPassword, ...json })
  assertError(await put({ email: 'admin@example.org' }), 409, 'conflict')
  assert.is((await put({ password: 'short' })).status, 400)
  const own = (await admin.get('/api/account')).json().id
  assertError(await admin.put(`/api/users/${own}`, { password: newPassword }), 409, 'conflict')
  assert.is((await put({ password: null, name: 'Ann' })).status, 200)
  assert.is((await ann.client.get('/api/account')).status, 200)
  const toAnn = (await sent()).filter((email) => email.startsWith(ann.email))
  assert.equal(toAnn, [])
})

for (const [shownAddresses, words] of [
  ['full', ', from IP address 127.0.0.1.'],
  ['network', ', from IP address 127.0.0.0/24.'],
  ['hidden', 'UTC. If this was you'],
] as const) {
  notices(`should show ${shownAddresses} of an administrator’s address`, async () => {
    await service.app.services.settings.update(operator, { timeZone: 'UTC', shownAddresses })
    // The address of the account's own client is no secret.
    assert.is((await changePassword()).status, 200)
    await sent()
    assert.match(server.received[0]!.text.replaceAll(/\s+/g, ' '), 'from IP address 127.0.0.1.')
    await enableSecondFactor(service, ann.email)
    for (const _time of [1, 2]) {
      assert.is((await admin.post(`/api/users/${ann.id}/2fa/reset`)).status, 200)
    }
    assert.equal((await sent()).slice(1), [
      `${ann.email}: An administrator reset two-step sign-in for your account at Transfer`,
    ])
    assert.match(server.received[1]!.text.replaceAll(/\s+/g, ' '), words)
  })
}

notices('should report sign-ins from new devices, once each, of every kind', async () => {
  const factor = await enableSecondFactor(service, ann.email)
  const recoveryCodes = [...factor.recoveryCodes]
  const { email, password } = ann
  const notice = `${email}: Your account was signed in to from a new device at Transfer`
  const key = new Authenticator(service.config.baseUrl)
  const owner = await ann.signIn()
  const made = await owner.post('/api/passkeys/register/options')
  await owner.post('/api/passkeys/register/verify', key.create(made.json()))
  const verify = (proof: object) => ['/api/auth/verify-2fa', { email, password, ...proof }] as const
  const ways = {
    code: async () => verify({ code: factor.code() }),
    recoveryCode: async () => {
      const recoveryCode = recoveryCodes.pop()
      return verify(recoveryCode ? { recoveryCode } : { code: factor.code() })
    },
    passkey: async () => {
      const options = await service.client().post('/api/passkeys/auth/options')
      return ['/api/passkeys/auth/verify', key.get(options.json())] as const
    },
    password: async () => {
      await service.database.sql`delete from second_factors where user_id = ${ann.id}`
      return ['/api/auth/login', { email, password }] as const
    },
  }
  for (const [way, make] of Object.entries(ways)) {
    await sent()
    server.received.length = 0
    const browser = service.client()
    const signIn = async (client: Client, userAgent: string) => {
      const [path, json] = await make()
      const answer = await client.call('POST', path, { json, headers: { 'user-agent': userAgent } })
      assert.is(answer.status, 200, answer.body.toString())
      service.clock.advance(quarterHourMs)
      return sent()
    }
    assert.equal(await signIn(browser, `new ${way}`), [notice])
    assert.equal(await signIn(browser, `updated ${way}`), [notice], 'the browser is known')
    assert.equal(await signIn(service.client(), `new ${way}`), [notice], 'the program is known')
  }
  const bob = { email: `bob.${email}`, name: 'Bob', password, isAdmin: false }
  await service.app.services.users.create(operator, bob)
  await service.client().post('/api/auth/login', { email: bob.email, password })
  assert.is((await sent()).length, 1, 'the first device is no new one')
})

notices('should change the password without email, and queue none', async () => {
  await useMailServer(admin, server.port, { smtpHost: '' })
  await service.database.sql`delete from emails`
  assert.is((await changePassword()).status, 200)
  assert.equal([...(await service.database.sql`select 1 from emails`)], [])
  assert.not.match(service.logLines.join('\n'), 'email not configured', 'no email was requested')
})
