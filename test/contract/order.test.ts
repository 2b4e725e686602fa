// The order of checks of design section 7: rate limit, 401, 403, an invalid path parameter,
// existence or ownership, state, body, conflict, limits. Each row breaks two rules at once and
// names the one that is answered.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, sessionCookie, type Answer, type Call } from '../helpers/client.ts'
import { adminEmail, startService } from '../helpers/service.ts'

const order = suite('contract: order of checks')

const service = await startService({
  env: { RATE_LIMIT_LOGIN: '1/15m', RATE_LIMIT_UPLOAD: '3/1h' },
})
const owner = await service.admin()
const other = await service.user('other@example.org')
const anonymous = service.client()
order.before.each(() => {
  // Restores the limits of the previous test.
  service.clock.advance(3_600_001)
  anonymous.cookies.clear()
})

const badJson = { body: '{"name": ', headers: { 'content-type': 'application/json' } }
const crossSite = { 'sec-fetch-site': 'cross-site' }
const unknownShare = 'AAAAAAAAAAAAAAAAAAAAAA'
const impossible = 'a%20b'

async function useUpUploads(): Promise<void> {
  const shareId = await owner.init()
  for (let index = 0; index < 3; index += 1) await owner.chunk(shareId, 'f1', index, 'x')
}

/** A chunk of a complete share, by its upload token: a session of the owner would open it again. */
async function lateChunk(call: Call): Promise<Answer> {
  const { shareId, uploadToken } = (await owner.post('/api/shares/init')).json()
  await owner.finalize(shareId, [])
  const headers = { ...call.headers, authorization: `Bearer ${uploadToken}` }
  return anonymous.call('POST', `/api/shares/${shareId}/chunk`, { ...call, headers })
}

async function expiredShare(): Promise<string> {
  const files = { a: 'content' }
  const input = { password: 'pw', expirationVal: 1, expirationUnit: 'Hours' }
  const shareId = await owner.share(files, input)
  service.clock.jump(3_600_001)
  return shareId
}

type Row = [first: string, second: string, code: string, run: () => Promise<Answer>]
const row = (...fields: Row): Row => fields

const wrong = { email: adminEmail, password: 'wrong' }
const login = (headers: Record<string, string> = {}) =>
  anonymous.post('/api/auth/login', wrong, headers)
const twice = async (send: () => Promise<Answer>) => login().then(() => send())
const notJson = '400 for a body that is not JSON'
const unknown = '404 for an unknown share'

/** Each first status is in the name. */
const rows: readonly Row[] = [
  row('404 for an unknown path', '401', 'not_found', () => anonymous.post('/api/shares/x/y/z')),
  row('405 for a known path', '401', 'method_not_allowed', () =>
    anonymous.call('PUT', '/api/shares'),
  ),
  row('the rate limit', '403 for another site', 'rate_limited', () =>
    twice(() => login(crossSite)),
  ),
  row('the rate limit', '401 without a session', 'rate_limited', async () => {
    await useUpUploads()
    return anonymous.chunk(unknownShare, 'f1', 0, 'x')
  }),
  row('401', '403 for another site', 'unauthorized', () =>
    anonymous.post('/api/shares/init', {}, crossSite),
  ),
  row('401', '404 for an invalid parameter', 'unauthorized', () =>
    anonymous.delete(`/api/shares/${impossible}`),
  ),
  row('403 for another site', unknown, 'cross_site', async () => {
    const cookie = sessionCookie(owner)
    const headers = { ...crossSite, cookie }
    return anonymous.call('DELETE', `/api/shares/${unknownShare}`, { headers })
  }),
  row(unknown, notJson, 'not_found', () =>
    owner.call('POST', `/api/shares/${unknownShare}/finalize`, badJson),
  ),
  row(unknown, '400 for an invalid query', 'not_found', () =>
    anonymous.get(`/api/shares/${unknownShare}/download?files=x`),
  ),
  row("404 for another user's share", '409 because it is complete', 'not_found', async () =>
    other.chunk(await owner.share({}), 'f1', 0, 'x'),
  ),
  row("404 for another user's share", '413 for the length of the body', 'not_found', async () =>
    other.chunk(await owner.init(), 'f1', 0, Buffer.alloc(102 * 1024 * 1024)),
  ),
  row('410 for an expired share', '400 for a body that is not multipart', 'expired', async () =>
    owner.call('POST', `/api/shares/${await expiredShare()}/chunk`, badJson),
  ),
  row('409 for a draft', '404 for an unknown file of it', 'conflict', async () =>
    owner.delete(`/api/shares/${await owner.init()}/files/2000000000`),
  ),
  row('409 for a complete share', '413 for the length of the body', 'already_complete', () =>
    lateChunk({ body: Buffer.alloc(102 * 1024 * 1024) }),
  ),
  row('410 for an expired share', '401 for a wrong password', 'expired', async () =>
    anonymous.post(`/api/shares/${await expiredShare()}/verify`, { password: 'x' }),
  ),
  row(
    '401 without its password',
    '404 for an unknown file of it',
    'password_required',
    async () => {
      const shareId = await owner.share({ a: 'content' }, { password: 'pw' })
      return anonymous.get(`/api/shares/${shareId}/files/2000000000`)
    },
  ),
  row('400 without a password', '401 for a wrong password', 'invalid_input', async () => {
    const shareId = await owner.share({}, { password: 'pw' })
    return anonymous.post(`/api/shares/${shareId}/verify`, { password: 7 })
  }),
  row(
    '400 for an invalid list',
    '409 because it is complete with another list',
    'invalid_input',
    async () => {
      const files = [{ fileName: 'a', originalName: '../a', fileId: 'f', size: 1 }]
      return owner.post(`/api/shares/${await owner.share({})}/finalize`, { files })
    },
  ),
]

for (const [first, second, code, run] of rows) {
  order(`should answer ${first} before ${second}`, async () => {
    const status = first === 'the rate limit' ? 429 : Number(first.slice(0, 3))
    assertError(await run(), status, code)
  })
}

order('should not count chunks that were refused before they were authorised', async () => {
  for (let index = 0; index < 5; index += 1) await anonymous.chunk(unknownShare, 'f1', 0, 'x')
  for (let index = 0; index < 5; index += 1) await owner.chunk(unknownShare, 'f1', 0, 'x')
  assert.is((await owner.chunk(await owner.init(), 'f1', 0, 'x')).status, 200)
})

order('should not count malformed sign-in attempts', async () => {
  for (const body of [{}, { email: 'no address', password: 'x' }, { email: adminEmail }]) {
    assertError(await anonymous.post('/api/auth/login', body), 400)
  }
  assertError(await anonymous.post('/api/auth/login', { email: adminEmail, password: 'x' }), 401)
})
