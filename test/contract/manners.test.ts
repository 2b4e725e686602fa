// HTTP manners and bodies, as settled in design section 7.
import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, okay, type Answer } from '../helpers/client.ts'
import { operations } from '../../src/routes.ts'
import { startService } from '../helpers/service.ts'

const manners = suite('contract: manners')

const service = await startService({
  env: { RATE_LIMIT_DOWNLOAD: 'off', RATE_LIMIT_LOGIN: 'off' },
})
const owner = await service.admin()
const anonymous = service.client()
const shareId = await owner.share({ 'a.txt': 'content' })
const fileId: number = (await anonymous.get(`/api/public/shares/${shareId}`)).json().files[0].id

function pathOf(pattern: string): string {
  return pattern
    .replace('{shareId}', shareId)
    .replace('{fileId}', String(fileId))
    .replace('{userId}', '1')
    .replace('{asset}', 'icon.svg')
    .replace('{builtAsset}', service.app.services.assets.page('app').script)
    .replace('{view}', 'settings')
}

const paths = [...new Set(operations.map((operation) => operation.path))]

const otherMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE']

for (const pattern of paths) {
  manners(`should name the methods of ${pattern}, and accept one trailing slash`, async () => {
    const methods = operations
      .filter((operation) => operation.path === pattern)
      .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    const path = pathOf(pattern)
    const allowed = ({ headers }: Answer) => String(headers['allow']).split(', ').toSorted()
    const expected = [...methods, 'OPTIONS'].toSorted()
    for (const method of otherMethods.filter((one) => !methods.includes(one))) {
      const answer = await anonymous.call(method, path)
      assert.is(answer.status, 405, method)
      assert.equal(allowed(answer), expected)
      if (method !== 'HEAD') assertError(answer, 405, 'method_not_allowed')
    }
    const options = await anonymous.call('OPTIONS', path)
    assert.equal([options.status, options.body.length], [204, 0])
    assert.equal(allowed(options), expected)
    assert.is(options.headers['access-control-allow-origin'], undefined)
    if (pattern === '/') return
    assert.is((await anonymous.call('OPTIONS', `${path}/`)).status, 204)
    assertError(await owner.get(`${path}//`), 404, 'not_found')
    assertError(await owner.get(`/${path}`), 404, 'not_found')
  })
}

for (const { id, path } of operations.filter(({ method }) => method === 'GET')) {
  manners(`should answer HEAD as GET, without the body, on ${path}`, async () => {
    // Only drafts have a list of chunks.
    const isOfDraft = id === 'listShareChunks'
    const target = isOfDraft ? pathOf(path).replace(shareId, await owner.init()) : pathOf(path)
    const withBody = await owner.get(target)
    const head = await owner.call('HEAD', target)
    assert.equal([head.status, head.body.length], [withBody.status, 0])
    // Metrics are different each time.
    const length = id === 'getMetrics' ? [] : ['content-length']
    for (const name of ['content-type', 'etag', 'cache-control', ...length]) {
      assert.is(head.headers[name], withBody.headers[name], name)
    }
  })
}

manners('should forbid caches to store JSON, and to share archives and files', async () => {
  const answers = [
    await owner.get('/api/shares'),
    await anonymous.get('/api/shares'),
    await anonymous.get(`/api/public/shares/${shareId}`),
    await anonymous.get('/api/nothing'),
    await anonymous.call('OPTIONS', '/api/shares'),
  ]
  for (const answer of answers) assert.is(answer.headers['cache-control'], 'no-store')
  for (const path of ['download', `files/${fileId}`]) {
    const { headers } = await anonymous.get(`/api/shares/${shareId}/${path}`)
    assert.match(String(headers['cache-control']), /^private, no-cache\b/)
  }
})

manners('should answer JSON under /api for any Accept', async () => {
  for (const accept of ['text/html', 'image/png', 'application/xml;q=1', '*/*;q=0', 'nonsense']) {
    const list = await owner.get('/api/shares', { accept })
    assert.match(String(list.headers['content-type']), /^application\/json/)
    assertError(await anonymous.get('/api/nothing', { accept }), 404, 'not_found')
  }
})

type Headers = Record<string, string>
const typed = (type: string): Headers => ({ 'content-type': type })
const json = typed('application/json')

const accepted: [what: string, body: string | null, headers: Headers][] = [
  ['no body', null, {}],
  ['no body with a content type', null, json],
  ['an empty body', '', json],
  ['an empty body of another type', '', typed('text/plain')],
  ['white space around', ' \r\n\t{ } ', json],
  ['a charset', '{}', typed('application/json; charset=utf-8')],
  ['any parameters', '{}', typed('Application/JSON ;version=1;profile="a;b"')],
  ['JSON without a content type', '{}', {}],
  ['null for optional fields', '{"name":null,"expirationVal":null,"password":null}', {}],
  ['unknown keys', '{"unknown":1,"constructor":2,"__proto__":{"name":7}}', {}],
]

for (const [what, body, headers] of accepted) {
  manners(`should accept ${what}`, async () => {
    const call = { headers, ...(body === null ? {} : { body }) }
    await okay(owner.call('POST', '/api/shares/init', call))
  })
}

const nested = `{"name":${'['.repeat(64)}${']'.repeat(64)}}`
const notUtf8 = Buffer.from('{"name":"\xff"}', 'latin1')

// oxfmt-ignore
const refused: [what: string, body: string | Buffer, headers: Headers, code: string][] = [
  ['an array', '[]', json, 'invalid_json'], ['a string', '"{}"', json, 'invalid_json'],
  ['null', 'null', json, 'invalid_json'], ['a number', '7', json, 'invalid_json'],
  ['half an object', '{"name":"a"', json, 'invalid_json'],
  ['two objects', '{}{}', json, 'invalid_json'],
  ['more than 64 levels', nested, json, 'invalid_json'],
  ['a form', 'name=a', typed('application/x-www-form-urlencoded'), 'invalid_content_type'],
  ['text', '{}', typed('text/plain'), 'invalid_content_type'],
  ['a type with the right prefix', '{}', typed('application/jsonp'), 'invalid_content_type'],
  ['an empty content type', '{}', typed(''), 'invalid_content_type'],
  ['no type with an Origin', '{}', { origin: 'http://transfer.test' }, 'invalid_content_type'],
  ['no JSON without a content type', 'name=a', {}, 'invalid_json'],
  ['bytes that are not UTF-8', notUtf8, {}, 'invalid_json'],
  ['a lone surrogate in a string', '{"name":"\\ud800"}', {}, 'invalid_input'],
  ['NUL in a string', '{"name":"a\\u0000"}', {}, 'invalid_input'],
]

for (const [what, body, headers, code] of refused) {
  manners(`should refuse ${what}`, async () => {
    assertError(await owner.call('POST', '/api/shares/init', { headers, body }), 400, code)
  })
}

manners('should refuse a body above its limit with 413, with a length and without', async () => {
  const limits: [method: string, path: string, limit: number][] = [
    ['POST', '/api/auth/login', 64 * 1024],
    ['POST', '/api/shares/init', 256 * 1024],
    ['PUT', '/api/config', 4 * 1024 * 1024],
  ]
  for (const [method, path, limit] of limits) {
    const body = `{"name":"${'a'.repeat(limit)}"}`
    const refused = await owner.call(method, path, { headers: json, body })
    assertError(refused, 413, 'payload_too_large')
    assert.is(refused.json().limit, limit)
    const stream = async function* () {
      yield Buffer.from(body)
    }
    const unknown = await owner.call(method, path, { headers: json, body: stream() })
    assertError(unknown, 413, 'payload_too_large')
  }
})

manners('should accept the largest valid content of every body', () => {
  for (const { id, body } of operations) {
    if (body?.kind !== 'json' || id === 'updateConfig') continue
    const largest = largestBytes(toJsonSchema(body.schema, { errorMode: 'ignore' }))
    assert.ok(largest <= body.bytesMax, `${id}: ${largest} bytes and ${body.bytesMax} are taken`)
  }
})

/** Bytes of the longest JSON that a schema accepts; 64 for a text without a length. */
function largestBytes(schema: JsonSchema): number {
  if (schema.anyOf) return Math.max(...schema.anyOf.map((one) => largestBytes(one as JsonSchema)))
  switch (schema.type) {
    case 'string':
      // Each character may be written as \uXXXX.
      return schema.maxLength === undefined ? 64 : 2 + 6 * schema.maxLength
    case 'array':
      return 2 + (schema.maxItems ?? 1) * (1 + largestBytes(schema.items as JsonSchema))
    case 'object':
      return Object.entries(schema.properties ?? {})
        .map(([name, value]) => name.length + 4 + largestBytes(value as JsonSchema))
        .reduce((sum, bytes) => sum + bytes, 2)
    default:
      return 32
  }
}

manners('should ignore the body of a call that needs none', async () => {
  const client = await service.admin()
  const call = { headers: typed('text/plain'), body: 'anything' }
  assert.is((await client.call('POST', '/api/auth/logout', call)).status, 200)
})
