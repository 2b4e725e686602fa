import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createRateLimiter, RateLimiter, type RateLimitPolicy } from '../../src/http/rate-limit.ts'
import { rateLimitHeaders } from '../../src/http/run.ts'
import { FakeClock } from '../helpers/clock.ts'

/** A limiter that used the wall clock would be refilled by setting it. */
function makeClock(): FakeClock {
  return Object.assign(new FakeClock(), { now: () => Number.NaN })
}

function setUp(policy: RateLimitPolicy, keysMax = 20_000) {
  const clock = makeClock()
  return { clock, limiter: new RateLimiter({ ...policy, clock, keysMax }) }
}

function drain(limiter: RateLimiter, key: string, most = 1_000_000): number {
  let allowed = 0
  while (allowed < most && limiter.take(key).allowed) allowed += 1
  return allowed
}

const limiting = suite('rate-limit')

const perMinute = { limit: 3, windowMs: 60_000 }

limiting('should return each token one window after it was taken, not before', () => {
  const { clock, limiter } = setUp(perMinute)
  limiter.take('a')
  clock.advance(40_000)
  limiter.take('a')
  limiter.take('a')
  clock.advance(19_999)
  const refused = limiter.take('a')
  assert.not.ok(refused.allowed)
  assert.is(refused.retryAfterMs, 1)
  assert.is(refused.resetMs, 40_001)
  clock.advance(1)
  assert.is(drain(limiter, 'a'), 1)
})

limiting('should peek without taking', () => {
  const { limiter } = setUp(perMinute)
  assert.is(limiter.peek('a').remaining, 3)
  assert.is(limiter.size, 0)
  limiter.take('a')
  assert.is(limiter.peek('a').remaining, 2)
  assert.is(limiter.peek('a').remaining, 2)
  drain(limiter, 'a')
  assert.not.ok(limiter.peek('a').allowed)
  assert.is(limiter.peek('a').retryAfterMs, 60_000)
})

limiting('should always allow when it is off', () => {
  const limiter = createRateLimiter(null, makeClock())
  for (let times = 0; times < 1000; times += 1) assert.ok(limiter.take('a').allowed)
  assert.ok(limiter.peek('a').allowed)
  limiter.refund('a')
  assert.equal(rateLimitHeaders(limiter.take('a')), {})
})

const windows = suite('rate-limit :: every window')

// Steps that hit, just miss and straddle the ends of windows and sub-windows.
const windowMs = 6000
const stepMs = fc.oneof(
  fc.constant(0),
  fc.constantFrom(1, 99, 100, 101, windowMs - 1, windowMs, windowMs + 1),
  fc.nat({ max: 300 }),
  fc.double({ min: 0, max: 500, noNaN: true }),
)
const burst = fc.record({ stepMs, takes: fc.nat({ max: 60 }) })
const bursts = fc.array(burst, { maxLength: 60 })
const limits = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 90, max: 160 }))

/** Takes in the window that ends at `nowMs`: after its start, up to and including its end. */
function countInWindow(takenMs: number[], nowMs: number, lengthMs = windowMs): number {
  return takenMs.filter((ms) => ms + lengthMs > nowMs && ms <= nowMs).length
}

windows('should never admit more than the limit, and refuse only at the limit', () => {
  fc.assert(
    fc.property(limits, bursts, (limit, sequence) => {
      const { clock, limiter } = setUp({ limit, windowMs })
      const takenMs: number[] = []
      const slackMs = limit <= 100 ? 0 : windowMs / 60
      for (const { stepMs: step, takes } of sequence) {
        clock.advance(step)
        const nowMs = clock.monotonic()
        for (let times = 0; times < takes; times += 1) {
          const decision = limiter.take('a')
          if (decision.allowed) takenMs.push(nowMs)
          const isFull = countInWindow(takenMs, nowMs, windowMs + slackMs) >= limit
          assert.ok(decision.allowed || isFull, 'refused without a reason')
          assert.ok(countInWindow(takenMs, nowMs) <= limit, 'admitted too many')
        }
      }
      // A window with the maximum ends at one of the takes.
      for (const endMs of takenMs) assert.ok(countInWindow(takenMs, endMs) <= limit)
    }),
  )
})

windows('should allow a take after retryAfterMs, and all after resetMs', () => {
  fc.assert(
    fc.property(limits, bursts, (limit, sequence) => {
      const { clock, limiter } = setUp({ limit, windowMs })
      for (const { stepMs: step, takes } of sequence) {
        clock.advance(step)
        drain(limiter, 'a', takes)
      }
      const { retryAfterMs, resetMs } = limiter.peek('a')
      assert.ok(resetMs >= retryAfterMs)
      clock.advance(retryAfterMs + 0.001)
      assert.ok(limiter.peek('a').allowed)
      clock.advance(resetMs - retryAfterMs)
      assert.is(limiter.peek('a').remaining, limit)
    }),
  )
})

windows('should admit no more than the limit of takes that are not refunded', () => {
  // Whichever of the takes within a window is undone, the others stay within the limit.
  const step = fc.record({ stepMs, undo: fc.option(fc.nat()) })
  const steps = fc.array(step, { maxLength: 300 })
  fc.assert(
    fc.property(limits, steps, (limit, sequence) => {
      const { clock, limiter } = setUp({ limit, windowMs })
      let keptMs: number[] = []
      for (const { stepMs: passed, undo } of sequence) {
        clock.advance(passed % 700)
        const nowMs = clock.monotonic()
        const recent = keptMs.filter((ms) => ms + windowMs > nowMs)
        if (undo !== null && recent.length > 0) {
          const undoneMs = recent[undo % recent.length]
          const index = keptMs.indexOf(undoneMs ?? 0)
          keptMs = keptMs.filter((_, at) => at !== index)
          limiter.refund('a')
        } else if (limiter.take('a').allowed) keptMs.push(nowMs)
      }
      for (const endMs of keptMs) assert.ok(countInWindow(keptMs, endMs) <= limit)
    }),
  )
})

const bounds = suite('rate-limit :: bounds')

bounds('should drop expired keys while others take, without a timer', () => {
  const { clock, limiter } = setUp(perMinute)
  for (let key = 0; key < 1000; key += 1) limiter.take(`old ${key}`)
  clock.advance(60_000)
  for (let times = 0; times < 600; times += 1) limiter.take(`new ${times % 10}`)
  assert.is(limiter.size, 10)
})

const address = (number: number) => `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`

bounds('should never remember more than keysMax keys', () => {
  const makers: ((key: number) => string)[] = [
    (key) => `key ${key}`,
    address,
    (key) => `${key % 256}.${key >> 8}.0.1`,
    (key) => `2001:${key.toString(16)}:0:0::/64`,
    (key) => `${key.toString(16)}:0:0:0::/64 share`,
  ]
  for (const make of makers) {
    const { limiter } = setUp(perMinute, 64)
    for (let key = 0; key < 1000; key += 1) {
      limiter.take(make(key))
      limiter.peek(make(key + 5000))
      assert.ok(limiter.size <= 64, `${limiter.size} with ${make(key)}`)
    }
  }
})

bounds('should not forget a key without tokens in a flood of new keys', () => {
  const { limiter } = setUp(perMinute, 64)
  drain(limiter, '192.0.2.1')
  for (let key = 0; key < 10_000; key += 1) limiter.take(address(key))
  assert.not.ok(limiter.take('192.0.2.1').allowed)
})

bounds('should refuse no address because of those of another network', () => {
  const limiter = new RateLimiter({ ...perMinute, clock: makeClock() })
  // All /64 of a /48, each up to its limit.
  for (let key = 0; key < 65_536; key += 1) {
    drain(limiter, `2001:db8:7:${key.toString(16)}::/64`, 3)
  }
  assert.not.ok(limiter.take('2001:db8:7:ffff::/64').allowed, 'the network has no tokens left')
  for (let key = 0; key < 1_000; key += 1) {
    assert.is(drain(limiter, `198.51.${key >> 8}.${key & 255}`, 3), 3)
    assert.is(drain(limiter, `2001:db8:8:${key.toString(16)}::/64`, 3), 3)
  }
})

bounds('should give a network four times the tokens of an address', () => {
  const { clock, limiter } = setUp(perMinute, 16)
  for (let key = 0; key < 17; key += 1) limiter.take(address(key))
  assert.is(limiter.size, 1)
  assert.is(limiter.peek(address(77)).remaining, 3)
  assert.is(drain(limiter, address(77)), 11)
  assert.not.ok(limiter.peek(address(78)).allowed)
  limiter.refund(address(78))
  assert.is(drain(limiter, address(79)), 1)
  clock.advance(60_000)
  for (let key = 0; key < 15; key += 1) limiter.take(`192.0.2.${key}`)
  limiter.take('192.0.3.1')
  limiter.take('192.0.3.2')
  assert.is(drain(limiter, address(77)), 3, 'a network with all its tokens is forgotten')
})

bounds('should forget a network that has all its tokens, without a full table', () => {
  const { clock, limiter } = setUp(perMinute, 16)
  for (let key = 0; key < 17; key += 1) limiter.take(address(key))
  clock.advance(60_000)
  for (let times = 0; times < 10; times += 1) limiter.take('192.0.2.1')
  assert.is(limiter.size, 1)
  assert.is(drain(limiter, address(77)), 3)
  assert.is(drain(limiter, address(78)), 3)
})

bounds('should merge the network with most keys, and leave the others alone', () => {
  const { limiter } = setUp(perMinute, 32)
  for (let key = 0; key < 20; key += 1) drain(limiter, address(key), 1)
  for (let key = 0; key < 12; key += 1) drain(limiter, `192.0.2.${key}`, 2)
  limiter.take('198.51.100.1')
  for (let key = 0; key < 12; key += 1) assert.is(limiter.peek(`192.0.2.${key}`).remaining, 1)
  assert.is(limiter.size, 1 + 12 + 1)
})

const headers = suite('rate-limit :: headers')

headers('should report what is left, and a time to retry only when refused', () => {
  const { clock, limiter } = setUp(perMinute)
  assert.equal(rateLimitHeaders(limiter.take('a')), {
    'RateLimit-Limit': '3',
    'RateLimit-Remaining': '2',
    'RateLimit-Reset': '60',
  })
  drain(limiter, 'a')
  clock.advance(58_500)
  assert.equal(rateLimitHeaders(limiter.take('a')), {
    'RateLimit-Limit': '3',
    'RateLimit-Remaining': '0',
    'RateLimit-Reset': '2',
    'Retry-After': '2',
  })
  clock.advance(1499.5)
  assert.is(rateLimitHeaders(limiter.take('a'))['Retry-After'], '1')
})
