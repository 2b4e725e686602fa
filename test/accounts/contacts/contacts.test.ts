import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError } from '../../helpers/client.ts'
import { operator } from '../../../src/lib/actor.ts'
import { startService } from '../../helpers/service.ts'
import { newPerson, type Person } from '../people.ts'

const contacts = suite('contacts')
const path = '/api/account/contacts'
let ann: Person
let bob: Person

const service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
async function meet(): Promise<void> {
  ann = await newPerson(service)
  bob = await newPerson(service, 'bob')
}
contacts.before.each(meet)

const add = (json: object, { client } = ann) => client.post(path, json)
const list = async ({ client } = ann) => (await client.get(path)).json()
const change = (id: string, json: object, { client } = ann) => client.patch(`${path}/${id}`, json)

contacts('should store an address with its name, and list contacts by address', async () => {
  assert.equal(await list(), [])
  const zoe = (await add({ email: 'zoe@example.org', name: '  Zoe ' })).json()
  assert.is(zoe.name, 'Zoe')
  const adam = (await add({ email: ' Adam@example.org' })).json()
  assert.equal([adam.email, adam.name], ['Adam@example.org', ''])
  assert.equal(await list(), [adam, zoe])
})

contacts('should store an address once, regardless of case', async () => {
  const eve = (await add({ email: 'eve@example.org' })).json()
  assertError(await add({ email: 'EVE@Example.org' }), 409, 'conflict')
  const other = (await add({ email: 'other@example.org' })).json()
  assertError(await change(other.id, { email: 'Eve@example.org' }), 409, 'conflict')
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
  assertError(await ann.client.delete(`${path}/${eve.id}`), 404, 'not_found')
  assertError(await change(eve.id, { name: 'x' }), 404, 'not_found')
})

contacts('should refuse invalid addresses and names', async () => {
  for (const json of [
    { email: 'Eve <eve@example.org>' },
    { email: 'eve@example.org', name: 'Eve\nBcc: all@example.org' },
  ]) {
    assertError(await add(json), 400, 'invalid_input')
  }
  assert.equal(await list(), [])
})

contacts('should refuse contacts beyond a thousand, also simultaneous ones', async () => {
  await service.database.sql`
    insert into contacts (id, user_id, email, name, created_at)
    select gen_random_uuid(), ${ann.id}, 'x' || n || '@example.org', '', now()
    from generate_series(1, 998) as n`
  const answers = await Promise.all([1, 2, 3, 4].map((n) => add({ email: `new${n}@example.org` })))
  assert.is(answers.filter(({ status }) => status === 200).length, 2)
  const refused = await add({ email: 'eve@example.org' })
  assertError(refused, 409, 'too_many_contacts')
  assert.is(refused.json().limit, 1000)
  assert.is((await list()).length, 1000)
})

contacts('should neither show nor give access to the contacts of others', async () => {
  const eve = (await add({ email: 'eve@example.org', name: 'Eve' })).json()
  const admin = await service.admin()
  for (const client of [bob.client, admin]) {
    assert.equal((await client.get(path)).json(), [])
    assertError(await client.patch(`${path}/${eve.id}`, { name: 'mine' }), 404, 'not_found')
    assertError(await client.delete(`${path}/${eve.id}`), 404, 'not_found')
  }
  assert.equal(await list(), [eve])
})

const preferences = suite('preferences')

preferences.before.each(meet)

const read = async ({ client } = ann) => (await client.get('/api/account/preferences')).json()
const write = (json: object) => ann.client.put('/api/account/preferences', json)
const having = (values: object) => service.app.services.settings.update(operator, { ...values })

const none = {
  expirationVal: null,
  expirationUnit: null,
  maxDownloads: null,
  message: null,
  startRightAway: null,
  startsRightAway: true,
  language: null,
  timeZone: null,
}

preferences('should replace what was chosen before', async () => {
  const chosen = {
    expirationVal: 3,
    expirationUnit: 'Weeks',
    maxDownloads: 10,
    message: 'Best wishes',
    startRightAway: false,
    language: 'de',
    timeZone: 'Europe/Berlin',
  }
  const answer = await write(chosen)
  assert.equal(answer.json(), { ...chosen, startsRightAway: false })
  assert.equal(await read(), answer.json())
  assert.equal((await write({ maxDownloads: 5 })).json(), { ...none, maxDownloads: 5 })
  assert.equal((await write({ expirationVal: 2 })).json(), {
    ...none,
    expirationVal: 2,
    expirationUnit: 'Days',
  })
  const empty = { expirationVal: null, expirationUnit: 'Days', message: '', timeZone: '' }
  assert.equal((await write(empty)).json(), none)
})

preferences('should start right away as the service does, until an account chooses', async () => {
  await having({ startRightAway: false })
  assert.is((await read()).startsRightAway, false)
  assert.is((await write({ startRightAway: true })).json().startsRightAway, true)
  await having({ startRightAway: true })
  assert.is((await write({ startRightAway: false })).json().startsRightAway, false)
})

preferences('should refuse lifetimes beyond the limit, and unknown time zones', async () => {
  await having({ maxExpirationVal: 2, maxExpirationUnit: 'Weeks' })
  assertError(await write({ expirationVal: 3, expirationUnit: 'Weeks' }), 400, 'invalid_input')
  assertError(await write({ expirationVal: 0 }), 400, 'invalid_input')
  assertError(await write({ timeZone: 'Europe/Atlantis' }), 400, 'invalid_input')
  assert.is((await write({ expirationVal: 14 })).status, 200)
  await having({ maxExpirationVal: 0 })
})

preferences('should belong to one account, and be deleted with it, as contacts are', async () => {
  await write({ maxDownloads: 5 })
  const admin = await service.admin()
  assert.equal((await admin.get('/api/account/preferences')).json(), none)
  assert.is((await add({ email: 'eve@example.org' })).status, 200)
  assert.is((await admin.delete(`/api/users/${ann.id}?transferTo=${bob.id}`)).status, 200)
  const left = await service.database.sql`
    select user_id from preferences where user_id = ${ann.id}
    union all select user_id from contacts where user_id in (${ann.id}, ${bob.id})`
  assert.is(left.length, 0)
})
