// Authentication of requests, and what other sites may not cause (design, section 7: credentials).
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, sessionCookie, setCookie, type Answer } from '../../helpers/client.ts'
import { adminEmail, adminPassword, startService } from '../../helpers/service.ts'
import { Keys } from '../../../src/accounts/sign-in/keys.ts'
import { Tokens } from '../../../src/accounts/sign-in/tokens.ts'
import { remove } from '../../../src/accounts/api-tokens/api-tokens.ts'
import { operator } from '../../../src/lib/actor.ts'
import type { Clock } from '../../../src/lib/clock.ts'
import { apiTokenInput } from '../people.ts'

const dayMs = 86_400_000
const right = { email: adminEmail, password: adminPassword }

const service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
const client = service.client()

const newToken = async (): Promise<string> => (await service.admin()).token ?? ''

const list = (headers: Record<string, string>): Promise<Answer> =>
  client.get('/api/shares', headers)

const headers = suite('credentials')
headers.before.each(() => client.cookies.clear())

headers('should accept a Bearer token, in any case of its scheme', async () => {
  const token = await newToken()
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer  ']) {
    assert.is((await list({ authorization: `${scheme} ${token}` })).status, 200, scheme)
  }
})

headers('should prefer an Authorization header to a valid cookie', async () => {
  const token = await newToken()
  const ended = await newToken()
  await client.post('/api/auth/logout', {}, { authorization: `Bearer ${ended}` })
  const upload = (
    await client.post('/api/shares/init', {}, { authorization: `Bearer ${token}` })
  ).json()
  const useless = [
    'Bearer',
    'Bearer ',
    'Bearer x',
    `Bearer ${ended}`,
    `Bearer ${token}x`,
    `Bearer ${token} ${token}`,
    `Token ${token}`,
    `Basic ${Buffer.from(`${adminEmail}:${adminPassword}`).toString('base64')}`,
    token,
    `Bearer ${upload.uploadToken}`,
  ]
  for (const authorization of useless) {
    assertError(
      await list({ authorization, cookie: sessionCookie(client, token) }),
      401,
      'unauthorized',
    )
  }
  const good = { authorization: `Bearer ${token}`, cookie: sessionCookie(client, ended) }
  assert.is((await list(good)).status, 200)
})

headers('should refuse tokens signed by others, or for another purpose', async () => {
  const [head = '', payload = '', signature = ''] = (await newToken()).split('.')
  const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const forged = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp + 1 })).toString(
    'base64url',
  )
  const cut = signature.slice(0, -4)
  for (const bad of [
    `${none}.${payload}.`,
    `${none}.${payload}.${signature}`,
    `${head}.${forged}.${signature}`,
    `${head}.${payload}.${cut}`,
    `${head}.${payload}.`,
    `${head}.${payload}`,
    'null',
    'x'.repeat(5000),
  ]) {
    assertError(await list({ authorization: `Bearer ${bad}` }), 401, 'unauthorized')
    assertError(await list({ cookie: sessionCookie(client, bad) }), 401, 'unauthorized')
  }
})

headers('should not be required for public operations, nor cause a refusal there', async () => {
  const owner = await service.admin()
  const shareId = await owner.share({ a: 'content' })
  const protectedId = await owner.share({ a: 'content' }, { password: 'pw' })
  for (const authorization of ['Bearer invalid', 'Basic eDp5', `Bearer ${owner.token}`]) {
    assert.is((await client.get(`/api/public/shares/${shareId}`, { authorization })).status, 200)
    const verify = await client.post(
      `/api/shares/${shareId}/verify`,
      { password: '' },
      { authorization },
    )
    assert.is(verify.status, 200)
    assert.is((await client.get(`/api/shares/${shareId}/download`, { authorization })).status, 200)
    assert.is((await client.post('/api/auth/login', right, { authorization })).status, 200)
    client.cookies.clear()
    const locked = await client.get(`/api/shares/${protectedId}/download`, { authorization })
    // Owners download their shares without the link's password.
    if (authorization.endsWith(owner.token!)) assert.is(locked.status, 200)
    else assertError(locked, 401, 'password_required')
  }
})

const sessions = suite('sessions')
sessions.before.each(() => client.cookies.clear())

sessions('should end the session in use when signing out, and clear the cookie', async () => {
  const bearer = await newToken()
  const cookie = await newToken()
  const both = { authorization: `Bearer ${bearer}`, cookie: sessionCookie(client, cookie) }
  const answer = await client.post('/api/auth/logout', {}, both)
  assert.equal(answer.json(), { success: true })
  assert.match(
    String(answer.headers['set-cookie']),
    /^transfer_session_[\w-]{8}=; Path=\/; Max-Age=0;/,
  )
  assertError(await list({ authorization: `Bearer ${bearer}` }), 401)
  assert.is((await list({ cookie: sessionCookie(client, cookie) })).status, 200)
  await client.post('/api/auth/logout', {}, { cookie: sessionCookie(client, cookie) })
  assertError(await list({ cookie: sessionCookie(client, cookie) }), 401)
})

for (const [idleDays, lifeDays] of [
  [7, 30],
  [2, 3],
] as const) {
  const title = `should expire after ${idleDays} idle days, and ${lifeDays} in total`
  sessions(title, async () => {
    const json = { sessionIdleDays: idleDays, sessionLifeDays: lifeDays }
    assert.is((await (await service.admin()).put('/api/config', json)).status, 200)
    const idle = { authorization: `Bearer ${await newToken()}` }
    const used = { authorization: `Bearer ${await newToken()}` }
    for (let day = 1; day < lifeDays; day += 1) {
      service.clock.advance(dayMs)
      assert.is((await list(used)).status, 200, `day ${day}`)
      if (day === idleDays) assertError(await list(idle), 401)
    }
    service.clock.advance(dayMs)
    assertError(await list(used), 401)
  })
}

sessions('should expire after 12 hours unless they are remembered', async () => {
  const answer = await client.post('/api/auth/login', { ...right, remember: false })
  client.cookies.clear()
  const short = { authorization: `Bearer ${answer.json().token}` }
  const remembered = { authorization: `Bearer ${await newToken()}` }
  service.clock.advance(12 * 60 * 60_000 - 1000)
  assert.is((await list(short)).status, 200)
  service.clock.advance(1000)
  assertError(await list(short), 401)
  assert.is((await list(remembered)).status, 200)
})

for (const [scheme, secure] of [
  ['http', ''],
  ['https', '; Secure'],
] as const) {
  const cookies = suite(`cookies on ${scheme}`)
  const env = { RATE_LIMIT_LOGIN: 'off', BASE_URL: `${scheme}://transfer.test` }
  const service = await startService({ env })
  const client = service.client()

  cookies('should carry the session out of reach of scripts and other sites', async () => {
    const answer = await client.post('/api/auth/login', right)
    const attributes = `Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax${secure}`
    const session = setCookie(answer, 'session')
    assert.is(session.startsWith('__Host-'), scheme === 'https')
    assert.is(session.slice(session.indexOf('=') + 1), `${answer.json().token}; ${attributes}`)
    assert.match(setCookie(answer, 'device'), /; HttpOnly; SameSite=Strict(; Secure)?$/)
    client.token = null
    assert.is((await client.get('/api/shares')).status, 200)
    assert.is(answer.headers['strict-transport-security'] !== undefined, scheme === 'https')
  })

  cookies('should accept the session only from the cookie of this scheme', async () => {
    const cookie = sessionCookie(await service.admin())
    const other = scheme === 'http' ? `__Host-${cookie}` : cookie.replace('__Host-', '')
    client.cookies.clear()
    assert.is((await client.get('/api/shares', { cookie })).status, 200)
    assertError(await client.get('/api/shares', { cookie: other }), 401)
  })
}

const sites = suite('other sites')
sites.before.each(() => client.cookies.clear())

const allowed: Record<string, string>[] = [
  {},
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': 'same-origin', origin: 'https://another.test' },
  { origin: 'own' },
]
/** Beside those of security/requests.test.ts, which each operation refuses. */
const refused: Record<string, string>[] = [
  { 'sec-fetch-site': 'nonsense' },
  { 'sec-fetch-site': 'cross-site', origin: 'own' },
  { origin: 'http://127.0.0.1' },
  { origin: '' },
]

/** The headers of a browser on our own page: only the test knows the port. */
function fill(fields: Record<string, string>): Record<string, string> {
  return fields['origin'] === 'own' ? { ...fields, origin: service.url } : fields
}

sites('should create no shares, which our own pages may', async () => {
  const cookie = sessionCookie(client, await newToken())
  const init = (fields: Record<string, string>) =>
    client.post('/api/shares/init', {}, { ...fill(fields), cookie })
  for (const fields of refused) assertError(await init(fields), 403, 'cross_site')
  for (const fields of allowed) assert.is((await init(fields)).status, 200, JSON.stringify(fields))
})

sites('should be allowed to read, and to send requests with a Bearer token', async () => {
  const token = await newToken()
  const fields = { 'sec-fetch-site': 'cross-site', authorization: `Bearer ${token}` }
  assert.is((await client.post('/api/shares/init', {}, fields)).status, 200)
  const cookie = { 'sec-fetch-site': 'cross-site', cookie: sessionCookie(client, token) }
  assert.is((await list(cookie)).status, 200)
})

sessions('should end with a shorter total time that is set later', async () => {
  const set = async (sessionLifeDays: number) => {
    const changed = await (await service.admin()).put('/api/config', { sessionLifeDays })
    assert.is(changed.status, 200)
  }
  await set(30)
  const old = { authorization: `Bearer ${await newToken()}` }
  service.clock.advance(dayMs)
  await set(2)
  assert.is((await list(old)).status, 200)
  service.clock.advance(dayMs)
  assertError(await list(old), 401)
  await set(30)
})

sessions('should be idle from their last use on, although the clock was ahead before', async () => {
  await (await service.admin()).put('/api/config', { sessionIdleDays: 7, sessionLifeDays: 30 })
  const session = { authorization: `Bearer ${await newToken()}` }
  service.clock.jump(5 * dayMs)
  assert.is((await list(session)).status, 200)
  service.clock.jump(-5 * dayMs)
  assert.is((await list(session)).status, 200)
  service.clock.advance(7 * dayMs)
  assertError(await list(session), 401)
})

const tokens = suite('auth: upload tokens')

tokens('should be checked again for time and purpose, even when known', async () => {
  const now = { ms: Date.now() }
  const clock = { now: () => now.ms, monotonic: () => 0 }
  const signer = new Tokens(new Keys('a secret of this test'), clock as Clock)
  const token = await signer.sign('upload', { subject: 'a'.repeat(22) }, 60_000)
  const claims = { subject: 'a'.repeat(22) }
  assert.equal(await signer.read('upload', token), claims)
  assert.equal(await signer.read('upload', token), claims)
  for (const other of ['session', 'unlock', 'deliver'] as const) {
    assert.is(await signer.read(other, token), null)
  }
  assert.is(await signer.read('upload', `${token.slice(0, -2)}xx`), null)
  now.ms += 59_000
  assert.equal(await signer.read('upload', token), claims)
  now.ms += 2_000
  assert.is(await signer.read('upload', token), null)
  const sealed = new Tokens(new Keys('another secret'), clock as Clock)
  now.ms -= 61_000
  assert.is(await sealed.read('upload', token), null)
})

tokens('should survive the session that created the draft', async () => {
  const drafter = await service.admin()
  const authorization = `Bearer ${drafter.token}`
  const draft = (await client.post('/api/shares/init', {}, { authorization })).json()
  await client.post('/api/auth/logout', {}, { authorization })
  client.token = draft.uploadToken
  try {
    assert.is((await client.chunk(draft.shareId, 'f', 0, 'abc')).status, 200)
    const listed = [{ fileId: 'f', originalName: 'a', size: 3 }]
    // The token is only good for sending to its draft.
    assertError(await client.get('/api/shares'), 401)
    assertError(await client.delete(`/api/shares/${draft.shareId}`), 401)
    assertError(await client.post('/api/shares/init'), 401)
    const owner = await service.admin()
    assertError(await client.chunk(await owner.init(), 'f', 0, 'abc'), 404)
    assert.is((await client.finalize(draft.shareId, listed)).status, 200)
  } finally {
    client.token = null
  }
})

tokens('should end with all other sessions, and with the password', async () => {
  const owner = await service.user('uploader@example.org')
  const { shareId, uploadToken } = (await owner.post('/api/shares/init')).json()
  const complete = await owner.share({ a: 'content' })
  const additions = (await owner.post(`/api/shares/${complete}/additions`, {})).json()
  const send = async (token: string, id: string, key: string) => {
    const uploader = service.client()
    uploader.token = token
    return uploader.chunk(id, key, 0, 'abc')
  }
  assert.is((await send(uploadToken, shareId, 'f')).status, 200)
  assert.is((await send(additions.uploadToken, complete, 'f')).status, 200)
  assert.is((await owner.delete('/api/account/sessions')).status, 200)
  // The web UI continues with its session when a token is refused this way.
  assertError(await send(uploadToken, shareId, 'g'), 401, 'unauthorized')
  assertError(await send(additions.uploadToken, complete, 'g'), 401, 'unauthorized')
  assert.is((await owner.chunk(shareId, 'g', 0, 'abc')).status, 200)
  assert.is((await owner.chunk(complete, 'g', 0, 'abc')).status, 200)

  const again = (await owner.post(`/api/shares/${complete}/additions`, {})).json().uploadToken
  assert.is((await send(again, complete, 'h')).status, 200)
  const change = {
    currentPassword: 'password of uploader@example.org',
    newPassword: 'another password',
  }
  assert.is((await owner.post('/api/account/password', change)).status, 200)
  assertError(await send(again, complete, 'i'), 401, 'unauthorized')
})

tokens('should end with the API token or session that is ended from elsewhere', async () => {
  const owner = await service.user('revoker@example.org')
  const makeToken = async (): Promise<string> => {
    const input = await apiTokenInput(owner, { scopes: ['send'] })
    client.token = (await owner.post('/api/tokens', input)).json().token
    return (await owner.get('/api/tokens')).json()[0].id
  }
  const signIn = async (): Promise<string> => {
    const password = 'password of revoker@example.org'
    const answer = await client.post('/api/auth/login', { email: 'revoker@example.org', password })
    client.token = answer.json().token
    client.cookies.clear()
    const all: { id: string; current: boolean }[] = (
      await client.get('/api/account/sessions')
    ).json()
    return all.find(({ current }) => current)!.id
  }
  const { services } = service.app
  for (const [name, begin, end] of [
    ['revoked', makeToken, (id: string) => owner.delete(`/api/tokens/${id}`)],
    ['revoked by command', makeToken, (id: string) => remove(services, operator, id, null)],
    ['ended', signIn, (id: string) => owner.delete(`/api/account/sessions/${id}`)],
  ] as const) {
    const complete = await owner.share({ a: 'content' })
    const id = await begin()
    const draft = (await client.post('/api/shares/init')).json()
    const added = (await client.post(`/api/shares/${complete}/additions`, {})).json()
    for (const { shareId, uploadToken } of [draft, added]) {
      client.token = uploadToken
      assert.is((await client.chunk(shareId, 'f', 0, 'abc')).status, 200, name)
    }
    await end(id)
    for (const { shareId, uploadToken } of [draft, added]) {
      client.token = uploadToken
      assertError(await client.chunk(shareId, 'g', 0, 'abc'), 401, 'unauthorized')
      const files = [{ fileId: 'f', originalName: 'f', size: 3 }]
      assertError(await client.finalize(shareId, files), 401, 'unauthorized')
      assert.is((await owner.chunk(shareId, 'g', 0, 'abc')).status, 200, name)
    }
  }
  client.token = null
})
