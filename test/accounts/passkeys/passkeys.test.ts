import { generateKeyPairSync } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { relyingPartyOf } from '../../../src/accounts/passkeys/ceremonies.ts'
import { Authenticator, type Misbehaviour } from '../../helpers/authenticator.ts'
import { assertError, okay, pluck, type Answer, type Client } from '../../helpers/client.ts'
import { startService } from '../../helpers/service.ts'
import { appOf, enrol, newPerson, person, type Person } from '../people.ts'

const passkeys = suite('passkeys')
const origin = 'https://transfer.test'
const minuteMs = 60_000
let ann: Person

const service = await startService({ env: { RATE_LIMIT_LOGIN: 'off', BASE_URL: origin } })
const chief: Person = await person(service, 'chief@example.org', { isAdmin: true })
await enrol(service, chief.client)
passkeys.before.each(async () => {
  ann = await newPerson(service)
})

/** Runs a test while the settings demand a second factor. */
async function whileRequired(work: () => Promise<void>): Promise<void> {
  const set = async (require2FA: boolean) => {
    const administrator = await chief.signIn()
    await okay(administrator.put('/api/config', { require2FA }))
  }
  await set(true)
  try {
    await work()
  } finally {
    await set(false)
  }
}

const optionsFor = async (client: Client) =>
  (await client.post('/api/passkeys/register/options')).json()

const register = async (client: Client, name?: string) => {
  const key = new Authenticator(origin)
  const made = key.create(await optionsFor(client))
  const answer = await okay(client.post('/api/passkeys/register/verify', { ...made, name }))
  return { key, id: answer.json().id as string }
}

const signInOptions = async () => (await service.client().post('/api/passkeys/auth/options')).json()

const verify = (body: object, client = service.client()): Promise<Answer> =>
  client.post('/api/passkeys/auth/verify', body)

const signIn = async (key: Authenticator, wrong: Misbehaviour = {}) =>
  verify(key.get(await signInOptions(), wrong))

const login = ({ email, password }: Person) =>
  service.client().post('/api/auth/login', { email, password })

const eventsOf = async (event: string) =>
  service.database.sql<{ targetName: string; details: any }[]>`
    select target_name, details from audit where event = ${event} order by id desc`

passkeys('should offer options without a list, that name no account', async () => {
  const { challenge, ...options } = await optionsFor(ann.client)
  const { id: handle, ...user } = options.user
  assert.equal(user, { name: ann.email, displayName: ann.email })
  assert.not.match(Buffer.from(handle, 'base64url').toString('latin1'), ann.email)
  assert.is((await optionsFor(ann.client)).user.id, handle)
  assert.equal(options.rp, { id: 'transfer.test', name: 'Transfer' })
  assert.is(options.attestation, 'none')
  assert.equal(options.authenticatorSelection, {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  })
  const { challenge: another, ...request } = await signInOptions()
  assert.equal(request, {
    timeout: 5 * minuteMs,
    rpId: 'transfer.test',
    allowCredentials: [],
    userVerification: 'required',
  })
  assert.is.not(challenge, another)
})

passkeys('should add, list, rename, use and remove a passkey', async () => {
  const { key, id } = await register(ann.client, ' Phone ')
  const [listed] = (await ann.client.get('/api/passkeys')).json()
  assert.equal(
    { ...listed, created_at: '' },
    { id, name: 'Phone', created_at: '', last_used_at: null },
  )
  const { excludeCredentials } = await optionsFor(ann.client)
  assert.equal(excludeCredentials, [{ id: key.id, type: 'public-key', transports: ['internal'] }])
  const renamed = await ann.client.patch(`/api/passkeys/${id}`, { name: 'Tablet' })
  assert.is(renamed.json().name, 'Tablet')
  const signedIn = await signIn(key)
  assert.is(signedIn.json().user.email, ann.email)
  assert.match(String(signedIn.headers['set-cookie']), '__Host-')
  const phone = service.client()
  phone.token = signedIn.json().token
  assert.is((await phone.get('/api/account')).status, 200)
  assert.ok((await ann.client.get('/api/passkeys')).json()[0].last_used_at)
  assert.equal((await ann.client.get('/api/auth/2fa/status')).json().hasPasskey, true)
  assert.is((await ann.client.delete(`/api/passkeys/${id}`)).status, 200)
  assert.equal((await ann.client.get('/api/passkeys')).json(), [])
  // The session that it started has ended with it; the one that removed it has not.
  assertError(await phone.get('/api/account'), 401, 'unauthorized')
  assertError(await signIn(key), 401, 'wrong_passkey')
  assert.is((await eventsOf('login.succeeded'))[0]!.details.second_factor, 'passkey')
})

const { privateKey: foreignKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const wrongs: readonly (readonly [string, Misbehaviour])[] = [
  ['of another origin', { origin: 'https://transfer.test.evil.example' }],
  ['of another port', { origin: `${origin}:8443` }],
  ['for another service', { rpId: 'evil.example' }],
  ['in a frame of another site', { crossOrigin: true }],
  ['without user verification', { isVerified: false }],
  ['for a challenge that is not ours', { challenge: 'AAAA' }],
  ['for the other ceremony', { type: 'webauthn.other' }],
]

for (const [name, wrong] of wrongs) {
  passkeys(`should refuse to add and to use a passkey ${name}`, async () => {
    const made = new Authenticator(origin).create(await optionsFor(ann.client), wrong)
    assertError(await ann.client.post('/api/passkeys/register/verify', made), 400, 'invalid_input')
    const { key } = await register(ann.client)
    assertError(await signIn(key, wrong), 401, 'wrong_passkey')
    assert.is((await signIn(key)).status, 200)
  })
}

const forged: readonly (readonly [string, Misbehaviour])[] = [
  ['signed by another key', { key: foreignKey }],
  ['without its account', { userHandle: undefined }],
  ['of another account', { userHandle: 'AAAA' }],
]

for (const [name, wrong] of forged) {
  passkeys(`should refuse a signature ${name} like an unknown passkey, and record it`, async () => {
    const { key } = await register(ann.client)
    const refused = await signIn(key, wrong)
    assertError(refused, 401, 'wrong_passkey')
    const [failure] = await eventsOf('login.failed')
    assert.equal(failure, { targetName: ann.email, details: { step: 'passkey' } })
    const unknown = await signIn(new Authenticator(origin))
    assert.equal([unknown.status, unknown.json()], [refused.status, refused.json()])
  })
}

passkeys('should accept an answer once, also of two at the same time', async () => {
  const { key } = await register(ann.client)
  const options = await signInOptions()
  const answers = [key.get(options), key.get(options)]
  const [first, second] = await Promise.all(answers.map((body) => verify(body)))
  assert.is(first!.status + second!.status, 200 + 401)
  assertError(await verify(answers[1]!), 401, 'wrong_passkey')
  const registration = await optionsFor(ann.client)
  const paths = [1, 2].map(() => new Authenticator(origin).create(registration))
  const added = await Promise.all(
    paths.map((body) => ann.client.post('/api/passkeys/register/verify', body)),
  )
  assert.is(added[0]!.status + added[1]!.status, 200 + 400)
})

passkeys('should refuse a challenge after five minutes, and forget the used ones', async () => {
  const { key } = await register(ann.client)
  await signIn(key)
  const options = await signInOptions()
  const registration = await optionsFor(ann.client)
  service.clock.advance(5 * minuteMs)
  await service.app.services.auth.removeEndedSessions()
  assert.is((await service.database.sql`select from used_challenges`).count, 0)
  assertError(await verify(key.get(options)), 401, 'wrong_passkey')
  const late = new Authenticator(origin).create(registration)
  assertError(await ann.client.post('/api/passkeys/register/verify', late), 400, 'invalid_input')
  assert.is((await signIn(key)).status, 200)
})

passkeys('should keep challenges of sessions and purposes apart', async () => {
  const bob = await newPerson(service, 'bob')
  const { key } = await register(bob.client)
  const own = await optionsFor(ann.client)
  const other = await optionsFor(bob.client)
  for (const [client, options] of [
    [ann.client, other],
    [await ann.signIn(), own],
    [ann.client, { ...own, challenge: (await signInOptions()).challenge }],
  ] as const) {
    const made = new Authenticator(origin).create(options)
    assertError(await client.post('/api/passkeys/register/verify', made), 400, 'invalid_input')
  }
  const signedFor = { ...(await signInOptions()), challenge: other.challenge }
  assertError(await verify(key.get(signedFor)), 401, 'wrong_passkey')
})

passkeys('should refuse a passkey of another account, and another half of one', async () => {
  const { key } = await register(ann.client)
  const bob = await newPerson(service, 'bob')
  const again = await bob.client.post(
    '/api/passkeys/register/verify',
    key.create(await optionsFor(bob.client)),
  )
  assertError(again, 409, 'conflict')
  const [{ id }] = (await ann.client.get('/api/passkeys')).json()
  for (const method of ['PATCH', 'DELETE']) {
    const json = { name: 'A' }
    assertError(await bob.client.call(method, `/api/passkeys/${id}`, { json }), 404, 'not_found')
  }
  const mixed = new Authenticator(origin).create(await optionsFor(bob.client))
  const other = new Authenticator(origin)
  const answer = await bob.client.post('/api/passkeys/register/verify', {
    ...mixed,
    id: other.id,
    rawId: other.id,
  })
  assertError(answer, 400, 'invalid_input')
})

passkeys('should refuse a copy of a passkey, and tell its owner', async () => {
  const { key } = await register(ann.client)
  assert.is((await signIn(key)).status, 200)
  assertError(await signIn(key, { counter: 2 }), 401, 'wrong_passkey')
  assertError(await signIn(key, { counter: 0 }), 401, 'wrong_passkey')
  const refused = await eventsOf('passkey.refused')
  assert.equal(pluck(refused.slice(0, 2), 'targetName'), ['Passkey', 'Passkey'])
  // A wrong signature with a small counter is no copy.
  const before = refused.length
  assertError(await signIn(key, { counter: 0, key: foreignKey }), 401, 'wrong_passkey')
  assert.is((await eventsOf('passkey.refused')).length, before)
  assert.is((await signIn(key)).status, 200)
})

passkeys('should accept a passkey that counts no signatures, with any attestation', async () => {
  const key = new Authenticator(origin, { counts: false })
  const made = key.create(await optionsFor(ann.client), { format: 'packed' })
  assert.is((await ann.client.post('/api/passkeys/register/verify', made)).status, 200)
  for (const _time of [1, 2]) assert.is((await signIn(key)).status, 200)
})

passkeys('should count as the second factor that is required', () =>
  whileRequired(async () => {
    assertError(await ann.client.get('/api/shares'), 403, 'second_factor_required')
    const stranger = await ann.signIn()
    const { key, id } = await register(ann.client)
    assert.is((await ann.client.get('/api/shares')).status, 200)
    // Sessions that were started without it could otherwise do everything from now on.
    assertError(await stranger.get('/api/account'), 401, 'unauthorized')
    const { methods, token } = (await login(ann)).json()
    assert.equal([methods, token], [['passkey'], undefined])
    assertError(await ann.client.delete(`/api/passkeys/${id}`), 409, 'last_factor')
    assert.is((await signIn(key)).status, 200)
    await register(ann.client)
    assert.is((await ann.client.delete(`/api/passkeys/${id}`)).status, 200)
    assert.is((await ann.client.get('/api/shares')).status, 200)
  }),
)

passkeys('should end sessions without a passkey once the settings demand one', async () => {
  const { key } = await register(ann.client)
  const byPassword = await ann.signIn()
  const byPasskey = service.client()
  byPasskey.token = (await signIn(key)).json().token
  await whileRequired(async () => {
    assertError(await byPassword.post('/api/passkeys/register/options'), 401, 'unauthorized')
    assertError(await byPassword.post('/api/auth/2fa/setup'), 401, 'unauthorized')
    assert.is((await byPasskey.get('/api/shares')).status, 200)
  })
})

passkeys('should need a fresh session, which a passkey confirms', async () => {
  const { key, id } = await register(ann.client)
  const other = await person(service, `other${ann.id}@example.org`)
  const { key: foreign } = await register(other.client)
  const late = key.create(await optionsFor(ann.client))
  service.clock.advance(10 * minuteMs)
  for (const [method, path, json] of [
    ['POST', '/api/passkeys/register/options', {}],
    ['POST', '/api/passkeys/register/verify', late],
    ['DELETE', `/api/passkeys/${id}`, undefined],
  ] as const) {
    assertError(await ann.client.call(method, path, { json }), 403, 'confirmation_required')
  }
  const confirm = async (with_: Authenticator, client = ann.client) => {
    const options = (await client.post('/api/passkeys/confirm/options')).json()
    return ann.client.post('/api/auth/confirm', { passkey: with_.get(options) })
  }
  assertError(await confirm(foreign), 401, 'wrong_passkey')
  assertError(await confirm(key, await ann.signIn()), 401, 'wrong_passkey')
  const forSignIn = { passkey: key.get(await signInOptions()) }
  assertError(await ann.client.post('/api/auth/confirm', forSignIn), 401, 'wrong_passkey')
  const forSession = (await ann.client.post('/api/passkeys/confirm/options')).json()
  assertError(await verify(key.get(forSession)), 401, 'wrong_passkey')
  assert.is((await ann.client.post('/api/auth/confirm')).json().field, 'currentPassword')
  assert.is((await confirm(key)).status, 200)
  assert.is((await ann.client.delete(`/api/passkeys/${id}`)).status, 200)
})

/** Changes that take the password or a confirmed session, in an order that keeps both. */
const changesOf = (code: string) =>
  [
    ['PATCH', '/api/account', { email: `new${ann.id}@example.org` }],
    ['POST', '/api/tokens', { name: 'x', scopes: ['read'], expiresAt: null }],
    ['POST', '/api/account/password', { newPassword: 'quite another one' }],
    ['POST', '/api/auth/2fa/enable', { code }],
    ['POST', '/api/auth/2fa/recovery-codes', {}],
    ['POST', '/api/auth/2fa/disable', {}],
    ['DELETE', '/api/account', {}],
  ] as const

const confirmBy = async (key: Authenticator) => {
  const options = (await ann.client.post('/api/passkeys/confirm/options')).json()
  await okay(ann.client.post('/api/auth/confirm', { passkey: key.get(options) }))
}

passkeys('should take the place of the password in changes, for ten minutes', async () => {
  const { key } = await register(ann.client)
  ann.client.token = (await signIn(key)).json().token
  const app = appOf(service, (await ann.client.post('/api/auth/2fa/setup')).json().secret)
  for (const [method, path, json] of changesOf(app.code(1))) {
    service.clock.advance(10 * minuteMs)
    const late = await ann.client.call(method, path, { json: { ...json, code: app.code(1) } })
    assert.is(late.json().field, 'currentPassword', path)
    await confirmBy(key)
    const sent = 'code' in json ? { code: app.code() } : json
    await okay(ann.client.call(method, path, { json: sent }))
  }
})

passkeys('should be needed beside the password where the settings demand two steps', () =>
  whileRequired(async () => {
    const { key, id } = await register(ann.client)
    const needsPasskey = async () =>
      (await ann.client.get('/api/auth/2fa/status')).json().needsPasskey as boolean
    assert.is(await needsPasskey(), true)
    const app = appOf(service, (await ann.client.post('/api/auth/2fa/setup')).json().secret)
    service.clock.advance(10 * minuteMs)
    const { password: currentPassword } = ann
    const requireAll = async (sent: Promise<Answer>) => {
      const refused = await sent
      assertError(refused, 403, 'confirmation_required')
      assert.is(refused.json().factors, 'all')
    }
    for (const withPassword of [false, true]) {
      if (withPassword) await okay(ann.client.post('/api/auth/confirm', { currentPassword }))
      await requireAll(ann.client.post('/api/passkeys/register/options'))
      await requireAll(ann.client.delete(`/api/passkeys/${id}`))
      for (const [method, path, json] of changesOf(app.code())) {
        if (/codes|disable/.test(path)) continue
        await requireAll(ann.client.call(method, path, { json: { ...json, currentPassword } }))
      }
    }
    await okay(ann.client.delete('/api/account/sessions'))
    await confirmBy(key)
    await okay(ann.client.post('/api/auth/2fa/enable', { currentPassword, code: app.code() }))
    assert.is(await needsPasskey(), false)
  }),
)

passkeys('should keep at most 20 for an account', async () => {
  for (let count = 0; count < 19; count += 1) await register(ann.client)
  const options = await optionsFor(ann.client)
  await register(ann.client)
  const late = new Authenticator(origin).create(options)
  const answer = await ann.client.post('/api/passkeys/register/verify', late)
  assertError(answer, 409, 'too_many_passkeys')
  assert.is(answer.json().limit, 20)
  assertError(await ann.client.post('/api/passkeys/register/options'), 409, 'too_many_passkeys')
})

passkeys('should lose them with a reset by an administrator, and with the account', async () => {
  const { key } = await register(ann.client)
  const administrator = await chief.signIn()
  assert.is((await administrator.post(`/api/users/${ann.id}/2fa/reset`)).status, 200)
  assertError(await signIn(key), 401, 'wrong_passkey')
  ann = { ...ann, client: await ann.signIn() }
  const { key: next } = await register(ann.client)
  assert.is((await administrator.delete(`/api/users/${ann.id}`)).status, 200)
  assertError(await signIn(next), 401, 'wrong_passkey')
})

passkeys('should delay wrong signatures, and guesses at the password apart from them', async () => {
  const { key } = await register(ann.client)
  const client = service.client()
  const from = (last: number) => ({ 'x-forwarded-for': `203.0.113.${last}` })
  for (let count = 0; count < 12; count += 1) {
    await client.post('/api/auth/login', { email: ann.email, password: 'wrong' }, from(count))
  }
  assert.is((await login(ann)).status, 429)
  assert.is((await signIn(key)).status, 200)
})

const baseUrls: readonly (readonly [baseUrl: string, rpId: string | null])[] = [
  ['http://transfer.test', null],
  ['https://192.0.2.1', null],
  ['https://[2001:db8::1]:8443', null],
  ['http://localhost:8080', 'localhost'],
  ['https://transfer.test:8443/files', 'transfer.test'],
]

passkeys('should exist only where browsers have them', async () => {
  for (const [baseUrl, rpId] of baseUrls) assert.is(relyingPartyOf(baseUrl)?.id ?? null, rpId)
  const onHttp = await startService()
  for (const path of ['auth/options', 'register/options']) {
    assertError(await (await onHttp.admin()).post(`/api/passkeys/${path}`), 409, 'https_required')
  }
})

passkeys('should keep the session that removes its passkey where one is required', async () => {
  const { key, id } = await register(ann.client)
  await register(ann.client)
  const session = service.client()
  session.token = (await signIn(key)).json().token
  await whileRequired(async () => {
    assert.is((await session.delete(`/api/passkeys/${id}`)).status, 200)
    assert.is((await session.get('/api/shares')).status, 200)
  })
})
