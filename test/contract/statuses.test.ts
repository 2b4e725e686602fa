// One row for every status of part 4. The last test proves that no row is missing.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Client, multipart, type Answer } from '../helpers/client.ts'
import { enableSecondFactor, type EnabledSecondFactor } from '../helpers/second-factor.ts'
import { adminEmail, adminPassword, startService, type Service } from '../helpers/service.ts'
import { operations } from './contract.ts'
import { assertError } from './shapes.ts'

const statuses = suite('contract: statuses')
const admin = { email: adminEmail, password: adminPassword }
const newUser = { email: 'x@example.org', password: 'long enough', name: 'New' }
const withFactor = { email: 'second@example.org', password: 'password of second@example.org' }

let service: Service
let owner: Client
let user: Client
let userId: number
let anonymous: Client
let factor: EnabledSecondFactor

statuses.before(async () => {
  service = await startService({ env: { RATE_LIMIT_LOGIN: '20/15m' } })
  owner = await service.admin()
  anonymous = service.client()
  user = await service.user(withFactor.email)
  const users = (await owner.get('/api/users')).json()
  userId = users.find((entry: { email: string }) => entry.email === withFactor.email).id
  factor = await enableSecondFactor(service, withFactor.email)
})
statuses.after(async () => {
  await owner.close()
  await user.close()
  await anonymous.close()
  await service.stop()
})

const unknownShare = 'AAAAAAAAAAAAAAAAAAAAAA'
const oneFile = { 'a.txt': 'content' }

interface Row {
  readonly id: string
  readonly status: number
  readonly when: string
  readonly run: () => Promise<Answer>
}

/** Lets the share be expired for this call alone. */
async function afterExpiry(path: (shareId: string) => string): Promise<Answer> {
  const shareId = await owner.share(oneFile, { expirationVal: 1, expirationUnit: 'Hours' })
  service.clock.jump(3_600_001)
  try {
    return await anonymous.get(path(shareId))
  } finally {
    service.clock.jump(-3_600_001)
  }
}

async function tooLargeChunk(): Promise<Answer> {
  const shareId = await owner.init()
  const chunk = Buffer.alloc(102 * 1024 * 1024)
  return owner.chunk(shareId, 'f1', 0, chunk, { fieldsFirst: true })
}

const row = (id: string, status: number, when: string, run: Row['run']): Row => ({
  id,
  status,
  when,
  run,
})

const rows: readonly Row[] = [
  row('login', 200, 'the password is right', () => anonymous.post('/api/auth/login', admin)),
  row('login', 200, 'a second factor is required', () =>
    anonymous.post('/api/auth/login', withFactor),
  ),
  row('login', 401, 'the password is wrong', () =>
    anonymous.post('/api/auth/login', { ...admin, password: 'wrong' }),
  ),
  row('login', 401, 'the account does not exist', () =>
    anonymous.post('/api/auth/login', { ...admin, email: 'nobody@example.org' }),
  ),
  row('verify2fa', 200, 'the code is right', () =>
    anonymous.post('/api/auth/verify-2fa', { ...withFactor, code: factor.code() }),
  ),
  row('verify2fa', 401, 'the password is wrong', () =>
    anonymous.post('/api/auth/verify-2fa', {
      ...withFactor,
      password: 'wrong',
      code: factor.code(),
    }),
  ),
  row('verify2fa', 401, 'the account has no second factor', () =>
    anonymous.post('/api/auth/verify-2fa', { ...admin, code: '123456' }),
  ),
  row('verify2fa', 400, 'the code is not exactly six digits', () =>
    anonymous.post('/api/auth/verify-2fa', { ...withFactor, code: '12345' }),
  ),
  row('logout', 200, 'logged in', async () => {
    const client = await service.admin()
    const answer = await client.post('/api/auth/logout')
    await client.close()
    return answer
  }),
  row('logout', 401, 'not signed in', () =>
    anonymous.call('POST', '/api/auth/logout', { headers: { cookie: '' } }),
  ),
  row('initShare', 200, 'no field is sent', () => owner.post('/api/shares/init')),
  row('initShare', 401, 'not signed in', () =>
    anonymous.post('/api/shares/init', {}, { cookie: '' }),
  ),
  row('initShare', 400, 'a field is invalid', () =>
    owner.post('/api/shares/init', { expirationUnit: 'Years' }),
  ),
  row('uploadShareChunk', 200, 'the share is a draft', async () =>
    owner.chunk(await owner.init(), 'f1', 0, 'data'),
  ),
  row('uploadShareChunk', 401, 'not signed in', async () => {
    const { body, contentType } = multipart({ chunkIndex: '0' }, Buffer.from('data'), true)
    const headers = { 'content-type': contentType, cookie: '' }
    return anonymous.call('POST', `/api/shares/${await owner.init()}/chunk`, { body, headers })
  }),
  row('uploadShareChunk', 413, 'the chunk is too large', tooLargeChunk),
  row('uploadShareChunk', 404, 'the share does not exist', () =>
    owner.chunk(unknownShare, 'f1', 0, 'data'),
  ),
  row('uploadShareChunk', 409, 'the share is complete', async () => {
    const { shareId, uploadToken } = (await owner.post('/api/shares/init')).json()
    await owner.finalize(shareId, [])
    // A session of its owner would start additions.
    const holder = new Client(service.url, uploadToken)
    const answer = await holder.chunk(shareId, 'f1', 0, 'data')
    await holder.close()
    return answer
  }),
  row('finalizeShare', 200, 'every file is there', async () =>
    owner.finalize(await owner.init(), []),
  ),
  row('finalizeShare', 400, 'a file is missing', async () =>
    owner.finalize(await owner.init(), [{ fileId: 'f1', originalName: 'a', size: 1 }]),
  ),
  row('finalizeShare', 401, 'not signed in', async () =>
    anonymous.post(`/api/shares/${await owner.init()}/finalize`, { files: [] }, { cookie: '' }),
  ),
  row('finalizeShare', 409, 'the share is complete with another list', async () =>
    owner.finalize(await owner.share(oneFile), []),
  ),
  row('listShares', 200, 'logged in', () => owner.get('/api/shares')),
  row('listShares', 401, 'not signed in', () => anonymous.get('/api/shares', { cookie: '' })),
  row('deleteShare', 200, 'the share is a draft', async () =>
    owner.delete(`/api/shares/${await owner.init()}`),
  ),
  row('deleteShare', 200, 'the share is complete', async () =>
    owner.delete(`/api/shares/${await owner.share(oneFile)}`),
  ),
  row('deleteShare', 401, 'not signed in', async () =>
    anonymous.call('DELETE', `/api/shares/${await owner.init()}`, { headers: { cookie: '' } }),
  ),
  row('deleteShare', 404, 'the share does not exist', () =>
    owner.delete(`/api/shares/${unknownShare}`),
  ),
  row('getPublicShare', 200, 'the share is complete', async () =>
    anonymous.get(`/api/public/shares/${await owner.share(oneFile)}`),
  ),
  row('getPublicShare', 404, 'the share does not exist', () =>
    anonymous.get(`/api/public/shares/${unknownShare}`),
  ),
  row('getPublicShare', 404, 'the share is a draft', async () =>
    anonymous.get(`/api/public/shares/${await owner.init()}`),
  ),
  row('getPublicShare', 410, 'the share has expired', () =>
    afterExpiry((shareId) => `/api/public/shares/${shareId}`),
  ),
  row('verifySharePassword', 200, 'the password is right', async () => {
    const shareId = await owner.share(oneFile, { password: 'open sesame' })
    return anonymous.post(`/api/shares/${shareId}/verify`, { password: 'open sesame' })
  }),
  row('verifySharePassword', 401, 'the password is wrong', async () => {
    const shareId = await owner.share(oneFile, { password: 'open sesame' })
    return anonymous.post(`/api/shares/${shareId}/verify`, { password: 'open barley' })
  }),
  row('verifySharePassword', 404, 'the share does not exist', () =>
    anonymous.post(`/api/shares/${unknownShare}/verify`, { password: 'x' }),
  ),
  row('downloadShareZip', 200, 'the share is complete', async () =>
    anonymous.get(`/api/shares/${await owner.share(oneFile)}/download`),
  ),
  row('downloadShareZip', 401, 'the share is protected and not unlocked', async () => {
    const shareId = await owner.share(oneFile, { password: 'open sesame' })
    return anonymous.get(`/api/shares/${shareId}/download`)
  }),
  row('downloadShareZip', 404, 'the share does not exist', () =>
    anonymous.get(`/api/shares/${unknownShare}/download`),
  ),
  row('downloadShareZip', 410, 'the share has expired', () =>
    afterExpiry((shareId) => `/api/shares/${shareId}/download`),
  ),
  row('listUsers', 200, 'an administrator asks', () => owner.get('/api/users')),
  row('listUsers', 401, 'not signed in', () => anonymous.get('/api/users', { cookie: '' })),
  row('listUsers', 403, 'another user asks', () => user.get('/api/users')),
  row('createUser', 200, 'the account is new', () =>
    owner.post('/api/users', { ...newUser, email: 'new@example.org' }),
  ),
  row('createUser', 403, 'another user asks', () => user.post('/api/users', newUser)),
  row('createUser', 409, 'the address has an account', () =>
    owner.post('/api/users', { ...newUser, email: adminEmail.toUpperCase() }),
  ),
  row('updateUser', 200, 'no field is sent', () => owner.call('PUT', `/api/users/${userId}`)),
  row('updateUser', 403, 'another user asks', () =>
    user.call('PUT', `/api/users/${userId}`, { json: { is_admin: true } }),
  ),
  row('updateUser', 404, 'the account does not exist', () =>
    owner.call('PUT', '/api/users/2000000000', { json: { name: 'x' } }),
  ),
  row('deleteUser', 200, 'the account exists', async () => {
    await owner.post('/api/users', { ...newUser, email: 'gone@example.org' })
    const users: { id: number; email: string }[] = (await owner.get('/api/users')).json()
    const gone = users.find(({ email }) => email === 'gone@example.org')
    return owner.delete(`/api/users/${gone?.id}`)
  }),
  row('deleteUser', 403, 'another user asks', () => user.delete(`/api/users/${userId}`)),
  row('deleteUser', 404, 'the account does not exist', () => owner.delete('/api/users/2000000000')),
  row('getConfig', 200, 'logged in', () => user.get('/api/config')),
  row('getConfig', 401, 'not signed in', () => anonymous.get('/api/config', { cookie: '' })),
  row('updateConfig', 200, 'an administrator asks', () =>
    owner.call('PUT', '/api/config', { json: {} }),
  ),
  row('updateConfig', 403, 'another user asks', () =>
    user.call('PUT', '/api/config', { json: {} }),
  ),
  row('login', 429, 'there were too many attempts', async () => {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const answer = await anonymous.post('/api/auth/login', { ...admin, password: 'wrong' })
      if (answer.status === 429) return answer
    }
    return anonymous.post('/api/auth/login', admin)
  }),
]

for (const { id, status, when, run } of rows) {
  statuses(`should answer ${status} to ${id} when ${when}`, async () => {
    const answer = await run()
    if (status >= 400) assertError(answer, status)
    else assert.is(answer.status, status, answer.body.toString())
  })
}

statuses('should have a row for every status of part 4', () => {
  const known = new Set(rows.map((row) => `${row.id} ${row.status}`))
  // For reverse shares see reverse-shares.test.ts.
  const here = operations.filter(({ id }) => !id.includes('ReverseShare'))
  const wanted = here.flatMap(({ id, statuses: of }) => of.map((status) => `${id} ${status}`))
  assert.equal(
    wanted.filter((row) => !known.has(row)),
    [],
  )
})

statuses.run()
