// Authentication of requests, and what other sites may not cause (design, section 7: credentials).
import { assert, suite } from '../../helpers/suite.ts'
import { assertError, sessionCookie, setCookie, type Answer } from '../../helpers/client.ts'
import { adminEmail, adminPassword, startService } from '../../helpers/service.ts'

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
