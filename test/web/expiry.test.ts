// Ends that a page offers, which must be those that the service takes.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { expiresAt } from '../../src/settings/expiry.ts'
import { browserClock } from '../../src/web/lib/clock.ts'
import type { Limits } from '../../src/web/lib/limits.ts'

const expiry = suite('web: expiry')

// The module reads the language of the page when it is loaded.
Object.assign(globalThis, { document: { documentElement: { dataset: {} } } })
Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] } })
const { allowedDays, endTime } = await import('../../src/web/lib/expiry.ts')

const ofMachine = { ...browserClock }
expiry.after.each(() => void Object.assign(browserClock, ofMachine))

for (const [day, months, last] of [
  ['2030-01-31', 1, '2030-02-27'],
  ['2032-01-31', 1, '2032-02-28'],
  ['2030-05-31', 1, '2030-06-29'],
  ['2030-05-30', 1, '2030-06-29'],
  ['2030-08-31', 6, '2031-02-27'],
  ['2030-02-28', 12, '2031-02-27'],
] as const) {
  expiry(`should offer days up to ${last} on ${day} with a limit of ${months} months`, () => {
    const at = new Date(`${day}T12:00:00`)
    Object.assign(browserClock, { now: () => at.getTime() })
    const limits = { maxExpirationVal: months, maxExpirationUnit: 'Months' } as Limits
    const offered = allowedDays(limits).last!
    assert.is(offered, `until ${last}`)
    const latest = expiresAt(at, { value: months, unit: 'Months' })!
    assert.ok(Date.parse(endTime(offered)!) <= latest.getTime())
  })
}
