import type { IncomingHttpHeaders } from 'node:http'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { evaluateConditions, ifRangeMatches } from '../../src/http/conditional.ts'
import type { ConditionResult } from '../../src/http/conditional.ts'

const conditional = suite('conditional')

const resource = { etag: '"v1,a"', modifiedAt: new Date('1994-11-06T08:49:37.900Z') }
const same = 'Sun, 06 Nov 1994 08:49:37 GMT'
const before = 'Sun, 06 Nov 1994 08:49:36 GMT'
const after = 'Sun, 06 Nov 1994 08:49:38 GMT'

const readCases: [headers: IncomingHttpHeaders, expected: ConditionResult][] = [
  [{}, 'proceed'],

  [{ 'if-none-match': '"v1,a"' }, 'not_modified'],
  [{ 'if-none-match': 'W/"v1,a"' }, 'not_modified'],
  [{ 'if-none-match': '*' }, 'not_modified'],
  [{ 'if-none-match': ' * ' }, 'not_modified'],
  [{ 'if-none-match': '"x", W/"y,z" ,"v1,a"' }, 'not_modified'],
  [{ 'if-none-match': ',, "x",,"v1,a",' }, 'not_modified'],
  [{ 'if-none-match': '"x"' }, 'proceed'],
  [{ 'if-none-match': '""' }, 'proceed'],
  [{ 'if-none-match': '' }, 'proceed'],
  // A tag inside another's quotes, unquoted, with a wrong prefix, or after an invalid tag.
  [{ 'if-none-match': '"x,"v1,a""' }, 'proceed'],
  [{ 'if-none-match': 'v1,a' }, 'proceed'],
  [{ 'if-none-match': 'w/"v1,a"' }, 'proceed'],
  [{ 'if-none-match': 'x, "v1,a"' }, 'proceed'],
  [{ 'if-none-match': '"x" "v1,a"' }, 'proceed'],

  [{ 'if-modified-since': same }, 'not_modified'],
  [{ 'if-modified-since': after }, 'not_modified'],
  [{ 'if-modified-since': before }, 'proceed'],
  [{ 'if-modified-since': 'Sunday, 06-Nov-94 08:49:37 GMT' }, 'not_modified'],
  [{ 'if-modified-since': 'Sun Nov  6 08:49:37 1994' }, 'not_modified'],
  [{ 'if-modified-since': 'Wednesday, 01-Jan-69 00:00:00 GMT' }, 'not_modified'],
  // Invalid HTTP dates, although Date.parse would read some.
  [{ 'if-modified-since': '2024-01-01T00:00:00Z' }, 'proceed'],
  [{ 'if-modified-since': '2024' }, 'proceed'],
  [{ 'if-modified-since': 'Sun, 31 Feb 2030 08:49:37 GMT' }, 'proceed'],
  [{ 'if-modified-since': 'Sun, 06 Foo 2030 08:49:37 GMT' }, 'proceed'],
  [{ 'if-modified-since': 'Sun, 06 Nov 2030 24:49:37 GMT' }, 'proceed'],
  [{ 'if-modified-since': 'Sun, 06 Nov 2030 08:49:37 +0100' }, 'proceed'],
  [{ 'if-modified-since': `${after}, ${after}` }, 'proceed'],
  [{ 'if-modified-since': '' }, 'proceed'],
  // The date does not count beside the tag, even beside a malformed one.
  [{ 'if-none-match': '"x"', 'if-modified-since': after }, 'proceed'],
  [{ 'if-none-match': 'x', 'if-modified-since': after }, 'proceed'],
  [{ 'if-none-match': '"v1,a"', 'if-modified-since': before }, 'not_modified'],
]

const anyMethodCases: [headers: IncomingHttpHeaders, expected: ConditionResult][] = [
  [{ 'if-match': '"v1,a"' }, 'proceed'],
  [{ 'if-match': '"x","v1,a"' }, 'proceed'],
  [{ 'if-match': '*' }, 'proceed'],
  [{ 'if-match': '"x"' }, 'precondition_failed'],
  [{ 'if-match': 'W/"v1,a"' }, 'precondition_failed'],
  [{ 'if-match': 'v1,a' }, 'precondition_failed'],
  [{ 'if-match': '' }, 'precondition_failed'],

  [{ 'if-unmodified-since': same }, 'proceed'],
  [{ 'if-unmodified-since': after }, 'proceed'],
  [{ 'if-unmodified-since': before }, 'precondition_failed'],
  [{ 'if-unmodified-since': '1990' }, 'proceed'],
  [{ 'if-match': '"v1,a"', 'if-unmodified-since': before }, 'proceed'],
  [{ 'if-match': '"x"', 'if-unmodified-since': after }, 'precondition_failed'],
  [{ 'if-match': '"x"', 'if-none-match': '"v1,a"' }, 'precondition_failed'],
  [{ 'if-unmodified-since': before, 'if-none-match': '"v1,a"' }, 'precondition_failed'],
]

const writeCases: [headers: IncomingHttpHeaders, expected: ConditionResult][] = [
  [{ 'if-none-match': '*' }, 'precondition_failed'],
  [{ 'if-none-match': 'W/"v1,a"' }, 'precondition_failed'],
  [{ 'if-none-match': '"x"' }, 'proceed'],
  [{ 'if-modified-since': same }, 'proceed'],
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

conditional('should read any text without throwing', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (match, since) => {
      evaluateConditions({ 'if-none-match': match }, resource, 'GET')
      evaluateConditions({ 'if-match': match, 'if-modified-since': since }, resource, 'GET')
    }),
  )
})

const ifRangeCases: [header: string | undefined, etag: string, expected: boolean][] = [
  [undefined, '"a"', true],
  ['"a"', '"a"', true],
  [' "a" ', '"a"', true],
  ['"b"', '"a"', false],
  ['W/"a"', '"a"', false],
  ['W/"a"', 'W/"a"', false],
  ['"a", "b"', '"a"', false],
  ['a', '"a"', false],
  ['*', '"a"', false],
  ['', '"a"', false],
  [same, '"a"', false],
]

for (const [header, etag, expected] of ifRangeCases) {
  conditional(`should return ${expected} for If-Range ${header} and ${etag}`, () => {
    assert.is(ifRangeMatches(header, etag), expected)
  })
}

conditional.run()
