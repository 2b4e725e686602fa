import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { json } from '../../src/http/answer.ts'
import { operation, type Operation } from '../../src/http/operation.ts'
import { Router } from '../../src/http/router.ts'
import { CodedError } from '../../src/lib/errors.ts'
import { canName, pathParameters } from '../../src/lib/path-parameters.ts'

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

const rows: [method: string, path: string, found: string][] = [
  ['GET', '/', 'GET / {}'],
  ['GET', '/api/shares', 'GET /api/shares {}'],
  ['GET', '/api/shares/', 'GET /api/shares {}'],
  ['GET', '/api/shares//', 'not_found'],
  ['GET', '//api/shares', 'not_found'],
  ['GET', '/api//shares', 'not_found'],
  ['GET', '//', 'not_found'],
  ['GET', '', 'GET / {}'],
  ['GET', '/api', 'not_found'],
  ['GET', '/api/shares/abc', 'GET /api/shares/{shareId} {"shareId":"abc"}'],
  ['GET', '/api/shares/init', 'method_not_allowed POST, OPTIONS'],
  ['GET', '/api/shares/init/download', 'GET /api/shares/{shareId}/download {"shareId":"init"}'],
  ['GET', '/api/shares/init/nothing', 'not_found'],
  ['GET', '/api/shares/a%62c', 'GET /api/shares/{shareId} {"shareId":"abc"}'],
  ['GET', '/api/shares/a%2Fb', 'GET /api/shares/{shareId} {"shareId":"a/b"}'],
  ['GET', '/api/shares/%', 'not_found'],
  ['GET', '/api/shares/%ff', 'not_found'],
  ['GET', '/api/shares/%ed%a0%80', 'not_found'],
  ['GET', '/%61pi/shares', 'not_found'],
  ['GET', '/API/shares', 'not_found'],
  ['HEAD', '/api/shares', 'GET /api/shares {}'],
  ['HEAD', '/api/shares/init', 'method_not_allowed POST, OPTIONS'],
  ['GET', '/api/shares/init', 'method_not_allowed POST, OPTIONS'],
  ['OPTIONS', '/api/shares', 'allow GET, HEAD, OPTIONS'],
  ['OPTIONS', '/api/shares/abc', 'allow DELETE, GET, HEAD, OPTIONS'],
  ['OPTIONS', '/api/nothing', 'not_found'],
  ['PUT', '/api/shares/abc', 'method_not_allowed DELETE, GET, HEAD, OPTIONS'],
  ['PUT', '/api/shares/abc/nothing', 'not_found'],
  ['get', '/api/shares', 'method_not_allowed GET, HEAD, OPTIONS'],
  ['GET', '/__proto__', 'not_found'],
  [
    'GET',
    '/api/shares/abc/files/7',
    'GET /api/shares/{shareId}/files/{fileId} {"shareId":"abc","fileId":"7"}',
  ],
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

const parameters: [name: string, value: string, fits: boolean][] = [
  ['shareId', 'abc', true],
  ['shareId', 'A-_9'.repeat(12), true],
  ['shareId', 'ab', false],
  ['shareId', 'x'.repeat(51), false],
  ['shareId', 'a/b', false],
  ['shareId', 'abc\n', false],
  ['shareId', 'äbc', false],
  ['shareId', '', false],
  ['fileId', '1', true],
  ['fileId', '2147483647', true],
  ['fileId', '2147483648', false],
  ['fileId', '9999999999', false],
  ['fileId', '0', false],
  ['fileId', '01', false],
  ['fileId', '-1', false],
  ['fileId', '1.0', false],
  ['fileId', '1e3', false],
  ['fileId', '１', false],
  ['asset', 'icon.svg', true],
  ['builtAsset', 'app-0A1B2C3D.js', true],
  ['builtAsset', 'manifest.json', false],
  ['builtAsset', 'app-0A1B2C3D.js.br', false],
  ['view', 'two-step', true],
  ['view', 'Two', false],
  ['asset', '..', false],
  ['asset', '.hidden', false],
  ['asset', '../main.js', false],
]

for (const [name, value, fits] of parameters) {
  routing(`should ${fits ? 'accept' : 'refuse'} ${JSON.stringify(value)} as ${name}`, () => {
    assert.is(canName(pathParameters[name], value), fits)
  })
}

routing('should report parameters that cannot name anything', () => {
  const canExist = (path: string) => {
    const route = router.find('GET', path)
    return 'canExist' in route && route.canExist
  }
  assert.is(canExist('/api/shares/abc/files/7'), true)
  assert.is(canExist('/api/shares/abc/files/0'), false)
  assert.is(canExist('/api/shares/a%2Fb'), false)
})

routing.run()
