import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { invite } from '../../../src/accounts/invitations/account-links.ts'
import { operator } from '../../../src/lib/actor.ts'
import { Authenticator } from '../../helpers/authenticator.ts'
import { assertError, okay, pluck } from '../../helpers/client.ts'
import { startService, type ServiceOptions } from '../../helpers/service.ts'
import { apiTokenOf, enrol, newPerson, person, type Person } from '../people.ts'

const proxy = suite('sign-in: proxy')
const baseUrl = 'https://transfer.test'
let ann: Person

const start = (options: ServiceOptions, TRUST_PROXY = '127.0.0.1') =>
  startService({
    ...options,
    env: {
      BASE_URL: baseUrl,
      RATE_LIMIT_LOGIN: 'off',
      TRUST_PROXY,
      PROXY_USER_HEADER: 'Remote-Email',
      PROXY_LOGOUT_URL: 'https://auth.example.org/logout',
    },
  })

const service = await start({})
proxy.before.each(async () => {
  ann = await newPerson(service)
})

type Headers = Record<string, string | string[]>

const signIn = (headers: Headers, client = service.client(), json = {}) =>
  client.call('POST', '/api/auth/proxy', { json, headers: headers as Record<string, string> })

for (const [what, headers, status] of [
  ['its name in another case', () => ({ 'REMOTE-EMAIL': ann.email }), 200],
  ['an address in another case', () => ({ 'remote-email': ann.email.toUpperCase() }), 200],
  ['no header', () => ({}), 401],
  ['an empty header', () => ({ 'remote-email': '' }), 401],
  ['underscores', () => ({ remote_email: ann.email }), 401],
  ['the header of another proxy', () => ({ 'remote-user': ann.email }), 401],
  ['no email address', () => ({ 'remote-email': 'ann' }), 403],
  ['two addresses', () => ({ 'remote-email': `${ann.email}, bob@example.org` }), 403],
  ['the header twice', () => ({ 'remote-email': ['bob@example.org', ann.email] }), 403],
  ['the header twice alike', () => ({ 'remote-email': [ann.email, ann.email] }), 403],
  ['the header twice, once empty', () => ({ 'remote-email': ['', ann.email] }), 403],
] as const) {
  proxy(`should answer ${status} to ${what}`, async () => {
    const answer = await signIn(headers() as unknown as Headers)
    assert.is(answer.status, status, answer.body.toString())
    assert.is('set-cookie' in answer.headers, status === 200)
  })
}

proxy('should ignore the header of other peers', async () => {
  const other = await start({}, '192.0.2.1')
  const { email } = await person(other, 'ann@example.org')
  const client = other.client()
  for (const forwarded of [{}, { 'x-forwarded-for': '192.0.2.1' }]) {
    const headers = { 'remote-email': email, ...forwarded }
    assertError(await signIn(headers, client), 401, 'unauthorized')
    assert.not.match((await client.call('GET', '/login', { headers })).body.toString(), email)
  }
})

proxy('should take the header for no session, in no request', async () => {
  const headers = { 'remote-email': ann.email }
  const client = service.client()
  assertError(await client.call('GET', '/api/account', { headers }), 401, 'unauthorized')
  const json = { name: 'x' }
  assertError(await client.call('PATCH', '/api/account', { json, headers }), 401, 'unauthorized')
})

proxy('should end the session for requests of another user of the proxy', async () => {
  const client = service.client()
  const read = async (headers: Headers) => {
    const sent = headers as Record<string, string>
    return (await client.call('GET', '/api/account', { headers: sent })).status
  }
  assert.is((await signIn({ 'remote-email': ann.email }, client)).status, 200)
  assert.is(await read({ 'remote-email': ann.email.toUpperCase() }), 200)
  assert.is(await read({}), 200, 'a path that the proxy leaves open')
  for (const wrong of ['bob@example.org', 'bob', [ann.email, ann.email]]) {
    assert.is(await read({ 'remote-email': wrong }), 401)
  }
  // Credentials that the proxy has not given are their own.
  const headers = { 'remote-email': 'bob@example.org' }
  const token = await apiTokenOf(service, ann.client)
  for (const own of [ann.client, token]) {
    assert.is((await own.call('GET', '/api/account', { headers })).status, 200)
  }
})

proxy('should make accounts where the setting allows it, but never the first one', async () => {
  const { settings } = service.app.services
  const headers = { 'remote-email': `new${ann.id}@example.org` }
  assertError(await signIn(headers), 403, 'wrong_proxy_user')
  await settings.update(operator, { proxyAccounts: true })
  const empty = await start({ empty: true })
  try {
    await empty.app.services.settings.update(operator, { proxyAccounts: true })
    assertError(await signIn(headers, empty.client()), 403, 'wrong_proxy_user')
    const client = service.client()
    const { user } = (await signIn(headers, client)).json()
    assert.equal(
      [user.email, user.name, user.is_admin],
      [headers['remote-email'], `new${ann.id}`, false],
    )
    assert.is((await client.get('/api/auth/2fa/status')).json().hasPassword, false)
    assert.is((await signIn(headers)).json().user.id, user.id)
    const events = await service.database.sql<{ event: string; details: object }[]>`
      select event, details from audit where target_id = ${String(user.id)} order by id limit 2`
    assert.equal(pluck(events, 'event'), ['user.created', 'login.succeeded'])
    const details = [{ is_admin: false, provider: 'proxy' }, { second_factor: 'proxy' }]
    assert.equal(pluck(events, 'details'), details)
  } finally {
    await settings.update(operator, { proxyAccounts: false })
  }
})

proxy('should end an invitation, so that the account has no unknown password', async () => {
  const invited = { email: `invited${ann.id}@example.org`, name: 'Bo', isAdmin: false }
  const { link } = await invite(service.app.services, operator, invited)
  const client = service.client()
  assert.is((await signIn({ 'remote-email': invited.email }, client)).status, 200)
  assert.is((await client.get('/api/auth/2fa/status')).json().hasPassword, false)
  const token = link.url.split('#token=')[1]
  const accept = { token, password: 'quite another one' }
  const late = await service.client().post('/api/auth/invitation/accept', accept)
  assertError(late, 403, 'wrong_invitation')
})

proxy('should let nobody take the address of another user of the proxy', async () => {
  const json = { email: `victim${ann.id}@example.org`, currentPassword: ann.password }
  assertError(await ann.client.patch('/api/account', json), 403, 'forbidden')
  assert.is((await ann.client.patch('/api/account', { name: 'Ann' })).json().email, ann.email)
})

proxy('should open no account whose holder has entered an address without proof', async () => {
  // Changed while no proxy signed users in.
  await service.database.sql`update users set email_verified = false where id = ${ann.id}`
  assertError(await signIn({ 'remote-email': ann.email }), 403, 'wrong_proxy_user')
})

proxy('should prove no more than the account can, for sensitive actions', async () => {
  const headers = { 'remote-email': ann.email }
  const register = async () => {
    const client = service.client()
    await signIn(headers, client)
    return { client, answer: await client.post('/api/passkeys/register/options') }
  }
  assertError((await register()).answer, 403, 'confirmation_required')
  await service.database.sql`update users set password_hash = '' where id = ${ann.id}`
  const { client, answer } = await register()
  const key = new Authenticator(baseUrl)
  await okay(client.post('/api/passkeys/register/verify', key.create(answer.json())))
  assertError((await register()).answer, 403, 'confirmation_required')
})

proxy('should ask an account with an authenticator app for a code', async () => {
  const { app } = await enrol(service, ann.client)
  const headers = { 'remote-email': ann.email }
  const first = (await signIn(headers)).json()
  assert.equal(first, { requires2FA: true, email: ann.email, methods: ['code'] })
  assertError(await signIn(headers, service.client(), { code: app.code(9) }), 401, 'wrong_code')
  assert.is((await signIn(headers, service.client(), { code: app.code() })).json().success, true)
})

proxy('should name the user and the page to sign out to the pages', async () => {
  const headers = { 'remote-email': ann.email }
  for (const [path, expected] of [
    ['/login', ann.email],
    ['/', 'https://auth.example.org/logout'],
  ] as const) {
    const page = await service.client().call('GET', path, { headers })
    assert.match(page.body.toString(), expected)
  }
})
