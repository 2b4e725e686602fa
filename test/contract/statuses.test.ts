// One row for every status of part 4. The last test but one proves that no row is missing.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CodedError } from '../../src/lib/errors.ts'
import { operations as declared } from '../../src/routes.ts'
import { assertError, Client, makeLink, type Answer } from '../helpers/client.ts'
import { enableSecondFactor, type EnabledSecondFactor } from '../accounts/people.ts'
import { adminEmail, adminPassword, startService } from '../helpers/service.ts'
import { errorStatuses, operations } from './contract.ts'

const statuses = suite('contract: statuses')
const admin = { email: adminEmail, password: adminPassword }
const newUser = { email: 'x@example.org', password: 'long enough', name: 'New' }
const withFactor = { email: 'second@example.org', password: 'password of second@example.org' }

const service = await startService({ env: { RATE_LIMIT_LOGIN: '20/15m' } })
const owner = await service.admin()
const anonymous = service.client()
const user = await service.user(withFactor.email)
const userId: number = (await user.get('/api/account')).json().id
const factor: EnabledSecondFactor = await enableSecondFactor(service, withFactor.email)
statuses.before.each(() => anonymous.cookies.clear())

const oneFile = { 'a.txt': 'content' }
const unknown: Record<string, string> = { userId: '2000000000' }

type Row = [id: string, status: number, when: string, run: () => Promise<Answer>]
const row = (...fields: Row): Row => fields

/** What every operation answers to the wrong client, and about things that do not exist. */
const common = operations.flatMap(({ id, method, path, auth }): Row[] => {
  const target = path.replace(/\{(\w+)\}/, (_, name: string) => unknown[name] ?? 'A'.repeat(22))
  const call = (client: Client) => () => client.call(method, target)
  return [
    ...(auth === 'none' ? [] : [row(id, 401, 'not signed in', call(anonymous))]),
    ...(auth === 'administrator' ? [row(id, 403, 'another user asks', call(user))] : []),
    ...(target === path ? [] : [row(id, 404, 'it does not exist', call(owner))]),
  ]
})

/** Lets a link be expired for this call alone. */
async function afterExpiry(path: string, make: (input: object) => Promise<string>) {
  const id = await make({ expirationVal: 1, expirationUnit: 'Hours' })
  service.clock.jump(3_600_001)
  try {
    return await anonymous.get(path.replace('<id>', id))
  } finally {
    service.clock.jump(-3_600_001)
  }
}
const expiredShare = (path: string) =>
  afterExpiry(path, (input) => owner.share(oneFile, { ...input }))

/** By its upload token: a session of its owner would start additions. */
async function lateChunk(): Promise<Answer> {
  const { shareId, uploadToken } = (await owner.post('/api/shares/init')).json()
  await owner.finalize(shareId, [])
  return new Client(service.url, uploadToken).chunk(shareId, 'f1', 0, 'data')
}

async function unlock(password: string): Promise<Answer> {
  const shareId = await owner.share(oneFile, { password: 'open sesame' })
  return anonymous.post(`/api/shares/${shareId}/verify`, { password })
}

async function newAccount(email: string): Promise<number> {
  const account = await service.user(email)
  return (await account.get('/api/account')).json().id
}

const login = (body: object) => anonymous.post('/api/auth/login', body)
const verify = (body: object) => anonymous.post('/api/auth/verify-2fa', { ...withFactor, ...body })

const rows: readonly Row[] = [
  ...common,
  row('login', 200, 'the password is right', () => login(admin)),
  row('login', 200, 'a second factor is required', () => login(withFactor)),
  row('login', 401, 'the password is wrong', () => login({ ...admin, password: 'wrong' })),
  row('login', 401, 'the account does not exist', () => login({ ...admin, email: 'no@x.org' })),
  row('verify2fa', 200, 'the code is right', () => verify({ code: factor.code() })),
  row('verify2fa', 401, 'the password is wrong', () =>
    verify({ password: 'wrong', code: factor.code() }),
  ),
  row('verify2fa', 401, 'the account has no second factor', () =>
    verify({ ...admin, code: '123456' }),
  ),
  row('verify2fa', 400, 'the code is not exactly six digits', () => verify({ code: '12345' })),
  row('logout', 200, 'signed in', async () => (await service.admin()).post('/api/auth/logout')),
  row('initShare', 200, 'no field is sent', () => owner.post('/api/shares/init')),
  row('initShare', 400, 'a field is invalid', () =>
    owner.post('/api/shares/init', { expirationUnit: 'Years' }),
  ),
  row('uploadShareChunk', 200, 'the share is a draft', async () =>
    owner.chunk(await owner.init(), 'f1', 0, 'data'),
  ),
  row('uploadShareChunk', 413, 'the chunk is too large', async () =>
    owner.chunk(await owner.init(), 'f1', 0, Buffer.alloc(102 * 1024 * 1024), {
      fieldsFirst: true,
    }),
  ),
  row('uploadShareChunk', 409, 'the share is complete', lateChunk),
  row('finalizeShare', 200, 'every file is there', async () =>
    owner.finalize(await owner.init(), []),
  ),
  row('finalizeShare', 400, 'a file is missing', async () =>
    owner.finalize(await owner.init(), [{ fileId: 'f1', originalName: 'a', size: 1 }]),
  ),
  row('finalizeShare', 409, 'the share is complete with another list', async () =>
    owner.finalize(await owner.share(oneFile), []),
  ),
  row('listShares', 200, 'signed in', () => owner.get('/api/shares')),
  row('deleteShare', 200, 'the share is a draft', async () =>
    owner.delete(`/api/shares/${await owner.init()}`),
  ),
  row('deleteShare', 200, 'the share is complete', async () =>
    owner.delete(`/api/shares/${await owner.share(oneFile)}`),
  ),
  row('getPublicShare', 200, 'the share is complete', async () =>
    anonymous.get(`/api/public/shares/${await owner.share(oneFile)}`),
  ),
  row('getPublicShare', 404, 'the share is a draft', async () =>
    anonymous.get(`/api/public/shares/${await owner.init()}`),
  ),
  row('getPublicShare', 410, 'the share has expired', () =>
    expiredShare('/api/public/shares/<id>'),
  ),
  row('verifySharePassword', 200, 'the password is right', () => unlock('open sesame')),
  row('verifySharePassword', 401, 'the password is wrong', () => unlock('open barley')),
  row('downloadShareZip', 200, 'the share is complete', async () =>
    anonymous.get(`/api/shares/${await owner.share(oneFile)}/download`),
  ),
  row('downloadShareZip', 401, 'the share is protected and not unlocked', async () => {
    const shareId = await owner.share(oneFile, { password: 'open sesame' })
    return anonymous.get(`/api/shares/${shareId}/download`)
  }),
  row('downloadShareZip', 410, 'the share has expired', () =>
    expiredShare('/api/shares/<id>/download'),
  ),
  row('listReverseShares', 200, 'signed in', () => owner.get('/api/reverse')),
  row('createReverseShare', 200, 'no field is sent', () => owner.call('POST', '/api/reverse')),
  row('listReverseShareFiles', 200, 'it belongs to the caller', async () =>
    owner.get(`/api/reverse/${await makeLink(owner)}/files`),
  ),
  row('deleteReverseShare', 200, 'it belongs to the caller', async () =>
    owner.delete(`/api/reverse/${await makeLink(owner)}`),
  ),
  row('getPublicReverseShare', 200, 'it is open', async () =>
    anonymous.get(`/api/public/reverse/${await makeLink(owner)}`),
  ),
  row('getPublicReverseShare', 410, 'it has expired', () =>
    afterExpiry('/api/public/reverse/<id>', (input) => makeLink(owner, input)),
  ),
  row('listUsers', 200, 'an administrator asks', () => owner.get('/api/users')),
  row('createUser', 200, 'the account is new', () =>
    owner.post('/api/users', { ...newUser, email: 'new@example.org' }),
  ),
  row('createUser', 409, 'the address has an account', () =>
    owner.post('/api/users', { ...newUser, email: adminEmail.toUpperCase() }),
  ),
  row('updateUser', 200, 'no field is sent', () => owner.call('PUT', `/api/users/${userId}`)),
  row('deleteUser', 200, 'the account exists', async () =>
    owner.delete(`/api/users/${await newAccount('gone@example.org')}`),
  ),
  row('getConfig', 200, 'signed in', () => user.get('/api/config')),
  row('updateConfig', 200, 'an administrator asks', () => owner.put('/api/config', {})),
  row('login', 429, 'there were too many attempts', async () => {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const answer = await login({ ...admin, password: 'wrong' })
      if (answer.status === 429) return answer
    }
    return login(admin)
  }),
]

for (const [id, status, when, run] of rows) {
  statuses(`should answer ${status} to ${id} when ${when}`, async () => {
    const answer = await run()
    if (status >= 400) assertError(answer, status)
    else assert.is(answer.status, status, answer.body.toString())
  })
}

statuses('should have a row for every status of part 4', () => {
  const known = new Set(rows.map(([id, status]) => `${id} ${status}`))
  const wanted = operations.flatMap(({ id, statuses: of }) => of.map((status) => `${id} ${status}`))
  for (const row of wanted) assert.ok(known.has(row), row)
})

statuses('should use the statuses of part 7, and those for ranges, images and full disks', () => {
  const known: readonly number[] = [...errorStatuses, 412, 415, 416, 507]
  for (const { id, errors = [] } of declared) {
    for (const code of errors) {
      assert.ok(known.includes(new CodedError(code).status), `${id} has ${code}`)
    }
  }
  assert.is(new Set(declared.map(({ id }) => id)).size, declared.length, 'ids are unique')
})
