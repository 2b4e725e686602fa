import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { minuteMs } from '../../src/lib/clock.ts'
import type { CodedError } from '../../src/lib/errors.ts'
import { LayoutLimits } from '../../src/shares/downloads/layout-limits.ts'
import { FakeClock } from '../helpers/clock.ts'

const limits = suite('limits of layouts')

/** How many selections of so many files are taken, each of another client. */
function countTaken(
  files: number,
  requesterOf: (turn: number) => { key: string; network: string },
) {
  const clock = new FakeClock()
  const layouts = new LayoutLimits(clock)
  const take = () => {
    for (let turn = 0; ; turn += 1) {
      try {
        layouts.take(requesterOf(turn), files)
      } catch (error) {
        assert.is((error as CodedError).code, 'rate_limited')
        assert.ok(Number((error as CodedError).headers['Retry-After']) <= 60)
        return turn
      }
    }
  }
  const first = take()
  clock.advance(minuteMs)
  assert.is(take(), first, 'and as many in the next minute')
  return first
}

const one = () => ({ key: '192.0.2.1', network: '192.0.2.0/24' })
const many = (turn: number) => ({ key: `192.0.2.${turn}`, network: '192.0.2.0/24' })

for (const [files, ofAddress, ofNetwork] of [
  [1, 60, 240],
  [1000, 60, 240],
  [1001, 30, 120],
  [50_000, 1, 4],
  [100_000, 1, 4],
] as const) {
  limits(`should be ${ofAddress} of ${files} files in a minute, and ${ofNetwork}`, () => {
    assert.is(countTaken(files, one), ofAddress)
    assert.is(countTaken(files, many), ofNetwork)
  })
}
