import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { apiTokenOf, assertRefused, person, type Person } from '../people.ts'
import { startService, type Service } from '../../helpers/service.ts'

const contacts = suite('contacts')
const path = '/api/account/contacts'
let service: Service
let ann: Person
let bob: Person
let made = 0

contacts.before(async () => {
  service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
})
contacts.after(() => service.stop())
contacts.before.each(async () => {
  made += 1
  ann = await person(service, `ann${made}@example.org`)
  bob = await person(service, `bob${made}@example.org`)
})

const add = (json: object, { client } = ann) => client.post(path, json)
const list = async ({ client } = ann) => (await client.get(path)).json()
const change = (id: string, json: object, { client } = ann) =>
  client.call('PATCH', `${path}/${id}`, { json })

contacts('should store an address with its name, and list contacts by address', async () => {
  assert.equal(await list(), [])
  const zoe = (await add({ email: 'zoe@example.org', name: '  Zoe ' })).json()
  assert.equal(Object.keys(zoe), ['id', 'email', 'name', 'created_at'])
  assert.is(zoe.name, 'Zoe')
  const adam = (await add({ email: ' Adam@example.org' })).json()
  assert.equal([adam.email, adam.name], ['Adam@example.org', ''])
  assert.equal(await list(), [adam, zoe])
})

contacts('should have an address once, whatever its case', async () => {
  const eve = (await add({ email: 'eve@example.org' })).json()
  assertRefused(await add({ email: 'EVE@Example.org' }), 409, 'conflict')
  const other = (await add({ email: 'other@example.org' })).json()
  assertRefused(await change(other.id, { email: 'Eve@example.org' }), 409, 'conflict')
  // The same address in another case is accepted.
  assert.is((await change(eve.id, { email: 'Eve@example.org' })).json().email, 'Eve@example.org')
  // Another account may have the same contact.
  assert.is((await add({ email: 'eve@example.org' }, bob)).status, 200)
})

contacts('should change the given fields and leave the rest', async () => {
  const eve = (await add({ email: 'eve@example.org', name: 'Eve' })).json()
  const named = { ...eve, name: 'Eva' }
  assert.equal((await change(eve.id, { name: 'Eva' })).json(), named)
  assert.equal((await change(eve.id, {})).json(), named)
  const moved = (await change(eve.id, { email: 'eva@example.org', name: null })).json()
  assert.equal(moved, { ...named, email: 'eva@example.org' })
  assert.is((await change(eve.id, { name: '' })).json().name, '')
  assert.is((await ann.client.delete(`${path}/${eve.id}`)).status, 200)
  assert.equal(await list(), [])
  assertRefused(await ann.client.delete(`${path}/${eve.id}`), 404, 'not_found')
  assertRefused(await change(eve.id, { name: 'x' }), 404, 'not_found')
})

for (const [why, json] of [
  ['no address', { name: 'Eve' }],
  ['text that is no address', { email: 'eve@' }],
  ['an address with a name', { email: 'Eve <eve@example.org>' }],
  ['an address of 255 characters', { email: `${'x'.repeat(243)}@example.org` }],
  ['a name of 201 characters', { email: 'eve@example.org', name: 'x'.repeat(201) }],
  ['a name of two lines', { email: 'eve@example.org', name: 'Eve\nBcc: all@example.org' }],
  ['a name with NUL', { email: 'eve@example.org', name: 'a\0b' }],
  ['a name that is a number', { email: 'eve@example.org', name: 7 }],
] as const) {
  contacts(`should refuse ${why}`, async () => {
    assertRefused(await add(json), 400, 'invalid_input')
    assert.equal(await list(), [])
  })
}

contacts('should refuse contacts beyond a thousand, also simultaneous ones', async () => {
  await service.database.sql`
    insert into contacts (id, user_id, email, name, created_at)
    select gen_random_uuid(), ${ann.id}, 'x' || n || '@example.org', '', now()
    from generate_series(1, 998) as n`
  const answers = await Promise.all([1, 2, 3, 4].map((n) => add({ email: `new${n}@example.org` })))
  assert.is(answers.filter(({ status }) => status === 200).length, 2)
  const refused = await add({ email: 'eve@example.org' })
  assertRefused(refused, 409, 'too_many_contacts')
  assert.is(refused.json().limit, 1000)
  assert.is((await list()).length, 1000)
})

contacts('should store one contact when the same address is added twice at once', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => add({ email: 'eve@example.org' })))
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
  assert.equal(statuses, [200, 409, 409])
  assert.is((await list()).length, 1)
})

contacts('should neither show nor give access to the contacts of others', async () => {
  const eve = (await add({ email: 'eve@example.org', name: 'Eve' })).json()
  const admin = await service.admin()
  const anonymous = service.client()
  for (const client of [bob.client, admin]) {
    assert.equal((await client.get(path)).json(), [])
    const json = { name: 'mine' }
    assertRefused(await client.call('PATCH', `${path}/${eve.id}`, { json }), 404, 'not_found')
    assertRefused(await client.delete(`${path}/${eve.id}`), 404, 'not_found')
  }
  assertRefused(await anonymous.get(path), 401, 'unauthorized')
  assertRefused(await anonymous.delete(`${path}/${eve.id}`), 401, 'unauthorized')
  assert.equal(await list(), [eve])
  await admin.close()
  await anonymous.close()
})

contacts('should accept API tokens', async () => {
  const program = await apiTokenOf(service, ann.client)
  const eve = (await program.post(path, { email: 'eve@example.org' })).json()
  assert.equal((await program.get(path)).json(), [eve])
})

contacts('should be deleted with the account, even if its shares are kept', async () => {
  await add({ email: 'eve@example.org' })
  const admin = await service.admin()
  const answer = await admin.delete(`/api/users/${ann.id}?transferTo=${bob.id}`)
  assert.is(answer.status, 200)
  assert.equal(await list(bob), [])
  const left = await service.database.sql`select 1 from contacts where user_id = ${ann.id}`
  assert.is(left.length, 0)
  await admin.close()
})

contacts.run()
