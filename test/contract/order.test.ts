// The order of checks of design section 7: rate limit, 401, 403, an invalid path parameter,
// existence or ownership, state, body, conflict, limits. Each row breaks two rules at once and
// names the one that is answered.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Answer, Call, Client } from '../helpers/client.ts'
import { adminEmail, startService, type Service } from '../helpers/service.ts'
import { assertError } from './shapes.ts'

const order = suite('contract: order of checks')
let service: Service
let owner: Client
let other: Client
let anonymous: Client

order.before(async () => {
  service = await startService({ env: { RATE_LIMIT_LOGIN: '1/15m', RATE_LIMIT_UPLOAD: '3/1h' } })
  owner = await service.admin()
  other = await service.user('other@example.org')
  anonymous = service.client()
})
order.after(async () => {
  for (const client of [owner, other, anonymous]) await client.close()
  await service.stop()
})
order.before.each(() => {
  // Restores the limits of the previous test.
  service.clock.advance(3_600_001)
  anonymous.cookies.clear()
})

const badJson = { body: '{"name": ', headers: { 'content-type': 'application/json' } }
const crossSite = { 'sec-fetch-site': 'cross-site' }
const unknownShare = 'AAAAAAAAAAAAAAAAAAAAAA'
const impossible = 'a%20b'

/** Uses every token for chunks. */
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

interface Row {
  readonly first: string
  readonly second: string
  readonly status: number
  readonly code: string
  readonly run: () => Promise<Answer>
}

const rows: readonly Row[] = [
  {
    first: '404 for an unknown path',
    second: '401',
    status: 404,
    code: 'not_found',
    run: () => anonymous.post('/api/shares/x/y/z'),
  },
  {
    first: '405 for a known path',
    second: '401',
    status: 405,
    code: 'method_not_allowed',
    run: () => anonymous.call('PUT', '/api/shares'),
  },
  {
    first: 'the rate limit',
    second: '401 for a wrong password',
    status: 429,
    code: 'rate_limited',
    run: async () => {
      const attempt = { email: adminEmail, password: 'wrong' }
      await anonymous.post('/api/auth/login', attempt)
      return anonymous.post('/api/auth/login', attempt)
    },
  },
  {
    first: 'the rate limit',
    second: '403 for another site',
    status: 429,
    code: 'rate_limited',
    run: async () => {
      const attempt = { email: adminEmail, password: 'wrong' }
      await anonymous.post('/api/auth/login', attempt)
      return anonymous.post('/api/auth/login', attempt, crossSite)
    },
  },
  {
    first: 'the rate limit',
    second: '400 for a body that is not JSON',
    status: 429,
    code: 'rate_limited',
    run: async () => {
      await anonymous.post('/api/auth/login', { email: adminEmail, password: 'wrong' })
      return anonymous.call('POST', '/api/auth/login', badJson)
    },
  },
  {
    first: 'the rate limit',
    second: '401 without a session',
    status: 429,
    code: 'rate_limited',
    run: async () => {
      await useUpUploads()
      return anonymous.chunk(unknownShare, 'f1', 0, 'x')
    },
  },
  {
    first: '401',
    second: '403 for another site',
    status: 401,
    code: 'unauthorized',
    run: () => anonymous.post('/api/shares/init', {}, crossSite),
  },
  {
    first: '401 for a cookie without a session',
    second: '403 for another site',
    status: 401,
    code: 'unauthorized',
    run: () => anonymous.post('/api/shares/init', {}, { ...crossSite, cookie: 'session=none' }),
  },
  {
    first: '401',
    second: '404 for an invalid parameter',
    status: 401,
    code: 'unauthorized',
    run: () => anonymous.delete(`/api/shares/${impossible}`),
  },
  {
    first: '401',
    second: '404 for an unknown share',
    status: 401,
    code: 'unauthorized',
    run: () => anonymous.chunk(unknownShare, 'f1', 0, 'x'),
  },
  {
    first: '401',
    second: '409 for a complete share',
    status: 401,
    code: 'unauthorized',
    run: async () => anonymous.chunk(await owner.share({}), 'f1', 0, 'x'),
  },
  {
    first: '401',
    second: '400 for a body that is not JSON',
    status: 401,
    code: 'unauthorized',
    run: () => anonymous.call('POST', '/api/shares/init', badJson),
  },
  {
    first: '403 for another site',
    second: '404 for an unknown share',
    status: 403,
    code: 'cross_site',
    run: async () => {
      const cookie = `session=${owner.token}`
      const headers = { ...crossSite, cookie }
      return anonymous.call('DELETE', `/api/shares/${unknownShare}`, { headers })
    },
  },
  {
    first: '403 for another site',
    second: '400 for a body that is not JSON',
    status: 403,
    code: 'cross_site',
    run: () =>
      anonymous.call('POST', '/api/shares/init', {
        ...badJson,
        headers: { ...badJson.headers, ...crossSite, cookie: `session=${owner.token}` },
      }),
  },
  {
    first: '404 for an invalid parameter',
    second: '400 for a body that is not JSON',
    status: 404,
    code: 'not_found',
    run: () => owner.call('POST', `/api/shares/${impossible}/finalize`, badJson),
  },
  {
    first: '404 for an unknown share',
    second: '400 for a body that is not JSON',
    status: 404,
    code: 'not_found',
    run: () => owner.call('POST', `/api/shares/${unknownShare}/finalize`, badJson),
  },
  {
    first: '404 for an unknown share',
    second: '400 for a body that is not multipart',
    status: 404,
    code: 'not_found',
    run: () => owner.call('POST', `/api/shares/${unknownShare}/chunk`, badJson),
  },
  {
    first: '404 for an unknown share',
    second: '400 for an invalid query',
    status: 404,
    code: 'not_found',
    run: () => anonymous.get(`/api/shares/${unknownShare}/download?files=x`),
  },
  {
    first: "404 for another user's share",
    second: '409 because it is complete',
    status: 404,
    code: 'not_found',
    run: async () => other.chunk(await owner.share({}), 'f1', 0, 'x'),
  },
  {
    first: "404 for another user's share",
    second: '413 for the length of the body',
    status: 404,
    code: 'not_found',
    run: async () => other.chunk(await owner.init(), 'f1', 0, Buffer.alloc(102 * 1024 * 1024)),
  },
  {
    first: '404 for an unknown share',
    second: '400 without a password',
    status: 404,
    code: 'not_found',
    run: () => anonymous.post(`/api/shares/${unknownShare}/verify`, {}),
  },
  {
    first: '409 for a complete share',
    second: '400 for a body that is not multipart',
    status: 409,
    code: 'already_complete',
    run: () => lateChunk(badJson),
  },
  {
    first: '410 for an expired share',
    second: '400 for a body that is not multipart',
    status: 410,
    code: 'expired',
    run: async () => owner.call('POST', `/api/shares/${await expiredShare()}/chunk`, badJson),
  },
  {
    first: "404 for another user's share",
    second: '409 for a draft',
    status: 404,
    code: 'not_found',
    run: async () => other.post(`/api/shares/${await owner.init()}/additions`),
  },
  {
    first: '409 for a draft',
    second: '404 for an unknown file of it',
    status: 409,
    code: 'conflict',
    run: async () => owner.delete(`/api/shares/${await owner.init()}/files/2000000000`),
  },
  {
    first: '410 for an expired share',
    second: '404 for an unknown file of it',
    status: 410,
    code: 'expired',
    run: async () => owner.delete(`/api/shares/${await expiredShare()}/files/2000000000`),
  },
  {
    first: '409 for a complete share',
    second: '413 for the length of the body',
    status: 409,
    code: 'already_complete',
    run: () => lateChunk({ body: Buffer.alloc(102 * 1024 * 1024) }),
  },
  {
    first: '410 for an expired share',
    second: '400 without a password',
    status: 410,
    code: 'expired',
    run: async () => anonymous.post(`/api/shares/${await expiredShare()}/verify`, {}),
  },
  {
    first: '410 for an expired share',
    second: '401 for a wrong password',
    status: 410,
    code: 'expired',
    run: async () =>
      anonymous.post(`/api/shares/${await expiredShare()}/verify`, { password: 'x' }),
  },
  {
    first: '410 for an expired share',
    second: '401 without its password',
    status: 410,
    code: 'expired',
    run: async () => anonymous.get(`/api/shares/${await expiredShare()}/download`),
  },
  {
    first: '401 without its password',
    second: '404 for an unknown file of it',
    status: 401,
    code: 'password_required',
    run: async () => {
      const shareId = await owner.share({ a: 'content' }, { password: 'pw' })
      return anonymous.get(`/api/shares/${shareId}/files/2000000000`)
    },
  },
  {
    first: '400 without a password',
    second: '401 for a wrong password',
    status: 400,
    code: 'invalid_input',
    run: async () => {
      const shareId = await owner.share({}, { password: 'pw' })
      return anonymous.post(`/api/shares/${shareId}/verify`, { password: 7 })
    },
  },
  {
    first: '400 for an invalid list',
    second: '409 because it is complete with another list',
    status: 400,
    code: 'invalid_input',
    run: async () => {
      const files = [{ fileName: 'a', originalName: '../a', fileId: 'f', size: 1 }]
      return owner.post(`/api/shares/${await owner.share({})}/finalize`, { files })
    },
  },
]

for (const { first, second, status, code, run } of rows) {
  order(`should answer ${first} before ${second}`, async () => {
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

order.run()
