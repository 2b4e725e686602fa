import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { TextSet } from '../../src/lib/text-set.ts'

const texts = suite('TextSet')

texts('should contain added texts, and report whether each was new', () => {
  const set = new TextSet()
  for (const text of ['', 'a', 'b', 'ab', 'ba', 'ü😀']) {
    assert.equal(
      [set.has(text), set.add(text), set.add(text), set.has(text)],
      [false, true, false, true],
    )
  }
})

texts('should distinguish very many similar texts', () => {
  const set = new TextSet()
  for (let number = 0; number < 200_000; number += 1) assert.ok(set.add(`files/${number}.jpg`))
  for (let number = 0; number < 200_000; number += 1) {
    if (!set.has(`files/${number}.jpg`)) assert.unreachable(`${number} is missing`)
    if (set.has(`files/${number}.png`)) assert.unreachable(`${number} was never added`)
  }
})

texts.run()
