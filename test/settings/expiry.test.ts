import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, type Client } from '../helpers/client.ts'
import { operator } from '../../src/lib/actor.ts'
import { expiresAt } from '../../src/settings/expiry.ts'
import { startService } from '../helpers/service.ts'

const arithmetic = suite('shares: arithmetic of expiry')

for (const [from, value, unit, to] of [
  ['2026-03-10T12:00:00.000Z', 1, 'Hours', '2026-03-10T13:00:00.000Z'],
  ['2026-03-28T12:00:00.000Z', 1, 'Days', '2026-03-29T12:00:00.000Z'],
  ['2026-10-24T12:00:00.000Z', 1, 'Weeks', '2026-10-31T12:00:00.000Z'],
  ['2026-01-31T23:59:59.999Z', 1, 'Months', '2026-02-28T23:59:59.999Z'],
  ['2024-02-29T00:00:00.000Z', 48, 'Months', '2028-02-29T00:00:00.000Z'],
] as const) {
  arithmetic(`should add ${value} ${unit} to ${from}`, () => {
    assert.is(expiresAt(new Date(from), { value, unit })?.toISOString(), to)
  })
}

arithmetic('should return the same day after any number of months, or the last one', () => {
  const [min, max] = [new Date('2020-01-01'), new Date('2400-01-01')]
  const day = fc.date({ min, max, noInvalidDate: true })
  const property = fc.property(day, fc.integer({ min: 1, max: 10_000 }), (from, value) => {
    const to = expiresAt(from, { value, unit: 'Months' })!
    const months = from.getUTCFullYear() * 12 + from.getUTCMonth() + value
    assert.is(to.getUTCFullYear() * 12 + to.getUTCMonth(), months)
    const lastDay = new Date(Date.UTC(Math.floor(months / 12), (months % 12) + 1, 0)).getUTCDate()
    assert.is(to.getUTCDate(), Math.min(from.getUTCDate(), lastDay))
    assert.is(to.getTime() % 86_400_000, from.getTime() % 86_400_000)
  })
  fc.assert(property, { numRuns: 500 })
})

const asked = suite('shares: requested expiry')
const hourMs = 3_600_000
const dayMs = 24 * hourMs

let owner: Client

const service = await startService()
asked.before.each(async () => {
  owner = await service.admin()
  await service.app.services.settings.update(operator, { maxExpirationVal: 0 })
})

async function lifeOf(input: Record<string, unknown>): Promise<number | null> {
  const shareId = await owner.init(input)
  const at: string | null = (await owner.get(`/api/shares/${shareId}`)).json().expires_at
  return at === null ? null : Date.parse(at) - service.clock.now()
}

asked('should count days without a unit, and 7 of them without a number', async () => {
  const table: [input: Record<string, unknown>, life: number | null][] = [
    [{}, 7 * dayMs],
    [{ expirationVal: null, expirationUnit: null }, 7 * dayMs],
    [{ expirationUnit: 'Hours' }, 7 * dayMs],
    [{ expirationVal: 3 }, 3 * dayMs],
    [{ expirationVal: 3, expirationUnit: null }, 3 * dayMs],
    [{ expirationVal: 3, expirationUnit: 'Hours' }, 3 * hourMs],
    [{ expirationVal: 3, expirationUnit: 'Weeks' }, 21 * dayMs],
    [{ expirationVal: 0 }, null],
    [{ expirationVal: 0, expirationUnit: 'Months' }, null],
  ]
  for (const [input, life] of table) assert.is(await lifeOf(input), life, JSON.stringify(input))
})

asked('should count from init, and again from finalize', async () => {
  const shareId = await owner.init({ expirationVal: 2, expirationUnit: 'Hours' })
  const expiry = async () =>
    Date.parse((await owner.get(`/api/shares/${shareId}`)).json().expires_at)
  assert.is(await expiry(), service.clock.now() + 2 * hourMs)
  service.clock.advance(3 * hourMs)
  await owner.chunk(shareId, 'f', 0, 'x'.repeat(35))
  const file = { fileId: 'f', originalName: 'a', size: 35 }
  assert.is((await owner.finalize(shareId, [file])).status, 200)
  const expiresAtMs = await expiry()
  assert.is(expiresAtMs, service.clock.now() + 2 * hourMs)
  // The same list again moves nothing.
  service.clock.advance(hourMs)
  assert.is((await owner.finalize(shareId, [file])).status, 200)
  assert.is(await expiry(), expiresAtMs)

  const status = async () => (await service.client().get(`/api/public/shares/${shareId}`)).status
  service.clock.advance(hourMs - 1)
  assert.is(await status(), 200)
  service.clock.advance(1)
  assert.is(await status(), 410)
})

const after = (ms: number) => new Date(service.clock.now() + ms).toISOString()

asked('should expire at a chosen moment, however late the share is complete', async () => {
  const end = after(30 * hourMs + 1)
  const shareId = await owner.init({ expiresAt: end })
  const read = async () => (await owner.get(`/api/shares/${shareId}`)).json()
  const fields = async () => {
    const { expires_at, fixedExpiry, expirationVal, expirationUnit } = await read()
    return [expires_at, fixedExpiry, `${expirationVal} ${expirationUnit}`]
  }
  assert.equal(await fields(), [end, true, '31 Hours'])
  service.clock.advance(20 * hourMs)
  await owner.chunk(shareId, 'f', 0, 'x')
  const finalized = await owner.finalize(shareId, [{ fileId: 'f', originalName: 'a', size: 1 }])
  assert.is(finalized.status, 200)
  assert.equal(await fields(), [end, true, '31 Hours'])
  // A change of something else leaves it alone, and a length replaces it.
  await owner.patch(`/api/shares/${shareId}`, { name: 'Later' })
  assert.equal(await fields(), [end, true, '31 Hours'])
  await owner.patch(`/api/shares/${shareId}`, { expirationVal: 1 })
  assert.equal(await fields(), [after(dayMs), false, '1 Days'])
  const sooner = after(hourMs)
  await owner.patch(`/api/shares/${shareId}`, { expiresAt: sooner })
  assert.equal(await fields(), [sooner, true, '1 Hours'])
  service.clock.advance(hourMs)
  assert.is((await service.client().get(`/api/public/shares/${shareId}`)).status, 410)
})

asked('should not complete a share whose moment has passed, until it gets another', async () => {
  const recipients = 'bob@example.org'
  const shareId = await owner.init({ expiresAt: after(hourMs), recipients })
  await owner.chunk(shareId, 'f', 0, 'x')
  service.clock.advance(hourMs)
  const files = [{ fileId: 'f', originalName: 'a', size: 1 }]
  const refused = await owner.finalize(shareId, files)
  assert.equal([refused.status, refused.json().field], [400, 'expiresAt'])
  const path = `/api/shares/${shareId}`
  assert.is((await owner.get(path)).json().status, 'draft')
  assert.is((await owner.patch(path, { expiresAt: after(1) })).status, 200)
  assert.is((await owner.finalize(shareId, files)).status, 200)
  assert.is((await service.client().get(`/api/public/shares/${shareId}`)).status, 200)
})

asked('should refuse moments that passed, are too late or make no sense', async () => {
  await owner.put('/api/config', { maxExpirationVal: 3 })
  const shareId = await owner.init()
  const table: Record<string, unknown>[] = [
    { expiresAt: after(0) },
    { expiresAt: after(-hourMs) },
    { expiresAt: after(3 * dayMs + 1) },
    { expiresAt: after(dayMs), expirationVal: 1 },
    { expiresAt: after(dayMs), expirationVal: 0 },
    { expiresAt: 'tomorrow' },
    { expiresAt: '2030-02-30T00:00:00Z' },
  ]
  for (const json of table) {
    for (const [method, path] of [
      ['POST', '/api/shares/init'],
      ['PATCH', `/api/shares/${shareId}`],
      ['POST', '/api/reverse'],
    ] as const) {
      assertError(await owner.call(method, path, { json }), 400, 'invalid_input')
    }
  }
  const kept = (await owner.get(`/api/shares/${shareId}`)).json()
  assert.equal([kept.fixedExpiry, kept.expirationVal], [false, 3])
  const json = { expiresAt: after(3 * dayMs) }
  assert.is((await owner.patch(`/api/shares/${shareId}`, json)).json().fixedExpiry, true)
  const { id } = (await owner.post('/api/reverse', json)).json()
  assert.is((await owner.get('/api/reverse')).json()[0].expires_at, json.expiresAt)
  const sooner = { expiresAt: after(1) }
  await owner.patch(`/api/reverse/${id}`, sooner)
  assert.is((await owner.get('/api/reverse')).json()[0].expires_at, sooner.expiresAt)
})

asked('should enforce the longest lifetime of the settings', async () => {
  const json = { maxExpirationVal: 48, maxExpirationUnit: 'Hours' }
  const shareId = await owner.share({ a: 'a' })
  assert.is((await owner.put('/api/config', json)).status, 200)
  assert.is(await lifeOf({}), 2 * dayMs)
  assert.is(await lifeOf({ expirationVal: 2 }), 2 * dayMs)
  assert.is(await lifeOf({ expirationVal: 48, expirationUnit: 'Hours' }), 2 * dayMs)
  for (const input of [
    { expirationVal: 0 },
    { expirationVal: 3 },
    { expirationVal: 49, expirationUnit: 'Hours' },
    { expirationVal: 1, expirationUnit: 'Months' },
  ]) {
    assertError(await owner.post('/api/shares/init', input), 400, 'invalid_input')
    const change = await owner.patch(`/api/shares/${shareId}`, input)
    assert.equal([change.status, change.json().field], [400, 'expirationVal'])
  }
})
