import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startMailServer, useMailServer } from '../../email/mail-server.ts'
import type { Client } from '../../helpers/client.ts'
import { startService } from '../../helpers/service.ts'
import { person } from '../people.ts'
import { statusesOf } from '../../helpers/lists.ts'
import { assertError } from '../../contract/shapes.ts'

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

interface Invitation {
  readonly id: number
  readonly url: string
  readonly expires_at: string
  readonly mailed: boolean
}

const tokenOf = (url: string) => /^http:\/\/transfer\.test\/[a-z-]+#token=(\S+)$/.exec(url)![1]!

async function invite(more: object = {}): Promise<Invitation & { token: string }> {
  const answer = await admin.post('/api/users/invite', { email, name: 'New', ...more })
  assert.is(answer.status, 200, answer.body.toString())
  const invitation = answer.json<Invitation>()
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
const refused = async (answer: ReturnType<typeof verify>) => {
  const { status, json } = await answer.then((got) => ({ status: got.status, json: got.json() }))
  return [status, json.code]
}

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
  for (const again of [verify(token), accept(token)]) {
    assert.equal(await refused(again), [403, 'wrong_invitation'])
  }
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
  assert.equal(await refused(accept(token)), [403, 'wrong_invitation'])
  admin = await service.admin()
  const again = (await admin.post(`/api/users/${id}/invite`)).json<Invitation>()
  const newest = (await admin.post(`/api/users/${id}/invite`)).json<Invitation>()
  assert.equal(await refused(verify(tokenOf(again.url))), [403, 'wrong_invitation'])
  assert.is((await accept(tokenOf(newest.url))).status, 200)
  assertError(await admin.post(`/api/users/${id}/invite`), 409, 'conflict')
})

links('should void the link of a disabled, deleted or readdressed account', async () => {
  const { id, token } = await invite()
  const change = (json: object) => admin.call('PUT', `/api/users/${id}`, { json })
  await change({ email: `other.${email}` })
  assert.is((await verify(token)).status, 403)
  const again = async () => {
    const answer = await admin.post(`/api/users/${id}/invite`)
    return tokenOf(answer.json<Invitation>().url)
  }
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
  const late = { email, name: 'Late' }
  const { id, url } = (await admin.post('/api/users/invite', late)).json()
  const promote = (userId: number) =>
    admin.call('PUT', `/api/users/${userId}`, { json: { is_admin: true } })
  const rename = { json: { name: 'Newer', is_admin: false } }
  assert.is((await admin.call('PUT', `/api/users/${id}`, rename)).status, 200)
  const token = tokenOf(url)
  assert.is((await verify(token)).status, 200)
  assert.is((await promote(id)).status, 200)
  assert.equal(await refused(verify(token)), [403, 'wrong_invitation'])
  assert.equal(await refused(accept(token)), [403, 'wrong_invitation'])
  // Another administrator may invite it again.
  const newest = await admin.post(`/api/users/${id}/invite`)
  assert.is((await promote(id)).status, 200)
  assert.is((await accept(tokenOf(newest.json<Invitation>().url))).status, 200)

  const ann = await person(service, `ann.${email}`)
  const reset = (await admin.post(`/api/users/${ann.id}/password-reset`)).json()
  assert.is((await promote(ann.id)).status, 200)
  const completed = anonymous.post('/api/auth/password-reset/complete', {
    token: tokenOf(reset.url),
    password,
  })
  assert.equal(await refused(completed), [403, 'wrong_reset_token'])
})

links('should not count an invited administrator as one who can sign in', async () => {
  const alone = await startService()
  const only = await alone.admin()
  const { id } = (await only.get('/api/account')).json()
  const demote = () => only.call('PUT', `/api/users/${id}`, { json: { is_admin: false } })
  const chief = { email, name: 'Chief', is_admin: true }
  const { url } = (await only.post('/api/users/invite', chief)).json()
  assert.equal(await refused(demote()), [409, 'last_administrator'])
  const body = { token: tokenOf(url), password }
  assert.is((await alone.client().post('/api/auth/invitation/accept', body)).status, 200)
  assert.is((await demote()).status, 200)
  await alone.stop()
})

links('should return a password link, good for nothing else, without email', async () => {
  const { id } = await person(service, `ann.${email}`)
  const {
    url,
    mailed,
    expires_at: end,
  } = (await admin.post(`/api/users/${id}/password-reset`)).json()
  assert.equal([mailed, end], [false, new Date(service.clock.now() + 3_600_000).toISOString()])
  assert.is((await accept(tokenOf(url))).status, 403, 'not an invitation')
  assert.is(
    (await anonymous.post('/api/auth/password-reset/complete', { token: tokenOf(url), password }))
      .status,
    200,
  )
})

links('should email invitations and password links where email is configured', async () => {
  const server = await startMailServer()
  try {
    await useMailServer(admin, server.port)
    const invitation = await invite()
    assert.is(invitation.mailed, true)
    await service.app.services.emails.idle()
    const [received] = server.received
    assert.equal(received?.to, [email])
    assert.match(received?.text ?? '', invitation.url)
    assert.match(received?.text ?? '', 'expires in 7 days')

    const { id } = await accept(invitation.token).then((got) => got.json().user)
    const reset = (await admin.post(`/api/users/${id}/password-reset`)).json()
    assert.equal([reset.mailed, reset.url], [true, null])
    await service.app.services.emails.idle()
    assert.match(server.received.at(-1)?.text ?? '', 'http://transfer.test/reset-password#token=')
  } finally {
    await useMailServer(admin, server.port, { smtpHost: '' })
    await server.stop()
  }
})

links('should create no password link before the invitation is accepted', async () => {
  const { id, token } = await invite()
  assertError(await admin.post(`/api/users/${id}/password-reset`), 409, 'conflict')
  const complete = await anonymous.post('/api/auth/password-reset/complete', { token, password })
  assert.equal([complete.status, complete.json().code], [403, 'wrong_reset_token'])
})
