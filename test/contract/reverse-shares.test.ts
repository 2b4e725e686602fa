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

const rows: readonly Row[] = [
  {
    id: 'listReverseShares',
    status: 200,
    when: 'logged in',
    run: (client) => client.get('/api/reverse'),
  },
  {
    id: 'listReverseShares',
    status: 401,
    when: 'not signed in',
    run: () => anonymous.get('/api/reverse'),
  },
  {
    id: 'createReverseShare',
    status: 200,
    when: 'no field is sent',
    run: (client) => client.call('POST', '/api/reverse'),
  },
  {
    id: 'createReverseShare',
    status: 401,
    when: 'not signed in',
    run: () => anonymous.post('/api/reverse', {}),
  },
  {
    id: 'listReverseShareFiles',
    status: 200,
    when: 'it belongs to the caller',
    run: async (client) => client.get(`/api/reverse/${await makeLink(client)}/files`),
  },
  {
    id: 'listReverseShareFiles',
    status: 401,
    when: 'not signed in',
    run: () => anonymous.get(`/api/reverse/${unknownId}/files`),
  },
  {
    id: 'deleteReverseShare',
    status: 200,
    when: 'it belongs to the caller',
    run: async (client) => client.delete(`/api/reverse/${await makeLink(client)}`),
  },
  {
    id: 'deleteReverseShare',
    status: 401,
    when: 'not signed in',
    run: () => anonymous.delete(`/api/reverse/${unknownId}`),
  },
  {
    id: 'deleteReverseShare',
    status: 404,
    when: 'it does not exist',
    run: (client) => client.delete(`/api/reverse/${unknownId}`),
  },
  {
    id: 'getPublicReverseShare',
    status: 200,
    when: 'it is open',
    run: async (client) => client.get(`/api/public/reverse/${await makeLink(owner)}`),
  },
  {
    id: 'getPublicReverseShare',
    status: 404,
    when: 'it does not exist',
    run: (client) => client.get(`/api/public/reverse/${unknownId}`),
  },
  {
    id: 'getPublicReverseShare',
    status: 410,
    when: 'it has expired',
    run: async (client) => {
      const id = await makeLink(owner, { expirationVal: 1, expirationUnit: 'Hours' })
      service.clock.jump(3_600_001)
      try {
        return await client.get(`/api/public/reverse/${id}`)
      } finally {
        service.clock.jump(-3_600_001)
      }
    },
  },
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
