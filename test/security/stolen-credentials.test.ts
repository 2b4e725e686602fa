// What stolen credentials of an administrator, and links, must not allow, and what they may.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { setCookie } from '../helpers/cookies.ts'
import { assertError } from '../contract/shapes.ts'
import { makeApiToken } from '../helpers/api-token.ts'
import type { Answer, Client } from '../helpers/client.ts'
import { startService, type Service } from '../helpers/service.ts'
import { Guest, makeLink } from '../reverse-shares/guest.ts'

const stolen = suite('security: stolen credentials')

let service: Service
let admin: Client
let thief: Client

stolen.before(async () => {
  service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
  admin = await service.admin()
})
stolen.after(async () => {
  await admin.close()
  await service.stop()
})
stolen.before.each(() => {
  thief = service.client()
})
stolen.after.each(() => thief.close())

/** Gives the thief an API token; returns its id. */
async function steal(scopes: readonly string[]): Promise<string> {
  const { id, token } = await makeApiToken(admin, { scopes })
  thief.token = token
  return id
}

async function idOf(email: string): Promise<number> {
  const users: { id: number; email: string }[] = (await admin.get('/api/users')).json()
  return users.find((user) => user.email === email)!.id
}

interface Refusal {
  readonly what: string
  readonly attempt: () => Promise<Answer>
  readonly status: number
  readonly code: string
}

const refusals: Refusal[] = [
  {
    what: 'send with an upload token of a revoked API token',
    async attempt() {
      const id = await steal(['send'])
      const { shareId, uploadToken } = (await thief.post('/api/shares/init')).json()
      await admin.delete(`/api/tokens/${id}`)
      thief.token = uploadToken
      return thief.chunk(shareId, 'f', 0, 'abc')
    },
    status: 401,
    code: 'unauthorized',
  },
  {
    what: 'send with an upload token of an ended session',
    async attempt() {
      const other = await service.admin()
      const { shareId, uploadToken } = (await other.post('/api/shares/init')).json()
      const sessions: { id: string; current: boolean }[] = (
        await other.get('/api/account/sessions')
      ).json()
      const { id } = sessions.find(({ current }) => current)!
      await admin.delete(`/api/account/sessions/${id}`)
      await other.close()
      thief.token = uploadToken
      return thief.chunk(shareId, 'f', 0, 'abc')
    },
    status: 401,
    code: 'unauthorized',
  },
  {
    what: 'hand the shares of others over with an API token',
    async attempt() {
      await steal(['administer'])
      for (const name of ['ann', 'bob']) await (await service.user(`${name}@example.org`)).close()
      const [ann, bob] = [await idOf('ann@example.org'), await idOf('bob@example.org')]
      return thief.delete(`/api/users/${ann}?transferTo=${bob}`)
    },
    status: 403,
    code: 'api_token_not_allowed',
  },
  {
    what: 'become an administrator with an invitation from before a promotion',
    async attempt() {
      await steal(['administer'])
      const dora = { email: 'dora@example.org', name: 'Dora' }
      assert.is((await thief.post('/api/users/invite', dora)).status, 403)
      const { id, url } = (await admin.post('/api/users/invite', dora)).json()
      const token = new URL(url).hash.slice('#token='.length)
      await admin.call('PUT', `/api/users/${id}`, { json: { is_admin: true } })
      return thief.post('/api/auth/invitation/accept', { token, password: 'of the thief' })
    },
    status: 403,
    code: 'wrong_invitation',
  },
  {
    what: 'wipe the audit log through its retention',
    attempt: () => admin.call('PUT', '/api/config', { json: { auditDays: 1 } }),
    status: 400,
    code: 'invalid_input',
  },
  {
    what: 'start a delivery with the access of an earlier password',
    async attempt() {
      const id = await makeLink(admin, { password: 'first' })
      const opened = await thief.post(`/api/public/reverse/${id}/verify`, { password: 'first' })
      await admin.call('PATCH', `/api/reverse/${id}`, { json: { password: 'second' } })
      thief.token = opened.json().accessToken
      return new Guest(thief, id).init()
    },
    status: 401,
    code: 'password_required',
  },
]

for (const { what, attempt, status, code } of refusals) {
  stolen(`should not ${what}`, async () => {
    assertError(await attempt(), status, code)
  })
}

stolen('should let a started delivery continue after a new password', async () => {
  const id = await makeLink(admin, { password: 'first' })
  const opened = await thief.post(`/api/public/reverse/${id}/verify`, { password: 'first' })
  thief.token = opened.json().accessToken
  const guest = new Guest(thief, id)
  assert.is((await guest.init()).status, 200)
  assert.is((await guest.chunk('f', 0, 'abc')).status, 200)
  await admin.call('PATCH', `/api/reverse/${id}`, { json: { password: 'second' } })
  assert.is((await guest.chunk('f', 1, 'abc')).status, 200)
  const [{ id: delivery }] = (await admin.get(`/api/reverse/${id}/deliveries`)).json()
  assert.is((await admin.delete(`/api/reverse/${id}/deliveries/${delivery}`)).status, 200)
  assertError(await guest.chunk('f', 2, 'abc'), 404)
})

stolen('should open a protected share by a lease until the password changes', async () => {
  const shareId = await admin.share({ a: 'content' }, { password: 'first' })
  const verify = await thief.post(`/api/shares/${shareId}/verify`, { password: 'first' })
  thief.token = verify.json().accessToken
  const taken = await thief.get(`/api/shares/${shareId}/download`)
  const cookie = { cookie: setCookie(taken, 'downloader').split(';')[0]! }
  thief.token = null
  thief.cookies.clear()
  const look = () => thief.get(`/api/public/shares/${shareId}`, cookie)
  service.clock.advance(24 * 3_600_000 - 1000)
  assert.is((await look()).json().files.length, 1)
  await admin.call('PATCH', `/api/shares/${shareId}`, { json: { password: 'second' } })
  assert.equal((await look()).json().files, [])
})
stolen.run()
