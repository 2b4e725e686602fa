import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operator } from '../../../src/lib/actor.ts'
import { assertRefused, person, type Person } from '../people.ts'
import { startService, type Service } from '../../helpers/service.ts'

const preferences = suite('preferences')
const path = '/api/account/preferences'
let service: Service
let ann: Person
let made = 0

preferences.before(async () => {
  service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
})
preferences.after(() => service.stop())
preferences.before.each(async () => {
  made += 1
  ann = await person(service, `ann${made}@example.org`)
})

const read = async ({ client } = ann) => (await client.get(path)).json()
const write = (json: object) => ann.client.call('PUT', path, { json })
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

preferences('should be empty until something is chosen', async () => {
  assert.equal(await read(), none)
})

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

preferences('should refuse lifetimes beyond the limit of the service', async () => {
  await having({ maxExpirationVal: 2, maxExpirationUnit: 'Weeks' })
  assertRefused(await write({ expirationVal: 3, expirationUnit: 'Weeks' }), 400, 'invalid_input')
  assertRefused(await write({ expirationVal: 0 }), 400, 'invalid_input')
  assert.is((await write({ expirationVal: 14 })).status, 200)
  await having({ maxExpirationVal: 0 })
})

for (const [why, json] of [
  ['a negative time', { expirationVal: -1 }],
  ['a time beyond the calendar', { expirationVal: 10_001 }],
  ['an unknown unit', { expirationVal: 1, expirationUnit: 'Years' }],
  ['half a download', { maxDownloads: 1.5 }],
  ['a message of 10,001 characters', { message: 'x'.repeat(10_001) }],
  ['a string for a boolean', { startRightAway: 'yes' }],
  ['an unknown language', { language: 'tlh' }],
  ['an unknown time zone', { timeZone: 'Europe/Atlantis' }],
] as const) {
  preferences(`should refuse ${why}`, async () => {
    assertRefused(await write(json), 400, 'invalid_input')
    assert.equal(await read(), none)
  })
}

preferences('should belong to one account, and be deleted with it', async () => {
  await write({ maxDownloads: 5 })
  const admin = await service.admin()
  assert.equal((await admin.get(path)).json(), none)
  assert.is((await service.client().get(path)).status, 401)
  assert.is((await admin.delete(`/api/users/${ann.id}`)).status, 200)
  const left = await service.database.sql`select 1 from preferences where user_id = ${ann.id}`
  assert.is(left.length, 0)
  await admin.close()
})

preferences('should store one complete set when several are sent at once', async () => {
  const all = await Promise.all(
    [1, 2, 3].map((n) => write({ maxDownloads: n, message: `message ${n}` })),
  )
  assert.ok(all.every(({ status }) => status === 200))
  const { maxDownloads, message } = await read()
  assert.is(message, `message ${maxDownloads}`)
})

preferences.run()
