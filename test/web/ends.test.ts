// What people are told about an end, for instants around midnight in several time zones.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { expiresAt } from '../../src/settings/expiry.ts'
import { browserClock } from '../../src/web/lib/clock.ts'
import type { Limits } from '../../src/web/lib/limits.ts'

const ends = suite('web: ends')

// The module reads the language of the page when it is loaded.
Object.assign(globalThis, { document: { documentElement: { dataset: {} } } })
const ownNavigator = Object.getOwnPropertyDescriptor(globalThis, 'navigator')
const navigator = { value: { languages: ['en-GB'] }, configurable: true }
Object.defineProperty(globalThis, 'navigator', navigator)
const { formatEnd, formatRelative } = await import('../../src/web/lib/format.ts')
const { nearDayIn, timeStyle } = await import('../../src/lib/language.ts')
// Other files run in this process.
for (const name of ['document', 'navigator']) Reflect.deleteProperty(globalThis, name)
if (ownNavigator) Object.defineProperty(globalThis, 'navigator', ownNavigator)

const machinesOwn = process.env['TZ']
const ofMachine = { ...browserClock }
ends.after.each(() => {
  Object.assign(browserClock, ofMachine)
  if (machinesOwn === undefined) delete process.env['TZ']
  else process.env['TZ'] = machinesOwn
})

const table: [end: string, zone: string, words: string][] = [
  ['2036-12-05T00:13:00Z', 'UTC', 'Fri, 5 Dec 2036, 00:13'],
  ['2036-12-05T00:13:00Z', 'Europe/Berlin', 'Fri, 5 Dec 2036, 01:13'],
  ['2036-12-05T00:13:00Z', 'America/New_York', 'Thu, 4 Dec 2036, 19:13'],
  ['2036-12-05T22:59:59Z', 'Europe/Berlin', 'Fri, 5 Dec 2036'],
  ['2036-12-05T22:59:59Z', 'UTC', 'Fri, 5 Dec 2036, 22:59'],
  ['2036-12-05T22:59:59Z', 'Asia/Tokyo', 'Sat, 6 Dec 2036, 07:59'],
  ['2036-12-05T23:58:59Z', 'UTC', 'Fri, 5 Dec 2036, 23:58'],
  ['2036-12-05T23:59:00Z', 'UTC', 'Fri, 5 Dec 2036'],
  ['2036-12-05T23:59:59.999Z', 'UTC', 'Fri, 5 Dec 2036'],
  ['2036-12-06T00:00:00Z', 'UTC', 'Sat, 6 Dec 2036, 00:00'],
  ['2036-06-30T21:59:59Z', 'Europe/Berlin', 'Mon, 30 Jun 2036'],
  ['2036-06-30T18:29:59Z', 'Asia/Kolkata', 'Mon, 30 Jun 2036'],
]

for (const [end, zone, words] of table) {
  ends(`should say “${words}” for ${end} in ${zone}`, () => {
    process.env['TZ'] = zone
    assert.is(formatEnd(end), words)
    // Without the script the page names the time and the zone in any case.
    const page = nearDayIn(zone, 'en-GB', new Date(end), Date.now(), timeStyle)
    assert.ok(page.startsWith(words), page)
    assert.match(page, / \d\d:\d\d [A-Z]/)
  })
}

const now: [now: string, words: Record<string, string>][] = [
  [
    '2036-12-05T20:00:00Z',
    {
      '2036-12-06T19:00:00Z': 'in 23 hours',
      '2036-12-06T23:00:00Z': 'tomorrow',
      '2036-12-07T02:00:00Z': 'in 2 days',
      '2036-12-08T01:00:00Z': 'in 3 days',
      '2036-12-04T19:00:00Z': 'yesterday',
    },
  ],
  [
    '2036-12-05T00:30:00Z',
    {
      '2036-12-04T01:30:00Z': '23 hours ago',
      '2036-12-03T23:30:00Z': '2 days ago',
      '2036-12-06T23:30:00Z': 'tomorrow',
    },
  ],
]
for (const [at, table] of now) {
  for (const [moment, words] of Object.entries(table)) {
    ends(`should say “${words}” at ${at} for ${moment}`, () => {
      process.env['TZ'] = 'UTC'
      Object.assign(browserClock, { now: () => Date.parse(at) })
      assert.is(formatRelative(moment), words)
    })
  }
}

const expiry = suite('web: expiry')

const { allowedDays, endTime } = await import('../../src/web/lib/expiry.ts')

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
