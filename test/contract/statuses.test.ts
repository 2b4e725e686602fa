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

const rows: readonly Row[] = [
  {
    id: 'login',
    status: 200,
    when: 'the password is right',
    run: () => anonymous.post('/api/auth/login', admin),
  },
  {
    id: 'login',
    status: 200,
    when: 'a second factor is required',
    run: () => anonymous.post('/api/auth/login', withFactor),
  },
  {
    id: 'login',
    status: 401,
    when: 'the password is wrong',
    run: () => anonymous.post('/api/auth/login', { ...admin, password: 'wrong' }),
  },
  {
    id: 'login',
    status: 401,
    when: 'the account does not exist',
    run: () => anonymous.post('/api/auth/login', { ...admin, email: 'nobody@example.org' }),
  },
  {
    id: 'verify2fa',
    status: 200,
    when: 'the code is right',
    run: () => anonymous.post('/api/auth/verify-2fa', { ...withFactor, code: factor.code() }),
  },
  {
    id: 'verify2fa',
    status: 401,
    when: 'the password is wrong',
    run: () =>
      anonymous.post('/api/auth/verify-2fa', {
        ...withFactor,
        password: 'wrong',
        code: factor.code(),
      }),
  },
  {
    id: 'verify2fa',
    status: 401,
    when: 'the account has no second factor',
    run: () => anonymous.post('/api/auth/verify-2fa', { ...admin, code: '123456' }),
  },
  {
    id: 'verify2fa',
    status: 400,
    when: 'the code is not exactly six digits',
    run: () => anonymous.post('/api/auth/verify-2fa', { ...withFactor, code: '12345' }),
  },
  {
    id: 'logout',
    status: 200,
    when: 'logged in',
    run: async () => {
      const client = await service.admin()
      const answer = await client.post('/api/auth/logout')
      await client.close()
      return answer
    },
  },
  {
    id: 'logout',
    status: 401,
    when: 'not signed in',
    run: () => anonymous.call('POST', '/api/auth/logout', { headers: { cookie: '' } }),
  },
  {
    id: 'initShare',
    status: 200,
    when: 'no field is sent',
    run: () => owner.post('/api/shares/init'),
  },
  {
    id: 'initShare',
    status: 401,
    when: 'not signed in',
    run: () => anonymous.post('/api/shares/init', {}, { cookie: '' }),
  },
  {
    id: 'initShare',
    status: 400,
    when: 'a field is invalid',
    run: () => owner.post('/api/shares/init', { expirationUnit: 'Years' }),
  },
  {
    id: 'uploadShareChunk',
    status: 200,
    when: 'the share is a draft',
    run: async () => owner.chunk(await owner.init(), 'f1', 0, 'data'),
  },
  {
    id: 'uploadShareChunk',
    status: 401,
    when: 'not signed in',
    run: async () => {
      const { body, contentType } = multipart({ chunkIndex: '0' }, Buffer.from('data'), true)
      const headers = { 'content-type': contentType, cookie: '' }
      return anonymous.call('POST', `/api/shares/${await owner.init()}/chunk`, { body, headers })
    },
  },
  { id: 'uploadShareChunk', status: 413, when: 'the chunk is too large', run: tooLargeChunk },
  {
    id: 'uploadShareChunk',
    status: 404,
    when: 'the share does not exist',
    run: () => owner.chunk(unknownShare, 'f1', 0, 'data'),
  },
  {
    id: 'uploadShareChunk',
    status: 409,
    when: 'the share is complete',
    run: async () => {
      const { shareId, uploadToken } = (await owner.post('/api/shares/init')).json()
      await owner.finalize(shareId, [])
      // A session of its owner would start additions.
      const holder = new Client(service.url, uploadToken)
      const answer = await holder.chunk(shareId, 'f1', 0, 'data')
      await holder.close()
      return answer
    },
  },
  {
    id: 'finalizeShare',
    status: 200,
    when: 'every file is there',
    run: async () => owner.finalize(await owner.init(), []),
  },
  {
    id: 'finalizeShare',
    status: 400,
    when: 'a file is missing',
    run: async () =>
      owner.finalize(await owner.init(), [{ fileId: 'f1', originalName: 'a', size: 1 }]),
  },
  {
    id: 'finalizeShare',
    status: 401,
    when: 'not signed in',
    run: async () =>
      anonymous.post(`/api/shares/${await owner.init()}/finalize`, { files: [] }, { cookie: '' }),
  },
  {
    id: 'finalizeShare',
    status: 409,
    when: 'the share is complete with another list',
    run: async () => owner.finalize(await owner.share(oneFile), []),
  },
  { id: 'listShares', status: 200, when: 'logged in', run: () => owner.get('/api/shares') },
  {
    id: 'listShares',
    status: 401,
    when: 'not signed in',
    run: () => anonymous.get('/api/shares', { cookie: '' }),
  },
  {
    id: 'deleteShare',
    status: 200,
    when: 'the share is a draft',
    run: async () => owner.delete(`/api/shares/${await owner.init()}`),
  },
  {
    id: 'deleteShare',
    status: 200,
    when: 'the share is complete',
    run: async () => owner.delete(`/api/shares/${await owner.share(oneFile)}`),
  },
  {
    id: 'deleteShare',
    status: 401,
    when: 'not signed in',
    run: async () =>
      anonymous.call('DELETE', `/api/shares/${await owner.init()}`, { headers: { cookie: '' } }),
  },
  {
    id: 'deleteShare',
    status: 404,
    when: 'the share does not exist',
    run: () => owner.delete(`/api/shares/${unknownShare}`),
  },
  {
    id: 'getPublicShare',
    status: 200,
    when: 'the share is complete',
    run: async () => anonymous.get(`/api/public/shares/${await owner.share(oneFile)}`),
  },
  {
    id: 'getPublicShare',
    status: 404,
    when: 'the share does not exist',
    run: () => anonymous.get(`/api/public/shares/${unknownShare}`),
  },
  {
    id: 'getPublicShare',
    status: 404,
    when: 'the share is a draft',
    run: async () => anonymous.get(`/api/public/shares/${await owner.init()}`),
  },
  {
    id: 'getPublicShare',
    status: 410,
    when: 'the share has expired',
    run: () => afterExpiry((shareId) => `/api/public/shares/${shareId}`),
  },
  {
    id: 'verifySharePassword',
    status: 200,
    when: 'the password is right',
    run: async () => {
      const shareId = await owner.share(oneFile, { password: 'open sesame' })
      return anonymous.post(`/api/shares/${shareId}/verify`, { password: 'open sesame' })
    },
  },
  {
    id: 'verifySharePassword',
    status: 401,
    when: 'the password is wrong',
    run: async () => {
      const shareId = await owner.share(oneFile, { password: 'open sesame' })
      return anonymous.post(`/api/shares/${shareId}/verify`, { password: 'open barley' })
    },
  },
  {
    id: 'verifySharePassword',
    status: 404,
    when: 'the share does not exist',
    run: () => anonymous.post(`/api/shares/${unknownShare}/verify`, { password: 'x' }),
  },
  {
    id: 'downloadShareZip',
    status: 200,
    when: 'the share is complete',
    run: async () => anonymous.get(`/api/shares/${await owner.share(oneFile)}/download`),
  },
  {
    id: 'downloadShareZip',
    status: 401,
    when: 'the share is protected and not unlocked',
    run: async () => {
      const shareId = await owner.share(oneFile, { password: 'open sesame' })
      return anonymous.get(`/api/shares/${shareId}/download`)
    },
  },
  {
    id: 'downloadShareZip',
    status: 404,
    when: 'the share does not exist',
    run: () => anonymous.get(`/api/shares/${unknownShare}/download`),
  },
  {
    id: 'downloadShareZip',
    status: 410,
    when: 'the share has expired',
    run: () => afterExpiry((shareId) => `/api/shares/${shareId}/download`),
  },
  {
    id: 'listUsers',
    status: 200,
    when: 'an administrator asks',
    run: () => owner.get('/api/users'),
  },
  {
    id: 'listUsers',
    status: 401,
    when: 'not signed in',
    run: () => anonymous.get('/api/users', { cookie: '' }),
  },
  { id: 'listUsers', status: 403, when: 'another user asks', run: () => user.get('/api/users') },
  {
    id: 'createUser',
    status: 200,
    when: 'the account is new',
    run: () => owner.post('/api/users', { ...newUser, email: 'new@example.org' }),
  },
  {
    id: 'createUser',
    status: 403,
    when: 'another user asks',
    run: () => user.post('/api/users', newUser),
  },
  {
    id: 'createUser',
    status: 409,
    when: 'the address has an account',
    run: () => owner.post('/api/users', { ...newUser, email: adminEmail.toUpperCase() }),
  },
  {
    id: 'updateUser',
    status: 200,
    when: 'no field is sent',
    run: () => owner.call('PUT', `/api/users/${userId}`),
  },
  {
    id: 'updateUser',
    status: 403,
    when: 'another user asks',
    run: () => user.call('PUT', `/api/users/${userId}`, { json: { is_admin: true } }),
  },
  {
    id: 'updateUser',
    status: 404,
    when: 'the account does not exist',
    run: () => owner.call('PUT', '/api/users/2000000000', { json: { name: 'x' } }),
  },
  {
    id: 'deleteUser',
    status: 200,
    when: 'the account exists',
    run: async () => {
      await owner.post('/api/users', { ...newUser, email: 'gone@example.org' })
      const users: { id: number; email: string }[] = (await owner.get('/api/users')).json()
      const gone = users.find(({ email }) => email === 'gone@example.org')
      return owner.delete(`/api/users/${gone?.id}`)
    },
  },
  {
    id: 'deleteUser',
    status: 403,
    when: 'another user asks',
    run: () => user.delete(`/api/users/${userId}`),
  },
  {
    id: 'deleteUser',
    status: 404,
    when: 'the account does not exist',
    run: () => owner.delete('/api/users/2000000000'),
  },
  { id: 'getConfig', status: 200, when: 'logged in', run: () => user.get('/api/config') },
  {
    id: 'getConfig',
    status: 401,
    when: 'not signed in',
    run: () => anonymous.get('/api/config', { cookie: '' }),
  },
  {
    id: 'updateConfig',
    status: 200,
    when: 'an administrator asks',
    run: () => owner.call('PUT', '/api/config', { json: {} }),
  },
  {
    id: 'updateConfig',
    status: 403,
    when: 'another user asks',
    run: () => user.call('PUT', '/api/config', { json: {} }),
  },
  {
    id: 'login',
    status: 429,
    when: 'there were too many attempts',
    run: async () => {
      for (let attempt = 0; attempt < 20; attempt += 1) {
        const answer = await anonymous.post('/api/auth/login', { ...admin, password: 'wrong' })
        if (answer.status === 429) return answer
      }
      return anonymous.post('/api/auth/login', admin)
    },
  },
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
