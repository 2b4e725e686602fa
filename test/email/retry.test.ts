import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isHopeless, retryDelayMs } from '../../src/email/retry.ts'

const retry = suite('email: retrying')
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

retry('should wait a minute, then twice as long each time, up to an hour', () => {
  const delays = [1, 2, 3, 6, 7, 8, 1000].map((attempts) => retryDelayMs(attempts, 0.5) / minuteMs)
  assert.equal(delays, [1, 2, 4, 32, 60, 60, 60])
})

retry('should spread simultaneous failures by a quarter each way', () => {
  assert.is(retryDelayMs(1, 0), 0.75 * minuteMs)
  assert.is(retryDelayMs(1, 1), 1.25 * minuteMs)
})

retry('should give up after days and many attempts, never because a clock was set', () => {
  assert.not.ok(isHopeless(1000, 4 * dayMs))
  assert.not.ok(isHopeless(3, 20_000 * dayMs))
  assert.ok(isHopeless(100, 6 * dayMs))
})

retry.run()
