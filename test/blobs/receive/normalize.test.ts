import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { normalize } from '../../../src/blobs/receive/normalize.ts'

const forms = suite('normalize')

const texts = [
  '',
  'a\u0308',
  '\u1100\u1161\u11a8',
  'e\u0323\u0301',
  '\u0344',
  '\ufdfa',
  '\ud83d\ude00',
]

for (const form of ['NFC', 'NFD', 'NFKC'] as const) {
  forms(`should give the same ${form} as the runtime for short and long texts`, () => {
    for (const text of texts) {
      for (const count of [1, 1000]) {
        const long = text.repeat(text === '\u0344' ? 1 : count)
        assert.is(normalize(long, form), long.normalize(form))
      }
    }
  })
}

forms('should keep the order of marks behind the first 32 of a character', () => {
  const sorted = `a${'\u0316'.repeat(640)}${'\u0301'.repeat(640)}`
  const given = `a${'\u0301'.repeat(640)}${'\u0316'.repeat(640)}`
  assert.is(given.normalize('NFD'), sorted)
  assert.is(normalize(given, 'NFD'), given)
})

forms.run()
