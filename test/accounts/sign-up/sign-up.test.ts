import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operator } from '../../../src/lib/actor.ts'
import { refusal, startMailServer, useMailServer } from '../../email/mail-server.ts'
import { makeApiToken } from '../people.ts'
import { assertError, pluck, statusesOf, type Answer, type Client } from '../../helpers/client.ts'
import { adminEmail, startService } from '../../helpers/service.ts'

const signUp = suite('sign-up')
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const route = '/api/auth/sign-up'
const password = 'a password of my own'
let admin: Client
let made = 0
let email = ''

const env = { RATE_LIMIT_RESET: 'off', RATE_LIMIT_LOGIN: 'off', TRUST_PROXY: 'loopback' }
const service = await startService({ env })
const server = await startMailServer()
signUp.before.each(async () => {
  admin = await service.admin()
  made += 1
  email = `new${made}@example.org`
  await set({ require2FA: false })
  await useMailServer(admin, server.port)
  await set({ signUp: 'open', signUpDomains: [], passwordSignIn: true })
  await service.database.sql`delete from users where requested_at is not null`
  await service.database.sql`delete from emails`
  server.received.length = 0
})

const set = (json: Record<string, unknown>) => service.app.services.settings.update(operator, json)

async function request(address: string, ip = '192.0.2.1'): Promise<Answer> {
  const headers = { 'x-forwarded-for': ip }
  const answer = await service.client().post(`${route}/request`, { email: address }, headers)
  await settle()
  return answer
}

async function settle(): Promise<void> {
  await service.app.services.signUp.idle()
  await service.app.services.emails.idle()
}

const tokenIn = (text = '') => /http:\/\/transfer\.test\/sign-up#token=(\S+)/.exec(text)![1]!

async function tokenFor(address: string): Promise<string> {
  await request(address)
  return tokenIn(server.received.at(-1)?.text)
}

const verify = (token: string) => service.client().post(`${route}/verify`, { token })
const confirm = (token: string, chosen: object = {}, client = service.client()) =>
  client.post(`${route}/confirm`, { token, name: 'New', password, ...chosen })
const signIn = (address: string, word = password) =>
  service.client().post('/api/auth/login', { email: address, password: word })
const findUser = async (address: string) =>
  (await (await service.admin()).get('/api/users'))
    .json<{ id: number; email: string; requested_at: string | null; disabled: boolean }[]>()
    .find((user) => user.email === address)
const subjects = () => server.received.map(({ headers, to }) => [to[0], headers['subject']])
const events = async (event: string) =>
  service.database.sql<{ count: number }[]>`
    select count(*) from audit where event = ${event}`.then(([row]) => row!.count)

signUp('should create an account behind an emailed link, once, and sign in to it', async () => {
  const written = `NEW${made}@example.org`
  assert.equal((await request(` ${written} `)).json(), { success: true })
  assert.equal(subjects(), [[written, 'Confirm your email address for Transfer']])
  assert.is(await findUser(email), undefined, 'no account before the address is confirmed')
  const token = tokenIn(server.received[0]!.text)
  const verified = { valid: true, email: written, needs_approval: false }
  assert.equal((await verify(token)).json(), verified)
  assertError(await confirm(token, { password: 'password1' }), 400, 'invalid_input')
  const [created, late] = await Promise.all([confirm(token), confirm(token, { name: 'Other' })])
  const [first, second] = created.status === 200 ? [created, late] : [late, created]
  assert.is(first.json().user.email, written)
  assert.match(String(first.headers['set-cookie']), 'transfer_session_')
  for (const used of [second, await verify(token), await confirm(token)]) {
    assertError(used, 409, 'sign_up_used')
  }
  assert.is((await signIn(email)).status, 200)
  assert.is(await events('user.signed_up'), 1)
  const { sql } = service.database
  const [row] = await sql`select quota, is_admin from users where lower(email) = ${email}`
  assert.equal({ ...row }, { quota: null, isAdmin: false })
})

signUp('should answer the same for every address, and email only what may be', async () => {
  await set({ signUpDomains: ['example.org', 'Bücher.example'] })
  await service.user('ann@elsewhere.example')
  const answers = new Set<string>()
  for (const [address, subject] of [
    [email, 'Confirm your email address for Transfer'],
    [`plus+tag.${email}`, 'Confirm your email address for Transfer'],
    [`new${made}@BÜCHER.example`, 'Confirm your email address for Transfer'],
    [`${adminEmail}`, 'You already have an account at Transfer'],
    ['ann@elsewhere.example', 'You already have an account at Transfer'],
    ['bob@elsewhere.example', null],
    ['bob@example.org.elsewhere.example', null],
    ['bob@sub.example.org', null],
    ['example.org@elsewhere.example', null],
    ['bob%elsewhere.example@example.org', null],
    ['elsewhere.example!bob@example.org', null],
  ] as const) {
    server.received.length = 0
    const { status, body, headers } = await request(address)
    const { date: _date, 'x-request-id': _id, ...same } = headers
    answers.add(JSON.stringify([status, body.toString(), same]))
    const said = subjects().map(([, words]) => words)
    assert.equal(said, subject === null ? [] : [subject], address)
    if (subject?.startsWith('You')) assert.not.match(server.received[0]!.text, 'token')
  }
  assert.is(answers.size, 1)
  for (const wrong of [
    '"a b"@example.org',
    'a@b@example.org',
    'a@example.org.',
    'a@ex ample.org',
  ]) {
    assertError(await request(wrong), 400, 'invalid_input')
  }
})

signUp('should accept a link once, also when the address is free again', async () => {
  const token = await tokenFor(email)
  assert.is((await confirm(token)).status, 200)
  await service.database.sql`update users set email = ${`moved.${email}`} where email = ${email}`
  const bytes = Buffer.from(token, 'base64url')
  for (const same of [token, `!${token}`, bytes.toString('base64')]) {
    assertError(await verify(same), 403, 'wrong_sign_up_link')
    assertError(await confirm(same), 403, 'wrong_sign_up_link')
  }
})

signUp('should refuse links that are old, changed, or no longer allowed', async () => {
  const token = await tokenFor(email)
  const cut = token.slice(0, -4)
  const other = service.keys.seal(JSON.stringify(['sign-in with a provider', email, 9e15]))
  const changed = Buffer.from(token, 'base64url')
  changed[40]! ^= 1
  for (const wrong of ['x', cut, changed.toString('base64url'), other.toString('base64url')]) {
    assertError(await verify(wrong), 403, 'wrong_sign_up_link')
    assertError(await confirm(wrong), 403, 'wrong_sign_up_link')
  }
  await set({ signUpDomains: ['elsewhere.example'] })
  assertError(await confirm(token), 403, 'wrong_sign_up_link')
  await set({ signUpDomains: [] })
  service.clock.advance(dayMs - 1000)
  assert.is((await verify(token)).status, 200)
  service.clock.advance(1000)
  assertError(await confirm(token), 403, 'wrong_sign_up_link')
})

for (const [what, off] of [
  ['it is off', { signUp: 'off' }],
  ['email is off', { smtpHost: '' }],
  ['passwords are off', { passwordSignIn: false }],
] as const) {
  signUp(`should refuse sign-ups while ${what}`, async () => {
    const token = await tokenFor(email)
    assert.match((await service.client().get('/login')).body.toString(), '&quot;signUp&quot;:true')
    await set(off)
    for (const answer of [await request(email), await verify(token), await confirm(token)]) {
      assertError(answer, 403, 'sign_up_off')
    }
    assert.match((await service.client().get('/login')).body.toString(), '&quot;signUp&quot;:false')
    assert.is(await findUser(email), undefined)
  })
}

signUp('should need email to be turned on', async () => {
  await set({ signUp: 'off', smtpHost: '' })
  const put = (json: object) => admin.put('/api/config', json)
  assertError(await put({ signUp: 'open' }), 409, 'mail_not_configured')
  assertError(await put({ signUp: 'approval', smtpHost: '' }), 409, 'mail_not_configured')
  assert.is((await put({ signUp: 'open', smtpHost: '127.0.0.1' })).status, 200)
  assertError(await put({ signUpDomains: ['a b'] }), 400, 'invalid_input')
  assert.is((await put({ signUpDomains: ['BÜCHER.example'] })).status, 200)
  assert.equal((await admin.get('/api/config')).json().signUpDomains, ['xn--bcher-kva.example'])
})

signUp('should email one address three times a day, and one mailbox six times', async () => {
  const [name] = email.split('@')
  const plus = [1, 2, 3, 4, 5].map((n) => `${name}+${n}@example.org`)
  // From many networks, as a flood would come.
  for (const [n, address] of [email, email, email, email, ...plus].entries())
    await request(address, `198.51.${n}.1`)
  assert.equal(pluck(server.received, 'to').flat(), [email, email, email, ...plus.slice(0, 3)])
  service.clock.advance(dayMs)
  await request(email)
  assert.is(server.received.length, 7)
})

signUp('should not let variants use up the emails of an address', async () => {
  for (const [domain, sent] of [
    ['example.org', 7],
    ['gmail.com', 6],
  ] as const) {
    server.received.length = 0
    const name = `jo${made}`
    const variants = [1, 2, 3].flatMap((n) => [`j.o${made}`, `${name}+${n}`])
    for (const [n, local] of [...variants, `j.o.${made}`].entries()) {
      await request(`${local}@${domain}`, `198.52.${n}.1`)
    }
    assert.is(server.received.length, sent)
    for (let n = 0; n < 3; n += 1) await request(`${name}@${domain}`, `198.53.${n}.1`)
    assert.is(server.received.length, sent + 3)
  }
})

signUp('should forget failed emails to strangers', async () => {
  const unwilling = await startMailServer({
    onRcptTo: (_address, _session, callback) => callback(refusal(550, 'unknown')),
  })
  await set({ smtpPort: unwilling.port })
  await request(email)
  assert.is((await service.database.sql`select 1 from emails`).length, 0)
  // One that comes too late to be sent is no failure for administrators either.
  await set({ smtpPort: 1 })
  await request(email)
  service.clock.advance(48 * 3_600_000)
  await service.app.services.emails.run()
  assert.is((await service.database.sql`select 1 from emails`).length, 0)
})

signUp('should let nobody in before an administrator has approved', async () => {
  await set({ signUp: 'approval' })
  const token = await tokenFor(email)
  assert.is((await verify(token)).json().needs_approval, true)
  const answer = await confirm(token)
  assert.equal(answer.json(), { success: true, waiting: true })
  assert.is(answer.headers['set-cookie'], undefined)
  assertError(await signIn(email), 403, 'account_waiting')
  assertError(await signIn(email, 'wrong'), 401, 'wrong_credentials')
  const user = (await findUser(email))!
  assert.equal([typeof user.requested_at, user.disabled], ['string', true])
  const { waiting } = (await admin.get('/api/admin/overview')).json()
  assert.equal([waiting.count, waiting.first[0].email], [1, email])
  // Their address is known now, but not good for a new password or for the shares of others.
  await service.client().post('/api/auth/password-reset/request', { email })
  await service.app.services.passwordReset.idle()
  await service.user(`bob.${email}`)
  const bob = (await findUser(`bob.${email}`))!
  const heir = await admin.delete(`/api/users/${bob.id}?transferTo=${user.id}`)
  assertError(heir, 400, 'invalid_input')
  const token2 = service.client()
  token2.token = (await makeApiToken(admin, { scopes: ['administer'] })).token
  const approve = () => token2.put(`/api/users/${user.id}`, { disabled: false })
  assert.is((await approve()).status, 200)
  await settle()
  const told = subjects().filter(([, subject]) => !/^Confirm|API token/.test(subject!))
  assert.equal(told, [
    [adminEmail, 'Transfer: 1 person waits for approval'],
    [email, 'Your account at Transfer is approved'],
  ])
  assert.is((await signIn(email)).status, 200)
  assert.is((await findUser(email))!.requested_at, null)
  assert.equal([await events('user.approved'), await events('user.enabled')], [1, 0])
})

signUp('should delete those who are declined, or whom nobody answers for 30 days', async () => {
  await set({ signUp: 'approval' })
  const late = `late.${email}`
  for (const address of [email, late]) await confirm(await tokenFor(address))
  await admin.delete(`/api/users/${(await findUser(email))!.id}`)
  service.clock.advance(30 * dayMs)
  await service.app.jobs.runAll()
  assert.ok(await findUser(late), 'on the last day')
  service.clock.advance(hourMs)
  await service.app.jobs.runAll()
  await settle()
  assert.is(await findUser(late), undefined)
  const declined = 'Your request for an account at Transfer'
  const told = subjects().filter(([, subject]) => subject === declined)
  assert.equal(told.flat(), [email, declined, late, declined])
  assert.equal([await events('user.declined'), await events('user.deleted')], [2, 0])
})

signUp('should email administrators at most once an hour, and of everyone', async () => {
  await set({ signUp: 'approval' })
  const told = () => subjects().filter(([to]) => to === adminEmail)
  const join = async (name: string) => confirm(await tokenFor(`${name}.${email}`))
  await join('one')
  service.clock.advance(1000)
  await join('two')
  await settle()
  assert.is(told().length, 1)
  service.clock.advance(hourMs)
  await service.app.services.signUp.run()
  await service.app.services.signUp.run()
  await settle()
  assert.is(told().length, 2)
  assert.is(told()[1]![1], 'Transfer: 2 people wait for approval')
  service.clock.advance(hourMs)
  await service.app.services.signUp.run()
  await settle()
  assert.is(told().length, 2, 'no person has come since')
})

signUp('should let a thousand people wait, and say so to the next', async () => {
  await set({ signUp: 'approval' })
  const token = await tokenFor(email)
  await service.database.sql`
    insert into users (email, name, password_hash, created_at, disabled_at, requested_at)
    select 'w' || n || '@wait.example', '', '', now(), now(), now() from generate_series(1, 1000) n`
  for (const answer of [await verify(token), await confirm(token)]) {
    assertError(answer, 409, 'too_many_sign_ups')
  }
})

signUp('should tell a person who is signed in', async () => {
  const browser = service.client()
  const cookie = `${admin.sessionCookieName}=${admin.token}`
  const page = async (headers = {}) => (await browser.get('/sign-up', headers)).body.toString()
  assert.match(await page(), '&quot;isSignedIn&quot;:false')
  assert.match(await page({ cookie }), '&quot;isSignedIn&quot;:true')
})

signUp('should accept forty requests an hour from one network', async () => {
  await set({ signUpDomains: ['example.org'] })
  for (const ipOf of [(n: number) => `198.54.1.${n}`, (n: number) => `2001:db8:7:${n}::1`]) {
    const answers = await Promise.all(
      Array.from({ length: 41 }, (_, n) => request('bob@elsewhere.example', ipOf(n))),
    )
    assert.equal(statusesOf(answers), [...Array<number>(40).fill(200), 429])
  }
})

signUp('should email in time, although the clock was ahead before', async () => {
  await set({ signUp: 'approval' })
  const told = () => subjects().filter(([to]) => to === adminEmail).length
  service.clock.jump(300 * dayMs)
  await confirm(await tokenFor(`early.${email}`))
  for (const _time of [1, 2, 3]) await request(email)
  service.clock.jump(-300 * dayMs)
  assert.is(told(), 1)
  await confirm(await tokenFor(`late.${email}`))
  await settle()
  assert.is(told(), 2)
  service.clock.advance(hourMs)
  await service.app.services.signUp.run()
  await settle()
  assert.is(told(), 2, 'no person has come since')
  const before = server.received.length
  await request(email)
  assert.is(server.received.length, before + 1)
})
