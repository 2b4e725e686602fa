import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, okay, statusesOf, type Client } from '../../helpers/client.ts'
import { startMailServer, useMailServer } from '../../email/mail-server.ts'
import { startService } from '../../helpers/service.ts'
import { person } from '../people.ts'

const links = suite('auth: invitations and password links of administrators')
const dayMs = 86_400_000
let invited = 0
let email = ''
const password = 'a password of my own'
let admin: Client

const service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
const anonymous = service.client()
links.before.each(async () => {
  admin = await service.admin()
  invited += 1
  email = `new${invited}@example.org`
})

const tokenOf = (url: string) => /^http:\/\/transfer\.test\/[a-z-]+#token=(\S+)$/.exec(url)![1]!

async function invite(more: object = {}): Promise<any> {
  const answer = await okay(admin.post('/api/users/invite', { email, name: 'New', ...more }))
  const invitation = answer.json()
  return { ...invitation, token: tokenOf(invitation.url) }
}

const verify = (token: string) => anonymous.post('/api/auth/invitation/verify', { token })
const accept = (token: string, wanted = password) =>
  anonymous.post('/api/auth/invitation/accept', { token, password: wanted })
const signIn = (address: string, word: string) =>
  anonymous.post('/api/auth/login', { email: address, password: word })
const listed = async (id: number) =>
  (await admin.get('/api/users'))
    .json<Record<string, unknown>[]>()
    .find((user) => user['id'] === id)!
links('should create an account whose holder sets the password, once', async () => {
  const { id, url, token, mailed, expires_at: end } = await invite({ is_admin: true, quota: 7 })
  assert.match(url, 'http://transfer.test/invitation#token=')
  assert.is(mailed, false)
  assert.is(end, new Date(service.clock.now() + 7 * dayMs).toISOString())
  const waiting = await listed(id)
  assert.is(waiting['invited_at'], new Date(service.clock.now()).toISOString())
  assert.equal([waiting['is_admin'], waiting['quota']], [true, 7])
  assert.is(waiting['last_login_at'], null)
  assert.equal((await verify(token)).json(), { valid: true, email, name: 'New' })

  for (const word of ['', password]) {
    assert.is((await signIn(email, word)).status, 401, 'before it is accepted')
  }
  const answer = await accept(token)
  assert.equal([answer.status, answer.json().user.email], [200, email])
  assert.match(String(answer.headers['set-cookie']), 'transfer_session_')
  const holder = service.client()
  holder.token = answer.json().token
  assert.is((await holder.get('/api/users')).status, 200)
  const joined = await listed(id)
  assert.equal([joined['invited_at'], typeof joined['last_login_at']], [null, 'string'])
  assert.is((await signIn(email, password)).status, 200)
  assertError(await verify(token), 403, 'wrong_invitation')
})

links('should accept one of two uses of a link at once', async () => {
  const { token } = await invite()
  const answers = await Promise.all([accept(token), accept(token, 'the other password')])
  assert.equal(statusesOf(answers), [200, 403])
})

links('should expire a link after 7 days, and void the old link with a new one', async () => {
  const { id, token } = await invite()
  service.clock.advance(7 * dayMs - 1000)
  assert.is((await verify(token)).status, 200)
  service.clock.advance(1000)
  assertError(await accept(token), 403, 'wrong_invitation')
  admin = await service.admin()
  const again = (await admin.post(`/api/users/${id}/invite`)).json()
  const newest = (await admin.post(`/api/users/${id}/invite`)).json()
  assertError(await verify(tokenOf(again.url)), 403, 'wrong_invitation')
  assert.is((await accept(tokenOf(newest.url))).status, 200)
  assertError(await admin.post(`/api/users/${id}/invite`), 409, 'conflict')
})

links('should void the link of a disabled, deleted or readdressed account', async () => {
  const { id, token } = await invite()
  const change = (json: object) => admin.put(`/api/users/${id}`, json)
  await change({ email: `other.${email}` })
  assert.is((await verify(token)).status, 403)
  const again = async () => tokenOf((await admin.post(`/api/users/${id}/invite`)).json().url)
  const second = await again()
  await change({ disabled: true })
  assert.is((await accept(second)).status, 403)
  assert.is((await admin.post(`/api/users/${id}/invite`)).status, 409)
  await change({ disabled: false })
  const third = await again()
  await admin.delete(`/api/users/${id}`)
  assert.is((await accept(third)).status, 403)
  assert.is((await admin.post(`/api/users/${id}/invite`)).status, 404)
})

links('should void the links of an account that becomes an administrator', async () => {
  const { id, url } = (await admin.post('/api/users/invite', { email, name: 'Late' })).json()
  const promote = (userId: number) => admin.put(`/api/users/${userId}`, { is_admin: true })
  const rename = { json: { name: 'Newer', is_admin: false } }
  assert.is((await admin.call('PUT', `/api/users/${id}`, rename)).status, 200)
  const token = tokenOf(url)
  assert.is((await verify(token)).status, 200)
  assert.is((await promote(id)).status, 200)
  assertError(await verify(token), 403, 'wrong_invitation')
  assertError(await accept(token), 403, 'wrong_invitation')
  // Another administrator may invite it again.
  const newest = await admin.post(`/api/users/${id}/invite`)
  assert.is((await promote(id)).status, 200)
  assert.is((await accept(tokenOf(newest.json().url))).status, 200)

  const ann = await person(service, `ann.${email}`)
  const reset = (await admin.post(`/api/users/${ann.id}/password-reset`)).json()
  assert.is((await promote(ann.id)).status, 200)
  const completed = anonymous.post('/api/auth/password-reset/complete', {
    token: tokenOf(reset.url),
    password,
  })
  assertError(await completed, 403, 'wrong_reset_token')
})

links('should return a password link without email, once the invitation is accepted', async () => {
  const { id, token } = await invite()
  const complete = (given: string) =>
    anonymous.post('/api/auth/password-reset/complete', { token: given, password })
  assertError(await admin.post(`/api/users/${id}/password-reset`), 409, 'conflict')
  assertError(await complete(token), 403, 'wrong_reset_token')
  await accept(token)
  const link = (await admin.post(`/api/users/${id}/password-reset`)).json()
  const end = new Date(service.clock.now() + 3_600_000).toISOString()
  assert.equal([link.mailed, link.expires_at], [false, end])
  assertError(await accept(tokenOf(link.url)), 403, 'wrong_invitation')
  assert.is((await complete(tokenOf(link.url))).status, 200)
})

links('should email invitations and password links where email is configured', async () => {
  const server = await startMailServer()
  await useMailServer(admin, server.port)
  const invitation = await invite()
  assert.is(invitation.mailed, true)
  await service.app.services.emails.idle()
  const [received] = server.received
  assert.equal(received?.to, [email])
  assert.match(received?.text ?? '', invitation.url)
  assert.match(received?.text ?? '', 'expires in 7 days')

  const { id } = (await accept(invitation.token)).json().user
  const reset = (await admin.post(`/api/users/${id}/password-reset`)).json()
  assert.equal([reset.mailed, reset.url], [true, null])
  await service.app.services.emails.idle()
  assert.match(server.received.at(-1)?.text ?? '', 'http://transfer.test/reset-password#token=')
})

const changes: [string, (id: number) => Promise<{ status: number }>][] = [
  ['is deleted', (id) => admin.delete(`/api/users/${id}`)],
  ['is disabled', (id) => admin.put(`/api/users/${id}`, { disabled: true })],
  ['gets another address', (id) => admin.put(`/api/users/${id}`, { email: `${id}@example.com` })],
]
for (const [change, make] of changes) {
  links(`should withdraw unsent emails with links of an account that ${change}`, async () => {
    const server = await startMailServer()
    await useMailServer(admin, server.port)
    await server.stop()
    await service.user(`member-${email}`)
    const { sql } = service.database
    const ids = [(await invite()).id]
    ids.push(await sql`select id from users where email = ${`member-${email}`}`.oneValue())
    assert.is((await admin.post(`/api/users/${ids[1]}/password-reset`)).status, 200)
    const unsent = () =>
      sql<{ kind: string }[]>`
      select kind from emails
      where sent_at is null and kind in ('invitation', 'password_reset')
      order by kind`.column()
    assert.equal(await unsent(), ['invitation', 'password_reset'])
    for (const id of ids) assert.is((await make(id)).status, 200)
    assert.equal(await unsent(), [])
  })
}
