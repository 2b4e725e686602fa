import * as fc from 'fast-check'
import type { IncomingHttpHeaders } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type ConditionResult,
  evaluateConditions,
  ifRangeMatches,
  parseRange,
} from '../../src/http/conditional-and-range.ts'

const range = suite('range')

const beyond = '9'.repeat(400)

type Expected = 'whole' | 'unsatisfiable' | [start: number, end: number]

// oxfmt-ignore
const cases: [header: string | undefined, size: number, expected: Expected][] = [
  [undefined, 10, 'whole'], ['', 10, 'whole'], ['bytes=0-4', 10, [0, 5]],
  ['bytes=0-0', 10, [0, 1]], ['bytes=9-9', 10, [9, 10]], ['bytes=0-', 10, [0, 10]],
  ['bytes=4-', 10, [4, 10]], ['bytes=4-99', 10, [4, 10]], ['bytes=-3', 10, [7, 10]],
  ['bytes=-10', 10, [0, 10]], ['bytes=-99', 10, [0, 10]], ['bytes=007-8', 10, [7, 9]],
  ['BYTES=0-4', 10, [0, 5]], [' \tBytes= 0-4\t', 10, [0, 5]], ['bytes=0-4,', 10, [0, 5]],
  ['bytes=, ,0-4', 10, [0, 5]], ['bytes=10-', 10, 'unsatisfiable'],
  ['bytes=10-20', 10, 'unsatisfiable'], ['bytes=-0', 10, 'unsatisfiable'],
  ['bytes=-000', 10, 'unsatisfiable'], ['bytes=0-1,3-4', 10, 'whole'],
  ['bytes=0-1, -1', 10, 'whole'], ['seconds=0-4', 10, 'whole'], ['xbytes=0-4', 10, 'whole'],
  ['bytes', 10, 'whole'], ['bytes=', 10, 'whole'], ['bytes=-', 10, 'whole'],
  ['bytes=4', 10, 'whole'], ['bytes=5-4', 10, 'whole'], ['bytes=--4', 10, 'whole'],
  ['bytes=0-4-5', 10, 'whole'], ['bytes=0 - 4', 10, 'whole'], ['bytes =0-4', 10, 'whole'],
  ['bytes=+0-4', 10, 'whole'], ['bytes=0x0-4', 10, 'whole'], ['bytes=1e1-', 10, 'whole'],
  ['bytes=0.5-4', 10, 'whole'], ['bytes=a-b', 10, 'whole'], ['bytes=٣-٤', 10, 'whole'],
  ['bytes=0-4\nx', 10, 'whole'], ['bytes=0-', 0, 'unsatisfiable'],
  ['bytes=0-0', 0, 'unsatisfiable'], ['bytes=-1', 0, 'whole'], ['bytes=-0', 0, 'unsatisfiable'],
  [`bytes=0-${beyond}`, 10, [0, 10]], [`bytes=-${beyond}`, 10, [0, 10]],
  [`bytes=${beyond}-`, 10, 'unsatisfiable'], ['bytes=9007199254740993-', 10, 'unsatisfiable'],
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

const conditional = suite('conditional')

const resource = { etag: '"v1,a"', modifiedAt: new Date('1994-11-06T08:49:37.900Z') }
const same = 'Sun, 06 Nov 1994 08:49:37 GMT'
const before = 'Sun, 06 Nov 1994 08:49:36 GMT'
const after = 'Sun, 06 Nov 1994 08:49:38 GMT'

// oxfmt-ignore
const readCases: [headers: IncomingHttpHeaders, expected: ConditionResult][] = [
  [{}, 'proceed'], [{ 'if-none-match': '"v1,a"' }, 'not_modified'],
  [{ 'if-none-match': 'W/"v1,a"' }, 'not_modified'], [{ 'if-none-match': '*' }, 'not_modified'],
  [{ 'if-none-match': ' * ' }, 'not_modified'],
  [{ 'if-none-match': '"x", W/"y,z" ,"v1,a"' }, 'not_modified'],
  [{ 'if-none-match': ',, "x",,"v1,a",' }, 'not_modified'],
  [{ 'if-none-match': '"x"' }, 'proceed'], [{ 'if-none-match': '""' }, 'proceed'],
  [{ 'if-none-match': '' }, 'proceed'], [{ 'if-none-match': '"x,"v1,a""' }, 'proceed'],
  [{ 'if-none-match': 'v1,a' }, 'proceed'], [{ 'if-none-match': 'w/"v1,a"' }, 'proceed'],
  [{ 'if-none-match': 'x, "v1,a"' }, 'proceed'], [{ 'if-none-match': '"x" "v1,a"' }, 'proceed'],
  [{ 'if-modified-since': same }, 'not_modified'],
  [{ 'if-modified-since': after }, 'not_modified'],
  [{ 'if-modified-since': before }, 'proceed'],
  [{ 'if-modified-since': '2024-01-01T00:00:00Z' }, 'proceed'],
  [{ 'if-modified-since': '2024' }, 'proceed'],
  [{ 'if-modified-since': 'Sun, 31 Feb 2030 08:49:37 GMT' }, 'proceed'],
  [{ 'if-modified-since': 'Sun, 06 Foo 2030 08:49:37 GMT' }, 'proceed'],
  [{ 'if-modified-since': 'Sun, 06 Nov 2030 24:49:37 GMT' }, 'proceed'],
  [{ 'if-modified-since': 'Sun, 06 Nov 2030 08:49:37 +0100' }, 'proceed'],
  [{ 'if-modified-since': `${after}, ${after}` }, 'proceed'],
  [{ 'if-modified-since': '' }, 'proceed'],
  [{ 'if-none-match': '"x"', 'if-modified-since': after }, 'proceed'],
  [{ 'if-none-match': 'x', 'if-modified-since': after }, 'proceed'],
  [{ 'if-none-match': '"v1,a"', 'if-modified-since': before }, 'not_modified'],

]

// oxfmt-ignore
const anyMethodCases: [headers: IncomingHttpHeaders, expected: ConditionResult][] = [
  [{ 'if-match': '"v1,a"' }, 'proceed'], [{ 'if-match': '"x","v1,a"' }, 'proceed'],
  [{ 'if-match': '*' }, 'proceed'], [{ 'if-match': '"x"' }, 'precondition_failed'],
  [{ 'if-match': 'W/"v1,a"' }, 'precondition_failed'],
  [{ 'if-match': 'v1,a' }, 'precondition_failed'], [{ 'if-match': '' }, 'precondition_failed'],
  [{ 'if-unmodified-since': same }, 'proceed'], [{ 'if-unmodified-since': after }, 'proceed'],
  [{ 'if-unmodified-since': before }, 'precondition_failed'],
  [{ 'if-unmodified-since': '1990' }, 'proceed'],
  [{ 'if-match': '"v1,a"', 'if-unmodified-since': before }, 'proceed'],
  [{ 'if-match': '"x"', 'if-unmodified-since': after }, 'precondition_failed'],
  [{ 'if-match': '"x"', 'if-none-match': '"v1,a"' }, 'precondition_failed'],
  [{ 'if-unmodified-since': before, 'if-none-match': '"v1,a"' }, 'precondition_failed'],

]

// oxfmt-ignore
const writeCases: [headers: IncomingHttpHeaders, expected: ConditionResult][] = [
  [{ 'if-none-match': '*' }, 'precondition_failed'],
  [{ 'if-none-match': 'W/"v1,a"' }, 'precondition_failed'],
  [{ 'if-none-match': '"x"' }, 'proceed'], [{ 'if-modified-since': same }, 'proceed'],

]

const tables: [methods: string[], cases: [IncomingHttpHeaders, ConditionResult][]][] = [
  [['GET', 'HEAD'], readCases],
  [['GET', 'HEAD', 'PATCH', 'DELETE'], anyMethodCases],
  [['POST', 'PATCH', 'DELETE'], writeCases],
]

for (const [methods, cases] of tables) {
  for (const [headers, expected] of cases) {
    const shown = JSON.stringify(headers)
    conditional(`should answer ${methods.join(', ')} with ${shown} by ${expected}`, () => {
      for (const method of methods) {
        assert.is(evaluateConditions(headers, resource, method), expected, method)
      }
    })
  }
}

// oxfmt-ignore
const ifRangeCases: [header: string | undefined, etag: string, expected: boolean][] = [
  [undefined, '"a"', true], ['"a"', '"a"', true], ['"b"', '"a"', false], ['W/"a"', '"a"', false],
  ['"a", "b"', '"a"', false], ['*', '"a"', false], [same, '"a"', false],
]

for (const [header, etag, expected] of ifRangeCases) {
  conditional(`should return ${expected} for If-Range ${header} and ${etag}`, () => {
    assert.is(ifRangeMatches(header, etag), expected)
  })
}
