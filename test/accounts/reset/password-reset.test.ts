import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { statusesOf, type Client } from '../../helpers/client.ts'
import { startMailServer, useMailServer } from '../../email/mail-server.ts'
import { startService } from '../../helpers/service.ts'
import { makeApiToken, person, type Person } from '../people.ts'

const reset = suite('auth: password reset')
const hourMs = 3_600_000
const route = '/api/auth/password-reset'
let people = 0
let email = ''
const password = 'a new password'
let admin: Client
let ann: Person

const service = await startService({
  env: { RATE_LIMIT_RESET: 'off', RATE_LIMIT_LOGIN: 'off', TRUST_PROXY: 'loopback' },
})
const server = await startMailServer()
const anonymous = service.client()
reset.before.each(async () => {
  server.received.length = 0
  admin = await service.admin()
  people += 1
  email = `ann${people}@example.org`
  ann = await person(service, email)
  await useMailServer(admin, server.port)
  await service.database.sql`delete from emails`
})
reset.after.each(() => service.app.services.emails.idle())

async function request(address: string): Promise<{ status: number; body: string }> {
  const { status, body } = await anonymous.post(`${route}/request`, { email: address })
  await service.app.services.passwordReset.idle()
  await service.app.services.emails.idle()
  return { status, body: body.toString() }
}

async function tokenFor(address: string): Promise<string> {
  await request(address)
  const received = server.received.at(-1)
  const [, token] = /http:\/\/transfer\.test\/reset-password#token=(\S+)/.exec(
    received?.text ?? '',
  )!
  return token!
}

const verify = (token: string) => anonymous.post(`${route}/verify`, { token })
const complete = (token: string, wanted = password) =>
  anonymous.post(`${route}/complete`, { token, password: wanted })
const signIn = async (address: string, word: string) =>
  (await anonymous.post('/api/auth/login', { email: address, password: word })).status

reset('should set a new password, end every session and start none', async () => {
  const token = await tokenFor(` ${email.toUpperCase()} `)
  const apiToken = (await makeApiToken(ann.client)).token
  assert.is(typeof apiToken, 'string')
  assert.equal(server.recipients(), [email])
  assert.match(token, /^[\w-]{43}$/, '256 bits')
  const verified = await verify(token)
  assert.equal([verified.status, verified.json()], [200, { valid: true, email }])
  const completed = await complete(token)
  assert.equal([completed.status, completed.json()], [200, { success: true }])
  assert.is(completed.headers['set-cookie'], undefined)
  assert.is((await ann.client.get('/api/shares')).status, 401)
  const bearer = { authorization: `Bearer ${apiToken}` }
  assert.is((await anonymous.get('/api/shares', bearer)).status, 401)
  assert.is((await admin.get('/api/shares')).status, 200, 'other accounts stay signed in')
  assert.is(await signIn(email, `password of ${email}`), 401)
  assert.is(await signIn(email, password), 200)
})

reset('should answer the same for unknown and disabled addresses, and send no email', async () => {
  const known = await request(email)
  const gone = await person(service, 'gone@example.org')
  await admin.put(`/api/users/${gone.id}`, { disabled: true })
  assert.equal(await request('gone@example.org'), known)
  assert.equal(await request('nobody@example.org'), known)
  assert.equal(server.recipients(), [email])
})

reset('should answer 200 where email is not configured, and create no link', async () => {
  await useMailServer(admin, server.port, { smtpHost: '' })
  assert.is((await request(email)).status, 200)
  const rows = await service.database.sql`
    select 1 from password_resets where user_id = ${ann.id}`
  assert.is(rows.length, 0)
  assert.ok(service.logLines.some((line) => line.includes('email not configured')))
})

reset('should accept a link once, also when used twice at once, and void the others', async () => {
  const first = await tokenFor(email)
  assert.is((await verify(first)).status, 200)
  const token = await tokenFor(email)
  const answers = await Promise.all(
    ['first password', 'second password', 'third password'].map((word) => complete(token, word)),
  )
  assert.equal(statusesOf(answers), [200, 403, 403])
  for (const used of [token, first]) {
    assert.is((await verify(used)).status, 403)
    assert.is((await complete(used)).json().code, 'wrong_reset_token')
  }
})

reset('should accept a link for an hour', async () => {
  const { id } = ann
  const token = await tokenFor(email)
  service.clock.advance(hourMs - 1000)
  assert.is((await verify(token)).status, 200)
  service.clock.advance(1000)
  assert.is((await verify(token)).status, 403)
  assert.is((await complete(token)).status, 403)
  await service.app.jobs.runAll()
  const left = await service.database.sql`
    select 1 from password_resets where user_id = ${id}`
  assert.is(left.length, 0)
})

const other = { email: 'moved@example.org' }
for (const [what, ...changes] of [
  ['disabled, and enabled again', { disabled: true }, { disabled: false }],
  ['given another address', other],
] as const) {
  reset(`should refuse the link of an account that was ${what}`, async () => {
    const token = await tokenFor(email)
    for (const json of changes) await admin.put(`/api/users/${ann.id}`, json)
    assert.is((await verify(token)).status, 403)
    assert.is((await complete(token)).status, 403)
  })
}

reset('should send an account at most three valid links at a time', async () => {
  for (let n = 0; n < 5; n += 1) assert.is((await request(email)).status, 200)
  assert.is(server.received.length, 3)
  service.clock.advance(hourMs)
  await request(email)
  assert.is(server.received.length, 4)
})

reset('should send links after the clock was ahead', async () => {
  service.clock.jump(24 * hourMs)
  for (let n = 0; n < 3; n += 1) await request(email)
  service.clock.jump(-24 * hourMs)
  await request(email)
  assert.is(server.received.length, 4)
})

for (const [what, isVerified, asks, after] of [
  ['leave the second factor in force', true, 'holder', { left: 3, isVerified: true }],
  ['remove all other ways to sign in', false, 'holder', { left: 0, isVerified: true }],
  ['take no link that was not emailed as proof', false, 'admin', { left: 3, isVerified: false }],
] as const) {
  reset(`should ${what} of an address that was ${isVerified ? '' : 'not '}verified`, async () => {
    const { sql } = service.database
    const { id } = ann
    const sealed = service.keys.seal('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')
    await sql`update users set email_verified = ${isVerified} where id = ${id}`
    await sql`
      insert into second_factors (user_id, secret_sealed, enabled_at, created_at)
      values (${id}, ${sealed}, now(), now())`
    await sql`
      insert into passkeys (
        id, user_id, name, created_at, credential_id, public_key, counter, transports, user_handle
      )
      values (gen_random_uuid(), ${id}, '', now(), ${`key ${id}`}, '', 0, '{}', ${`user ${id}`})`
    await sql`
      insert into oidc_identities (id, user_id, issuer, subject, name, created_at)
      values (gen_random_uuid(), ${id}, 'https://id.example', ${`${id}`}, '', now())`
    if (asks === 'admin') await useMailServer(admin, server.port, { smtpHost: '' })
    const link = asks === 'admin' && (await admin.post(`/api/users/${id}/password-reset`)).json()
    await complete(link ? link.url.split('token=')[1] : await tokenFor(email))
    await service.app.services.emails.idle()
    const [row] = await sql<{ isVerified: boolean; left: number }[]>`
      select email_verified as is_verified,
        (select count(*) from second_factors where user_id = ${id})
          + (select count(*) from passkeys where user_id = ${id})
          + (select count(*) from oidc_identities where user_id = ${id}) as left
      from users
      where id = ${id}`
    assert.equal({ ...row }, after)
    const answer = (await anonymous.post('/api/auth/login', { email, password })).json()
    assert.is(answer.requires2FA, after.left > 0 ? true : undefined)
    const subject = server.received.at(-1)?.headers['subject'] ?? ''
    assert.is(subject.includes('all other ways to sign in were removed'), after.left === 0)
  })
}

reset('should show no token in the database, in the log or in an answer', async () => {
  // Refuses connections.
  await useMailServer(admin, 1)
  const asked = await request(email)
  const stored = await service.database.sql<{ content: Buffer }[]>`
    select content_sealed as content
    from emails`
  const token = /#token=([\w-]{43})/.exec(service.keys.unseal(stored[0]!.content))![1]!
  const tables = [
    await service.database.sql`select encode(token_hash, 'base64') from password_resets`,
    await service.database.sql`select encode(content_sealed, 'escape') from emails`,
  ]
  for (const place of [JSON.stringify(tables), asked.body, service.logLines.join('')]) {
    assert.not.match(place, token)
  }
  assert.is((await verify(token)).status, 200)
})

reset('should accept three requests an hour from one IP address, sign-ups included', async () => {
  const limited = await startService()
  const client = limited.client()
  const statuses: number[] = []
  for (let n = 0; n < 4; n += 1) {
    const answer = await client.post(`${route}/request`, { email: `a${n}@example.org` })
    statuses.push(answer.status)
  }
  assert.equal(statuses, [200, 200, 200, 429])
  // Sign-ups count with them.
  assert.is((await client.post('/api/auth/sign-up/request', { email })).status, 429)
  assert.is((await client.post(`${route}/verify`, { token: 'x' })).status, 403)
  limited.clock.advance(hourMs + 1)
  assert.is((await client.post(`${route}/request`, { email })).status, 200)
})
