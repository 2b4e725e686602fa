import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { optional, parseInput, text, wholeNumber } from '../../src/http/schema.ts'
import { CodedError } from '../../src/lib/errors.ts'

const schemas = suite('schema')

function problem(schema: v.GenericSchema, input: unknown, where = ''): string {
  try {
    parseInput(schema, input, where)
    return ''
  } catch (error) {
    assert.instance(error, CodedError)
    assert.is((error as CodedError).code, 'invalid_input')
    return (error as CodedError).message
  }
}

const rows: [schema: v.GenericSchema, input: unknown, problem: string][] = [
  [text(0, 3), '', ''],
  [text(0, 3), 'äöü', ''],
  [text(0, 3), 'abcd', 'body: must have at most 3 characters'],
  [text(1, 3), '', 'body: must not be empty'],
  [text(2, 3), 'a', 'body: must have at least 2 characters'],
  [text(0, 9), 'a\0', 'body: must not contain NUL'],
  [text(0, 9), 'a\ud800', 'body: must be well-formed Unicode'],
  [text(0, 9), '😀', ''],
  [text(0, 9), 7, 'body: must be a string'],
  [text(0, 9), undefined, 'body: is required'],
  [wholeNumber(0, 5), 0, ''],
  [wholeNumber(0, 5), 5, ''],
  [wholeNumber(0, 5), -0, ''],
  [wholeNumber(0, 5), 6, 'body: must be at most 5'],
  [wholeNumber(0, 5), -1, 'body: must be at least 0'],
  [wholeNumber(0, 5), 1.5, 'body: must be a whole number'],
  [wholeNumber(0, 5), '1', 'body: must be a number'],
  [v.union([v.string(), v.null()]), 7, 'body: must be a string or null'],
  [v.boolean(), 'yes', 'body: must be true or false'],
  [v.array(v.string()), 'a', 'body: must be an array'],
  [v.object({}), 'a', 'body: must be an object'],
  [v.union([v.string(), v.array(v.string())]), 7, 'body: must be a string or an array'],
  [v.picklist(['Hours', 'Days', 'Weeks']), 'days', 'body: must be Hours, Days or Weeks'],
  [optional(v.picklist(['no limit', 'none'])), 5, 'body: must be no limit or none'],
  [v.picklist(['all']), null, 'body: must be all'],
  [optional(text(1, 5)), null, ''],
  [optional(text(1, 5)), undefined, ''],
]

for (const [schema, input, expected] of rows) {
  schemas(`should report "${expected}" for ${JSON.stringify(input)}`, () => {
    assert.is(problem(schema, input), expected)
  })
}

for (const input of [Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60]) {
  schemas(`should not accept ${input} as a whole number`, () => {
    assert.is.not(problem(wholeNumber(0, Number.MAX_SAFE_INTEGER), input), '')
  })
}

schemas('should name the field with its path', () => {
  const schema = v.object({ a: v.object({ b: text(1, 5) }) })
  assert.is(problem(schema, { a: { b: '' } }), 'a.b: must not be empty')
  assert.is(problem(schema, { a: { b: '' } }, 'files[3]'), 'files[3].a.b: must not be empty')
  assert.is(problem(schema, {}), 'a: is required')
})

schemas('should leave out undeclared keys', () => {
  assert.equal(parseInput(v.object({ a: optional(text(1, 5)) }), { a: 'x', b: 1 }), { a: 'x' })
})

schemas.run()
