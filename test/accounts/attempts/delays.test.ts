import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AttemptDelays } from '../../../src/accounts/attempts/attempts.ts'
import { aloneExchange } from '../../../src/http/rate-limit.ts'
import { FakeClock } from '../../helpers/clock.ts'

const delays = suite('attempt delays')
const policy = { freeFailures: 3, delayMsMax: 10_000 }
let clock: FakeClock
let guesses: AttemptDelays

delays.before.each(() => {
  clock = new FakeClock()
  guesses = new AttemptDelays(policy, clock, { exchange: aloneExchange, name: '' }, 100)
})

function wait(subject: string, network: string): number {
  const admission = guesses.admit(subject, network)
  return admission.isAdmitted ? 0 : admission.retryAfterMs
}

delays('should double the delay after the free failures, up to the maximum', () => {
  const waits: number[] = []
  wait('a', 'n')
  for (let failure = 1; failure <= 8; failure += 1) {
    assert.is(wait('a', 'n'), 0)
    const retryAfterMs = wait('a', 'n')
    if (retryAfterMs === 0) continue
    waits.push(retryAfterMs)
    clock.advance(retryAfterMs)
  }
  assert.equal(waits.slice(0, 5), [1000, 2000, 4000, 8000, 10_000])
  assert.ok(waits.every((retryAfterMs) => retryAfterMs <= 10_000))
})

delays('should not count a refunded attempt', () => {
  for (let guess = 0; guess < 100; guess += 1) {
    const admission = guesses.admit('a', 'n')
    assert.ok(admission.isAdmitted)
    admission.refund()
  }
  assert.is(wait('a', 'n'), 0)
})

delays('should forget one failure every quarter of an hour, and the subject after the last', () => {
  for (let guess = 0; guess < 4; guess += 1) wait('a', 'n')
  assert.is(wait('a', 'n'), 1000)
  clock.advance(15 * 60_000)
  assert.is(wait('a', 'n'), 0)
  assert.is(wait('a', 'n'), 1000)
  clock.advance(24 * 60 * 60_000)
  wait('b', 'n')
  assert.is(guesses.size, 1)
})

delays('should keep the subjects with the most failures when the table is full', () => {
  for (let guess = 0; guess < 4; guess += 1) wait('target', 'n')
  for (let index = 0; index < 1000; index += 1) wait(`flood ${index}`, 'n')
  assert.is(guesses.size, 100)
  assert.is(wait('target', 'n'), 1000)
})
