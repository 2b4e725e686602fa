// The contract's statuses and fields of reverse shares: with a Bearer token, and with the cookie.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Answer, Client } from '../helpers/client.ts'
import { startService, type Service } from '../helpers/service.ts'
import { Guest, makeLink } from '../reverse-shares/guest.ts'
import { operations, resources } from './contract.ts'
import { assertError, assertShape, problemsOf } from './shapes.ts'

const guestAdditions = [
  'ownerName',
  'instructions',
  'allowedExtensions',
  'requiredFields',
  'once',
  'allowSharing',
]

const contract = suite('contract: reverse shares')
const unknownId = 'AAAAAAAAAAAAAAAAAAAAAA'
const additions = [
  'status',
  'created_at',
  'protected',
  'thank_you_message',
  'delivery_count',
  'new_delivery_count',
  'instructions',
  'allowed_extensions',
  'requiredFields',
  'once',
  'allowSharing',
  'closed_at',
  'total_size',
  'slug',
]

let service: Service
let owner: Client
let byCookie: Client
let anonymous: Client

contract.before(async () => {
  service = await startService()
  owner = await service.user('owner@example.org')
  byCookie = service.client()
  byCookie.cookies.set('session', owner.token!)
  anonymous = service.client()
})
contract.after(() => service.stop())

interface Row {
  readonly id: string
  readonly status: number
  readonly when: string
  readonly run: (client: Client) => Promise<Answer>
}

const row = (id: string, status: number, when: string, run: Row['run']): Row => ({
  id,
  status,
  when,
  run,
})

const rows: readonly Row[] = [
  row('listReverseShares', 200, 'logged in', (client) => client.get('/api/reverse')),
  row('listReverseShares', 401, 'not signed in', () => anonymous.get('/api/reverse')),
  row('createReverseShare', 200, 'no field is sent', (client) =>
    client.call('POST', '/api/reverse'),
  ),
  row('createReverseShare', 401, 'not signed in', () => anonymous.post('/api/reverse', {})),
  row('listReverseShareFiles', 200, 'it belongs to the caller', async (client) =>
    client.get(`/api/reverse/${await makeLink(client)}/files`),
  ),
  row('listReverseShareFiles', 401, 'not signed in', () =>
    anonymous.get(`/api/reverse/${unknownId}/files`),
  ),
  row('deleteReverseShare', 200, 'it belongs to the caller', async (client) =>
    client.delete(`/api/reverse/${await makeLink(client)}`),
  ),
  row('deleteReverseShare', 401, 'not signed in', () =>
    anonymous.delete(`/api/reverse/${unknownId}`),
  ),
  row('deleteReverseShare', 404, 'it does not exist', (client) =>
    client.delete(`/api/reverse/${unknownId}`),
  ),
  row('getPublicReverseShare', 200, 'it is open', async (client) =>
    client.get(`/api/public/reverse/${await makeLink(owner)}`),
  ),
  row('getPublicReverseShare', 404, 'it does not exist', (client) =>
    client.get(`/api/public/reverse/${unknownId}`),
  ),
  row('getPublicReverseShare', 410, 'it has expired', async (client) => {
    const id = await makeLink(owner, { expirationVal: 1, expirationUnit: 'Hours' })
    service.clock.jump(3_600_001)
    try {
      return await client.get(`/api/public/reverse/${id}`)
    } finally {
      service.clock.jump(-3_600_001)
    }
  }),
]

for (const { id, status, when, run } of rows) {
  contract(`should answer ${status} to ${id} when ${when}`, async () => {
    for (const client of [owner, byCookie]) {
      const answer = await run(client)
      if (status >= 400) assertError(answer, status)
      else assert.is(answer.status, status, answer.body.toString())
    }
  })
}

contract('should have a row for every status of part 4', () => {
  const known = new Set(rows.map((row) => `${row.id} ${row.status}`))
  const wanted = operations
    .filter(({ id }) => id.includes('ReverseShare'))
    .flatMap(({ id, statuses }) => statuses.map((status) => `${id} ${status}`))
  assert.is(wanted.length, rows.length)
  assert.equal(
    wanted.filter((row) => !known.has(row)),
    [],
  )
})

contract('should return the fields of part 2, with null only for "never"', async () => {
  const made = await byCookie.post('/api/reverse', { name: 'Photos', notify: true, maxSize: 900 })
  assertShape(made.json(), { success: 'boolean', url: 'string (uri)' }, ['id'])
  const { id } = made.json()
  await new Guest(service.client(), id).deliver({ 'a.txt': 'hello' })
  const never = await makeLink(owner, { expirationVal: 0 })
  const list = (await owner.get('/api/reverse')).json()
  assert.ok(Array.isArray(list), 'the answer is a bare array')
  for (const link of list) {
    const nullable = link.id === never ? ['expires_at'] : []
    assert.equal(problemsOf(link, resources.ReverseShare, additions, nullable), [])
  }
  const link = list.find((entry: { id: string }) => entry.id === id)
  const { name, max_size, notify_email, url, file_count } = link
  assert.equal(
    [name, max_size, notify_email, url, file_count],
    ['Photos', 900, true, `http://transfer.test/r/${id}`, 1],
  )
  const files = (await owner.get(`/api/reverse/${id}/files`)).json()
  assert.is(files.length, 1)
  for (const file of files) assertShape(file, resources.ShareFile)
  for (const wanted of [id, never]) {
    const shown = (await anonymous.get(`/api/public/reverse/${wanted}`)).json()
    assertShape(shown, resources.PublicReverseShare, guestAdditions)
  }
  assertShape((await owner.delete(`/api/reverse/${id}`)).json(), resources.Success)
})

contract.run()
