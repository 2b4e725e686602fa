import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Meter, percentOf } from '../../../src/web/upload/meter.ts'

const meter = suite('web: upload meter')
const mib = 1024 * 1024

/** Bytes for so many seconds, in 4 steps a second. */
function run(to: Meter, from: number, seconds: number, bytesPerSecond: (second: number) => number) {
  let now = from
  for (let part = 0; part < seconds * 4; part++) {
    now += 250
    to.moved(bytesPerSecond(Math.floor(part / 4)) / 4, now)
    to.tick(now)
  }
  return now
}

meter('should show no speed before a second, and no time left before three', () => {
  const fresh = new Meter()
  fresh.tick(0)
  assert.is(fresh.speed(0), null)
  let now = run(fresh, 0, 2, () => mib)
  assert.is(Math.round(fresh.speed(now)!), mib)
  assert.is(fresh.secondsLeft(50 * mib, 100 * mib, now), null)
  now = run(fresh, now, 2, () => mib)
  assert.is(Math.round(fresh.secondsLeft(50 * mib, 100 * mib, now)!), 50)
})

meter('should show nothing while nothing moves, and ignore pauses', () => {
  const fresh = new Meter()
  let now = run(fresh, 0, 20, () => mib)
  now = run(fresh, now, 12, () => 0)
  assert.is(fresh.speed(now), null)
  const rested = new Meter()
  now = run(rested, 0, 20, () => mib)
  rested.rest()
  assert.is(rested.speed(now), null)
  now = run(rested, now + 3_600_000, 3, () => mib)
  assert.is(Math.round(rested.speed(now)!), mib)
})

meter('should treat neither sleep of the machine nor a clock set back as slowness', () => {
  for (const jump of [8 * 3_600_000, -3_600_000]) {
    const fresh = new Meter()
    const now = run(fresh, 10_000_000, 20, () => mib)
    const later = run(fresh, now + jump, 4, () => mib)
    assert.is(Math.round(fresh.speed(later)!), mib)
  }
})

meter('should show 100 percent only when done', () => {
  const sending = [percentOf(0, 0, false), percentOf(999, 1000, false), percentOf(10, 10, false)]
  assert.equal(sending, [0, 99, 99])
  assert.equal([percentOf(10, 10, true), percentOf(1, 3, false)], [100, 33])
})
