// Every audited action on shares and links for guests, as events.test.ts for all others.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { events } from '../../src/audit/events.ts'
import { testEvents } from './event-row.ts'
import { guestEvents, shareEvents } from './share-events.ts'

const rows = [...shareEvents, ...guestEvents]
const leaving = suite('audit: events of shares')
const { seen } = await testEvents(leaving, rows)

leaving('should have recorded every kind of audit event of shares', () => {
  const ofShares = events.filter((event) => /^(?:share|reverse_share|delivery)\./.test(event))
  const missed = ofShares.filter((event) => !seen.has(event))
  assert.equal(missed, [])
})
