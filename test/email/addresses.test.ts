// Addresses in a text, and the times at which emails to them are tried again.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { addressesMax, findAddresses } from '../../src/email/addresses.ts'
import { isHopeless, retryDelayMs } from '../../src/email/queue.ts'

const finding = suite('email: addresses in a text')

for (const [text, addresses, ignored] of [
  ['', [], []],
  ['ann@example.org', ['ann@example.org'], []],
  ['a@b.org, c@d.org;e@f.org\ng@h.org', ['a@b.org', 'c@d.org', 'e@f.org', 'g@h.org'], []],
  ['a@b.org c@d.org', ['a@b.org', 'c@d.org'], []],
  ['Ann <ann@example.org>', ['ann@example.org'], []],
  ['boss@bank.org <ann@example.org>', ['ann@example.org'], []],
  ['mailto:ann@example.org', ['ann@example.org'], []],
  ['Ann@Example.org, ann@example.org', ['Ann@Example.org'], []],
  ['Grandma, ann@example.org, 0171 234', ['ann@example.org'], ['Grandma', '0171 234']],
  ["'o'neil@example.org'", ["o'neil@example.org"], []],
  ['ann@', [], ['ann@']],
  ['anna@müller.example', ['anna@xn--mller-kva.example'], []],
  ['Anna <Anna@MÜLLER.example>', ['Anna@xn--mller-kva.example'], []],
  ['a@müller.example; A@xn--mller-kva.example', ['a@xn--mller-kva.example'], []],
  [
    'ivan@почта.рф, li@例子。测试',
    ['ivan@xn--80a1acny.xn--p1ai', 'li@xn--fsqu00a.xn--0zwm56d'],
    [],
  ],
  ['anna@müller%41.example', [], ['anna@müller%41.example']],
  ['anna@１２７.１', [], ['anna@１２７.１']],
  ['änna@example.org', [], ['änna@example.org']],
  ['anna@.ü', [], ['anna@.ü']],
  ['<<>>', [], ['<<>>']],
  [' , ; ', [], []],
  ['ann@example.org\r\nBcc: eve@evil.org', ['ann@example.org', 'eve@evil.org'], []],
] as const) {
  finding(`should find ${addresses.length} in ${JSON.stringify(text)}`, () => {
    assert.equal(findAddresses(text), { addresses: [...addresses], ignored: [...ignored] })
  })
}

finding('should stop at the limit and name the rest', () => {
  const many = Array.from({ length: addressesMax + 2 }, (_, n) => `a${n}@example.org`)
  const found = findAddresses(many.join(','))
  assert.is(found.addresses.length, addressesMax)
  assert.equal(found.ignored, many.slice(addressesMax))
})

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
