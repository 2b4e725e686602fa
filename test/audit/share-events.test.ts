// Every audited action on shares and links for guests, as events.test.ts for all others.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { events } from '../../src/audit/events.ts'
import { assertFinalUndone, assertRecorded, begin, isFinal, nothing } from './event-row.ts'
import { guestEvents, shareEvents } from './share-events.ts'
import { makeWorld, type World } from './world.ts'

const leaving = suite('audit: events of shares')
/** Audit events recorded so far. */
const seen = new Set<string>()
const rows = [...shareEvents, ...guestEvents]

const world: World = await makeWorld()
leaving.after(() => world.stop())
leaving.before.each(() => begin(world))

for (const row of rows) {
  leaving(`should record ${row.id} when ${row.when}, in the same transaction`, () =>
    assertRecorded(world, row, seen),
  )
}

for (const row of rows.filter((one) => one.leaves !== nothing && isFinal(one))) {
  leaving(`should undo ${row.id} when its row cannot be written and ${row.when}`, () =>
    assertFinalUndone(world, row),
  )
}

leaving('should have recorded every kind of audit event of shares', () => {
  const ofShares = events.filter((event) => /^(?:share|reverse_share|delivery)\./.test(event))
  assert.equal(
    ofShares.filter((event) => !seen.has(event)),
    [],
  )
})
