// Requests take turns at hashing by requester, so every request that hashes names its requester.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Requester } from '../../../src/lib/fair-queue.ts'
import { Permits } from '../../../src/lib/permits.ts'
import { person, type Person } from '../people.ts'
import type { Answer, Client } from '../../helpers/client.ts'
import { adminEmail, adminPassword, startService, type Service } from '../../helpers/service.ts'
import { makeLink } from '../../reverse-shares/guest.ts'

const requesters = suite('users: turns at hashing')
const ip = '203.0.113.5'
const from = { 'x-forwarded-for': ip }
const password = 'quite another one'
let service: Service
let admin: Client
let anonymous: Client
let ann: Person
const asked: Requester[] = []
const original = Object.getOwnPropertyDescriptor(Permits.prototype, 'run')!

requesters.before(async () => {
  service = await startService({ env: { TRUST_PROXY: 'loopback', RATE_LIMIT_LOGIN: 'off' } })
  admin = await service.admin()
  anonymous = service.client()
  ann = await person(service, 'ann@example.org')
  const noting = function (
    this: unknown,
    ...call: [task: unknown, wanted?: Requester | string, signal?: AbortSignal]
  ): unknown {
    // A request that waits for the database waits until its client leaves.
    if (typeof call[1] === 'object' && call[2] === undefined) asked.push(call[1])
    return original.value.apply(this, call)
  }
  Object.defineProperty(Permits.prototype, 'run', { ...original, value: noting })
})
requesters.after(async () => {
  Object.defineProperty(Permits.prototype, 'run', original)
  for (const client of [admin, anonymous, ann.client]) await client.close()
  await service.stop()
})

const tokenOf = (url: string) => /#token=(.+)$/.exec(url)![1]!
const account = ({ id }: { id: number }) => ({ key: `account ${id}`, isKnown: true })
const me = async (client: Client) => account((await client.get('/api/account')).json())
const address = { key: ip, network: '203.0.113.0/24' }

interface Request {
  readonly name: string
  /** Prepares the request, and returns the function that sends it. */
  readonly make: () => Promise<() => Promise<Answer>>
  readonly requester: () => Requester | Promise<Requester>
}

const requests: readonly Request[] = [
  {
    name: 'a sign-in',
    make: async () => () =>
      anonymous.post('/api/auth/login', { email: adminEmail, password: adminPassword }, from),
    requester: () => ({ ...address, isFirst: true, isKnown: false }),
  },
  {
    name: 'a share with a password',
    make: async () => () => ann.client.post('/api/shares/init', { password }),
    requester: () => account(ann),
  },
  {
    name: 'the password of a share',
    make: async () => {
      const id = await admin.share({ a: 'a' }, { password })
      return () => anonymous.post(`/api/shares/${id}/verify`, { password }, from)
    },
    requester: () => address,
  },
  {
    name: 'the password of a file request',
    make: async () => {
      const id = await makeLink(admin, { password })
      return () => anonymous.post(`/api/public/reverse/${id}/verify`, { password }, from)
    },
    requester: () => address,
  },
  {
    name: 'an account',
    make: async () => () =>
      admin.post('/api/users', { email: 'new@example.org', name: 'New', password }),
    requester: () => me(admin),
  },
  {
    name: 'an invitation',
    make: async () => () => admin.post('/api/users/invite', { email: 'i@example.org', name: 'I' }),
    requester: () => me(admin),
  },
  {
    name: 'an accepted invitation',
    make: async () => {
      const invited = await admin.post('/api/users/invite', { email: 'j@example.org', name: 'J' })
      const token = tokenOf(invited.json().url)
      return () => anonymous.post('/api/auth/invitation/accept', { token, password }, from)
    },
    requester: () => address,
  },
  {
    name: 'a password set through an emailed link',
    make: async () => {
      const made = await admin.post(`/api/users/${ann.id}/password-reset`)
      const token = tokenOf(made.json().url)
      return () => anonymous.post('/api/auth/password-reset/complete', { token, password }, from)
    },
    requester: () => address,
  },
]

for (const { name, make, requester } of requests) {
  requesters(`should hash for ${name} in the turn of the requester`, async () => {
    const send = await make()
    const expected = await requester()
    // The first check of a password also creates a decoy.
    await anonymous.post('/api/auth/login', { email: 'x@example.org', password: 'x' })
    asked.length = 0
    const answer = await send()
    assert.is(answer.status, 200, answer.body.toString())
    assert.equal(asked, [expected])
  })
}

requesters.run()
