import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { contentRange, parseRange } from '../../src/http/range.ts'

const range = suite('range')

const beyond = '9'.repeat(400)

type Expected = 'whole' | 'unsatisfiable' | [start: number, end: number]

const cases: [header: string | undefined, size: number, expected: Expected][] = [
  [undefined, 10, 'whole'],
  ['', 10, 'whole'],
  ['bytes=0-4', 10, [0, 5]],
  ['bytes=0-0', 10, [0, 1]],
  ['bytes=9-9', 10, [9, 10]],
  ['bytes=0-', 10, [0, 10]],
  ['bytes=4-', 10, [4, 10]],
  ['bytes=4-99', 10, [4, 10]],
  ['bytes=-3', 10, [7, 10]],
  ['bytes=-10', 10, [0, 10]],
  ['bytes=-99', 10, [0, 10]],
  ['bytes=007-8', 10, [7, 9]],
  // The unit is case-insensitive, and white space may surround a member of the list.
  ['BYTES=0-4', 10, [0, 5]],
  [' \tBytes= 0-4\t', 10, [0, 5]],
  ['bytes=0-4,', 10, [0, 5]],
  ['bytes=, ,0-4', 10, [0, 5]],
  // Beyond the end.
  ['bytes=10-', 10, 'unsatisfiable'],
  ['bytes=10-20', 10, 'unsatisfiable'],
  ['bytes=-0', 10, 'unsatisfiable'],
  ['bytes=-000', 10, 'unsatisfiable'],
  // Ignored: several, other units, malformed.
  ['bytes=0-1,3-4', 10, 'whole'],
  ['bytes=0-1, -1', 10, 'whole'],
  ['seconds=0-4', 10, 'whole'],
  ['xbytes=0-4', 10, 'whole'],
  ['bytes', 10, 'whole'],
  ['bytes=', 10, 'whole'],
  ['bytes=-', 10, 'whole'],
  ['bytes=4', 10, 'whole'],
  ['bytes=5-4', 10, 'whole'],
  ['bytes=--4', 10, 'whole'],
  ['bytes=0-4-5', 10, 'whole'],
  ['bytes=0 - 4', 10, 'whole'],
  ['bytes =0-4', 10, 'whole'],
  ['bytes=+0-4', 10, 'whole'],
  ['bytes=0x0-4', 10, 'whole'],
  ['bytes=1e1-', 10, 'whole'],
  ['bytes=0.5-4', 10, 'whole'],
  ['bytes=a-b', 10, 'whole'],
  ['bytes=٣-٤', 10, 'whole'],
  ['bytes=0-4\nx', 10, 'whole'],
  // Nothing to send.
  ['bytes=0-', 0, 'unsatisfiable'],
  ['bytes=0-0', 0, 'unsatisfiable'],
  ['bytes=-1', 0, 'whole'],
  ['bytes=-0', 0, 'unsatisfiable'],
  // Numbers beyond the precision of a double.
  [`bytes=0-${beyond}`, 10, [0, 10]],
  [`bytes=-${beyond}`, 10, [0, 10]],
  [`bytes=${beyond}-`, 10, 'unsatisfiable'],
  ['bytes=9007199254740993-', 10, 'unsatisfiable'],
  ['bytes=0-', Number.MAX_SAFE_INTEGER, [0, Number.MAX_SAFE_INTEGER]],
  ['bytes=-1', Number.MAX_SAFE_INTEGER, [Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER]],
]

for (const [header, size, expected] of cases) {
  const shown = JSON.stringify(header)?.slice(0, 40)
  range(`should read ${shown} of ${size} bytes as ${JSON.stringify(expected)}`, () => {
    const want = typeof expected === 'string' ? expected : { start: expected[0], end: expected[1] }
    assert.equal(parseRange(header, size), want)
  })
}

range('should never return bytes outside of the representation', () => {
  const position = fc.oneof(fc.constant(''), fc.nat().map(String), fc.stringMatching(/^\d{1,30}$/))
  fc.assert(
    fc.property(position, position, fc.nat({ max: 1000 }), (first, last, size) => {
      const parsed = parseRange(`bytes=${first}-${last}`, size)
      if (typeof parsed === 'string') return
      assert.ok(parsed.start >= 0 && parsed.start < parsed.end && parsed.end <= size)
    }),
  )
})

range('should read any text without throwing', () => {
  fc.assert(fc.property(fc.string(), fc.nat(), (text, size) => void parseRange(text, size)))
})

range('should read a header as long as Node accepts in linear time', () => {
  assert.is(parseRange(`bytes=${', '.repeat(8000)}`, 10), 'whole')
  assert.is(parseRange(`bytes=${' '.repeat(16_000)}x`, 10), 'whole')
})

range('should write Content-Range for 206 and 416', () => {
  assert.is(contentRange({ start: 0, end: 1 }, 10), 'bytes 0-0/10')
  assert.is(contentRange({ start: 3, end: 10 }, 10), 'bytes 3-9/10')
  assert.is(contentRange('unsatisfiable', 10), 'bytes */10')
  assert.is(contentRange('unsatisfiable', 0), 'bytes */0')
})

range.run()
