import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { expiresAt } from '../../src/settings/expiry.ts'
import type { Client } from '../helpers/client.ts'
import { startService, type Service } from '../helpers/service.ts'

const arithmetic = suite('shares: arithmetic of expiry')

const sums: [
  from: string,
  value: number,
  unit: 'Hours' | 'Days' | 'Weeks' | 'Months',
  to: string,
][] = [
  ['2026-03-10T12:00:00.000Z', 1, 'Hours', '2026-03-10T13:00:00.000Z'],
  ['2026-12-31T23:30:00.000Z', 1, 'Hours', '2027-01-01T00:30:00.000Z'],
  ['2026-03-10T12:00:00.000Z', 7, 'Days', '2026-03-17T12:00:00.000Z'],
  // Clocks change in Europe on that night; days are 24 hours all the same.
  ['2026-03-28T12:00:00.000Z', 1, 'Days', '2026-03-29T12:00:00.000Z'],
  ['2026-10-24T12:00:00.000Z', 1, 'Weeks', '2026-10-31T12:00:00.000Z'],
  ['2024-02-28T00:00:00.000Z', 1, 'Days', '2024-02-29T00:00:00.000Z'],
  ['2026-01-15T08:09:10.011Z', 1, 'Months', '2026-02-15T08:09:10.011Z'],
  ['2026-01-31T23:59:59.999Z', 1, 'Months', '2026-02-28T23:59:59.999Z'],
  ['2024-01-31T00:00:00.000Z', 1, 'Months', '2024-02-29T00:00:00.000Z'],
  ['2024-01-30T00:00:00.000Z', 1, 'Months', '2024-02-29T00:00:00.000Z'],
  ['2023-01-29T00:00:00.000Z', 1, 'Months', '2023-02-28T00:00:00.000Z'],
  ['2026-01-31T00:00:00.000Z', 2, 'Months', '2026-03-31T00:00:00.000Z'],
  ['2026-08-31T00:00:00.000Z', 1, 'Months', '2026-09-30T00:00:00.000Z'],
  ['2026-12-31T00:00:00.000Z', 2, 'Months', '2027-02-28T00:00:00.000Z'],
  ['2026-11-30T00:00:00.000Z', 3, 'Months', '2027-02-28T00:00:00.000Z'],
  ['2024-02-29T00:00:00.000Z', 12, 'Months', '2025-02-28T00:00:00.000Z'],
  ['2024-02-29T00:00:00.000Z', 48, 'Months', '2028-02-29T00:00:00.000Z'],
  ['2026-05-31T00:00:00.000Z', 13, 'Months', '2027-06-30T00:00:00.000Z'],
]

for (const [from, value, unit, to] of sums) {
  arithmetic(`should add ${value} ${unit} to ${from}`, () => {
    assert.is(expiresAt(new Date(from), { value, unit })?.toISOString(), to)
  })
}

arithmetic('should treat 0 as never, in every unit', () => {
  for (const unit of ['Hours', 'Days', 'Weeks', 'Months'] as const) {
    assert.is(expiresAt(new Date(), { value: 0, unit }), null)
  }
})

arithmetic('should return the same day after any number of months, or the last one', () => {
  const day = fc.date({
    min: new Date('2020-01-01'),
    max: new Date('2400-01-01'),
    noInvalidDate: true,
  })
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

arithmetic.run()

// ---

const asked = suite('shares: requested expiry')
const hourMs = 3_600_000
const dayMs = 24 * hourMs

let service: Service
let owner: Client

asked.before.each(async () => {
  service = await startService()
  owner = await service.admin()
})
asked.after.each(async () => {
  await owner.close()
  await service.stop()
})

/** How long after init a new draft expires; null for never. */
async function lifeOf(input: Record<string, unknown>): Promise<number | null> {
  const shareId = await owner.init(input)
  const shares: { id: string; expires_at: string | null }[] = (
    await owner.get('/api/shares')
  ).json()
  const at = shares.find(({ id }) => id === shareId)!.expires_at
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

asked('should refuse fractions and unknown units', async () => {
  const table: Record<string, unknown>[] = [
    ...[-1, 1.5, '7', '', true, [], {}, 2 ** 53, 1e300].map((value) => ({ expirationVal: value })),
    ...['Years', 'days', 'DAYS', '', 7, []].map((unit) => ({
      expirationVal: 1,
      expirationUnit: unit,
    })),
    { expirationUnit: 'Years' },
  ]
  for (const input of table) {
    const refused = await owner.post('/api/shares/init', input)
    assert.equal(
      [refused.status, refused.json().code],
      [400, 'invalid_input'],
      JSON.stringify(input),
    )
  }
  assert.equal((await owner.get('/api/shares')).json(), [])
})

asked('should count from init, and again from finalize', async () => {
  const shareId = await owner.init({ expirationVal: 2, expirationUnit: 'Hours' })
  const expiry = async () => Date.parse((await owner.get('/api/shares')).json()[0].expires_at)
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

asked('should enforce the longest lifetime of the settings', async () => {
  const set = await owner.call('PUT', '/api/config', {
    json: { maxExpirationVal: 48, maxExpirationUnit: 'Hours' },
  })
  assert.is(set.status, 200)
  assert.is(await lifeOf({ expirationVal: 2 }), 2 * dayMs)
  assert.is(await lifeOf({ expirationVal: 48, expirationUnit: 'Hours' }), 2 * dayMs)
  for (const input of [
    { expirationVal: 0 },
    { expirationVal: 3 },
    { expirationVal: 49, expirationUnit: 'Hours' },
    { expirationVal: 1, expirationUnit: 'Months' },
  ]) {
    const refused = await owner.post('/api/shares/init', input)
    assert.equal(
      [refused.status, refused.json().code],
      [400, 'invalid_input'],
      JSON.stringify(input),
    )
  }
})

asked.run()
