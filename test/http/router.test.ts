// From the target of a request to its operation, and to its fields.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { json } from '../../src/http/answer.ts'
import { splitTarget } from '../../src/http/listener.ts'
import { operation, type Operation } from '../../src/http/operation.ts'
import { canName, Router } from '../../src/http/run.ts'
import { optional, parseInput, text, wholeNumber } from '../../src/http/schema.ts'
import { CodedError } from '../../src/lib/errors.ts'
import { pathParameters } from '../../src/lib/path-parameters.ts'

const routing = suite('router')

function declare(method: Operation['method'], path: string): Operation {
  return operation({
    id: `${method} ${path}`,
    method,
    path,
    summary: 'Nothing',
    tag: 'Test',
    auth: 'none',
    answers: {},
    errors: [],
    handle: async () => json({}),
  })
}

const map = [
  declare('GET', '/'),
  declare('GET', '/api/shares'),
  declare('POST', '/api/shares/init'),
  declare('DELETE', '/api/shares/{shareId}'),
  declare('GET', '/api/shares/{shareId}'),
  declare('GET', '/api/shares/{shareId}/files/{fileId}'),
  declare('GET', '/api/shares/{shareId}/download'),
]
const router = new Router(map, pathParameters)

function find(method: string, path: string): string {
  try {
    const route = router.find(method, path)
    return 'allow' in route
      ? `allow ${route.allow}`
      : `${route.operation.id} ${JSON.stringify(route.params)}`
  } catch (error) {
    const { code, headers } = error as CodedError
    return [code, headers['Allow']].filter(Boolean).join(' ')
  }
}

// oxfmt-ignore
const rows: [method: string, path: string, found: string][] = [
  ['GET', '/', 'GET / {}'], ['GET', '/api/shares', 'GET /api/shares {}'],
  ['GET', '/api/shares/', 'GET /api/shares {}'], ['GET', '/api/shares//', 'not_found'],
  ['GET', '//api/shares', 'not_found'], ['GET', '/api//shares', 'not_found'],
  ['GET', '//', 'not_found'], ['GET', '', 'GET / {}'], ['GET', '/api', 'not_found'],
  ['GET', '/api/shares/abc', 'GET /api/shares/{shareId} {"shareId":"abc"}'],
  ['GET', '/api/shares/init', 'method_not_allowed POST, OPTIONS'],
  ['GET', '/api/shares/init/download', 'GET /api/shares/{shareId}/download {"shareId":"init"}'],
  ['GET', '/api/shares/init/nothing', 'not_found'],
  ['GET', '/api/shares/a%62c', 'GET /api/shares/{shareId} {"shareId":"abc"}'],
  ['GET', '/api/shares/a%2Fb', 'GET /api/shares/{shareId} {"shareId":"a/b"}'],
  ['GET', '/api/shares/%', 'not_found'], ['GET', '/api/shares/%ff', 'not_found'],
  ['GET', '/api/shares/%ed%a0%80', 'not_found'], ['GET', '/%61pi/shares', 'not_found'],
  ['GET', '/API/shares', 'not_found'], ['HEAD', '/api/shares', 'GET /api/shares {}'],
  ['HEAD', '/api/shares/init', 'method_not_allowed POST, OPTIONS'],
  ['OPTIONS', '/api/shares', 'allow GET, HEAD, OPTIONS'],
  ['OPTIONS', '/api/shares/abc', 'allow DELETE, GET, HEAD, OPTIONS'],
  ['OPTIONS', '/api/nothing', 'not_found'],
  ['PUT', '/api/shares/abc', 'method_not_allowed DELETE, GET, HEAD, OPTIONS'],
  ['PUT', '/api/shares/abc/nothing', 'not_found'],
  ['get', '/api/shares', 'method_not_allowed GET, HEAD, OPTIONS'],
  ['GET', '/__proto__', 'not_found'],
  ['GET', '/api/shares/abc/files/7',
    'GET /api/shares/{shareId}/files/{fileId} {"shareId":"abc","fileId":"7"}'],
]

for (const [method, path, found] of rows) {
  routing(`should answer ${method} ${path || '(empty)'} with ${found}`, () => {
    assert.is(find(method, path), found)
  })
}

routing('should refuse a route map that contradicts itself', () => {
  const shares = declare('GET', '/api/shares')
  assert.throws(() => new Router([shares, shares], {}), /declared twice/)
  assert.throws(() => new Router([declare('GET', '/{nobodyKnows}')], {}), /no pattern/)
  const two = [declare('GET', '/x/{shareId}'), declare('POST', '/x/{fileId}')]
  assert.throws(() => new Router(two, pathParameters), /two names/)
})

// oxfmt-ignore
const parameters: [name: string, fits: string[], others: string[]][] = [
  ['shareId', ['abc', 'A-_9'.repeat(12)], ['ab', 'x'.repeat(51), 'a/b', 'abc\n', 'äbc', '']],
  ['fileId', ['1', '2147483647'], ['2147483648', '9999999999', '0', '01', '-1', '1.0', '1e3', '１']],
  ['asset', ['icon.svg'], ['..', '.hidden', '../main.js']],
  ['builtAsset', ['app-0A1B2C3D.js'], ['manifest.json', 'app-0A1B2C3D.js.br']],
  ['view', ['two-step'], ['Two']],
]

routing('should know what can name something', () => {
  for (const [name, fits, others] of parameters) {
    for (const value of fits) assert.ok(canName(pathParameters[name], value), value)
    for (const value of others) assert.not(canName(pathParameters[name], value), value)
  }
})

routing('should report parameters that cannot name anything', () => {
  const canExist = (path: string) => {
    const route = router.find('GET', path)
    return 'canExist' in route && route.canExist
  }
  assert.is(canExist('/api/shares/abc/files/7'), true)
  assert.is(canExist('/api/shares/abc/files/0'), false)
  assert.is(canExist('/api/shares/a%2Fb'), false)
})

const targets = suite('request targets')

const queries: [target: string, path: string, query: string][] = [
  ['/a', '/a', ''],
  ['/a?b=1', '/a', 'b=1'],
  ['/a?name=Ready?&maxDownloads=1', '/a', 'name=Ready%3F&maxDownloads=1'],
  ['/a?b=?c=?d', '/a', 'b=%3Fc%3D%3Fd'],
]
targets('should be split at their first question mark', () => {
  for (const [target, path, query] of queries) {
    const found = splitTarget(target)
    assert.equal([found.path, found.search.toString()], [path, query])
  }
})

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

// oxfmt-ignore
const given: [schema: v.GenericSchema, input: unknown, problem: string][] = [
  [text(0, 3), '', ''], [text(0, 3), 'äöü', ''],
  [text(0, 3), 'abcd', 'body: must have at most 3 characters'],
  [text(1, 3), '', 'body: must not be empty'],
  [text(2, 3), 'a', 'body: must have at least 2 characters'],
  [text(0, 9), 'a\0', 'body: must not contain NUL'],
  [text(0, 9), 'a\ud800', 'body: must be well-formed Unicode'], [text(0, 9), '😀', ''],
  [text(0, 9), 7, 'body: must be a string'], [text(0, 9), undefined, 'body: is required'],
  [wholeNumber(0, 5), 0, ''], [wholeNumber(0, 5), 5, ''], [wholeNumber(0, 5), -0, ''],
  [wholeNumber(0, 5), 6, 'body: must be at most 5'],
  [wholeNumber(0, 5), -1, 'body: must be at least 0'],
  [wholeNumber(0, 5), 1.5, 'body: must be a whole number'],
  [wholeNumber(0, 5), '1', 'body: must be a number'],
  [v.union([v.string(), v.null()]), 7, 'body: must be a string or null'],
  [v.boolean(), 'yes', 'body: must be true or false'],
  [v.array(v.string()), 'a', 'body: must be an array'],
  [v.object({}), 'a', 'body: must be an object'],
  [v.union([v.string(), v.array(v.string())]), 7, 'body: must be a string or an array'],
  [v.union([v.literal(''), text(1, 3)]), 'abcd', 'body: must have at most 3 characters'],
  [v.picklist(['Hours', 'Days', 'Weeks']), 'days', 'body: must be Hours, Days or Weeks'],
  [optional(v.picklist(['no limit', 'none'])), 5, 'body: must be no limit or none'],
  [v.picklist(['all']), null, 'body: must be all'], [optional(text(1, 5)), null, ''],
  [optional(text(1, 5)), undefined, ''],
]

schemas('should say what is wrong', () => {
  for (const [schema, input, expected] of given) assert.is(problem(schema, input), expected)
  for (const input of [Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60]) {
    assert.is.not(problem(wholeNumber(0, Number.MAX_SAFE_INTEGER), input), '')
  }
})

schemas('should name the field with its path', () => {
  const schema = v.object({ a: v.object({ b: text(1, 5) }) })
  assert.is(problem(schema, { a: { b: '' } }), 'a.b: must not be empty')
  assert.is(problem(schema, { a: { b: '' } }, 'files[3]'), 'files[3].a.b: must not be empty')
  assert.is(problem(schema, {}), 'a: is required')
})

schemas('should leave out undeclared keys', () => {
  assert.equal(parseInput(v.object({ a: optional(text(1, 5)) }), { a: 'x', b: 1 }), { a: 'x' })
})
