import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startService, type Service } from '../../helpers/service.ts'
import { apiTokenOf, assertNoSecrets, assertRefused, person, type Person } from '../people.ts'

const sessions = suite('account: sessions')
const minuteMs = 60_000
let service: Service
let ann: Person
let bob: Person
let made = 0

sessions.before(async () => {
  service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
})
sessions.after(() => service.stop())
sessions.before.each(async () => {
  made += 1
  ann = await person(service, `ann${made}@example.org`)
  bob = await person(service, `bob${made}@example.org`)
})

interface Listed {
  id: string
  current: boolean
  ip: string
  user_agent: string
  created_at: string
  last_seen_at: string
}
const list = async (client = ann.client): Promise<Listed[]> =>
  (await client.get('/api/account/sessions')).json()

sessions('should list the sessions newest first, and mark the current one', async () => {
  service.clock.advance(minuteMs)
  await ann.signIn('Firefox <script>')
  const answer = await ann.client.get('/api/account/sessions')
  const [newer, older] = answer.json() as Listed[]
  assert.is(answer.json().length, 2)
  assert.equal(Object.keys(newer!), [
    'id',
    'current',
    'ip',
    'user_agent',
    'created_at',
    'last_seen_at',
  ])
  assert.equal([newer!.current, older!.current], [false, true])
  assert.equal([newer!.user_agent, newer!.ip], ['Firefox <script>', '192.0.2.7'])
  assert.ok(newer!.created_at > older!.created_at)
  assertNoSecrets(answer)
  assert.not.ok(answer.body.toString().includes(ann.client.token!))
})

sessions('should show when a session was last used, to five minutes', async () => {
  const [{ last_seen_at: first }] = (await list()) as [Listed]
  service.clock.advance(4 * minuteMs)
  await list()
  assert.is((await list())[0]!.last_seen_at, first)
  service.clock.advance(2 * minuteMs)
  await list()
  assert.is(Date.parse((await list())[0]!.last_seen_at) - Date.parse(first), 6 * minuteMs)
})

sessions('should leave out expired sessions', async () => {
  await ann.signIn()
  for (let day = 0; day < 8; day += 1) {
    service.clock.advance(24 * 60 * minuteMs)
    assert.is((await ann.client.get('/api/account')).status, 200)
  }
  assert.is((await list()).length, 1)
})

sessions('should end one session', async () => {
  const other = await ann.signIn()
  const id = (await list()).find((session) => !session.current)!.id
  const answer = await ann.client.delete(`/api/account/sessions/${id}`)
  assert.equal([answer.status, answer.json()], [200, { success: true }])
  assert.is((await other.get('/api/account')).status, 401)
  assert.is((await ann.client.get('/api/account')).status, 200)
  assertRefused(await ann.client.delete(`/api/account/sessions/${id}`), 404, 'not_found')
})

sessions('should end the current session like signing out', async () => {
  const id = (await list())[0]!.id
  const answer = await ann.client.delete(`/api/account/sessions/${id}`)
  assert.is(answer.status, 200)
  assert.match(String(answer.headers['set-cookie']), /^transfer_session_[\w-]{8}=;/)
  assert.is((await ann.client.get('/api/account')).status, 401)
})

sessions('should end all other sessions, of this account alone', async () => {
  const others = [await ann.signIn(), await ann.signIn()]
  const token = await apiTokenOf(service, ann.client)
  assert.is((await ann.client.delete('/api/account/sessions')).status, 200)
  for (const other of others) assert.is((await other.get('/api/account')).status, 401)
  assert.equal(
    (await list()).map((session) => session.current),
    [true],
  )
  assert.is((await token.get('/api/account')).status, 200)
  assert.is((await bob.client.get('/api/account')).status, 200)
})

sessions('should answer 404 for the session of another account, and leave it', async () => {
  const id = (await list(bob.client))[0]!.id
  const admin = await service.admin()
  for (const client of [ann.client, admin]) {
    assertRefused(await client.delete(`/api/account/sessions/${id}`), 404, 'not_found')
  }
  assert.is((await bob.client.get('/api/account')).status, 200)
  assert.is(
    (await list()).some((session) => session.id === id),
    false,
  )
})

for (const change of [
  (id: string) => id.slice(0, -1),
  (id: string) => `${id}0`,
  (id: string) => `A${id.slice(1).toUpperCase()}`,
  (id: string) => `{${id}}`,
  (id: string) => id.replaceAll('-', ''),
  () => '1',
  () => 'current',
  () => '%00',
] as const) {
  sessions(
    `should answer 404 for an id like ${change('00000000-0000-4000-8000-00000000000a')}`,
    async () => {
      const id = (await list())[0]!.id
      assertRefused(
        await ann.client.delete(`/api/account/sessions/${change(id)}`),
        404,
        'not_found',
      )
      assert.is((await ann.client.get('/api/account')).status, 200)
    },
  )
}

sessions.run()
