import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseRateLimit } from '../../src/config/limiters.ts'
import type { RateLimitPolicy } from '../../src/http/rate-limit.ts'

const text = suite('rate-limit :: text')

// prettier-ignore
const policies: [written: string, expected: RateLimitPolicy | null][] = [
  ['5/15m', { limit: 5, windowMs: 900_000 }], ['3/1h', { limit: 3, windowMs: 3_600_000 }],
  ['10000/1h', { limit: 10_000, windowMs: 3_600_000 }],
  [' 1/30s ', { limit: 1, windowMs: 30_000 }],
  ['9999999/7d', { limit: 9_999_999, windowMs: 604_800_000 }], ['off', null], [' OFF ', null],

]

text('should read policies', () => {
  for (const [written, expected] of policies) assert.equal(parseRateLimit(written), expected)
})

// prettier-ignore
const wrongPolicies = [
  '', '5', '5/', '/1h', '5/m', '5/15', '0/1h', '5/0m', '-5/1h', '5.5/1h', '1e3/1h', '5/1w',
  '5/1M', '5/1h/1h', '99999999/1h', 'none',

]

text('should name an invalid value, with an example', () => {
  for (const written of wrongPolicies) {
    const isNamed = ({ message }: Error) =>
      message.startsWith(`"${written}"`) && message.includes('5/15m')
    assert.throws(() => parseRateLimit(written), isNamed)
  }
})
