// The clock check compares times of the same moment, however long other checks take.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { checkClock } from '../../../src/admin/doctor/machine-checks.ts'
import type { Scene } from '../../../src/admin/doctor/scene.ts'
import { FakeClock } from '../../helpers/clock.ts'

const clocks = suite('doctor: clock')

/** Texts about clocks of a service whose Date is this far from our clock. */
async function textsFor(awayMs: number, laterMs: number): Promise<string[]> {
  const clock = new FakeClock()
  const date = new Date(clock.now() + awayMs).toUTCString()
  const reply = { headers: { date }, arrivedAt: clock.now() }
  clock.advance(laterMs)
  const deps = {
    clock,
    clockDoubt: async () => null,
    databaseNow: async () => new Date(clock.now()),
  }
  const scene = { deps, reach: { isReached: true, reply } } as unknown as Scene
  const findings = await checkClock(scene)
  return findings.map(({ text }) => text).filter((text) => text.includes('machine that answers'))
}

clocks('should accept a date of the time of its answer, a minute later', async () => {
  assert.equal(await textsFor(0, 65_000), [])
})

clocks('should find a machine whose clock is ahead', async () => {
  assert.is((await textsFor(60_000, 0)).length, 1)
})

clocks.run()
