// Every operation of the API description, sent nearly valid requests: each answer is described, and
// none is 5xx. FUZZ_RUNS sends more, FUZZ_SEED chooses others.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Guest, makeLink, multipart } from '../helpers/client.ts'
import { startService } from '../helpers/service.ts'
import { description } from '../helpers/description.ts'
import { assertInvariants, settleService } from '../helpers/invariants.ts'
import { resolve, type Schema } from '../helpers/json-schema.ts'

/** Requests per operation. */
const runs = Number(process.env['FUZZ_RUNS']) || 9
const seed = Number(process.env['FUZZ_SEED'] ?? 20261121)

interface Target {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly operation: Schema
}

const [main] = description['servers'] as [{ url: string }]
/** The documentation site has the others. */
const isOfProduct = ({ servers = [main] }: Schema) =>
  (servers as { url: string }[]).some(({ url }) => url === main.url)
const targets = Object.entries(
  description['paths'] as Record<string, Record<string, Schema>>,
).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([, operation]) => isOfProduct(operation))
    .map(([method, operation]): Target => {
      return { id: operation['operationId'], method: method.toUpperCase(), path, operation }
    }),
)

const resolved = (schema: Schema): Schema =>
  schema['$ref'] ? resolve(schema['$ref'], description) : schema

const toJson = (value: unknown) => JSON.stringify(value) ?? ''

// oxfmt-ignore
const oddTexts = [
  '', ' ', '7', '-1', 'null', 'a\0b', '\u0001\u007f', 'a\r\nX-Other: b', '\ud800', '\u202efdp.exe',
  '\ufeffa', 'e\u0301', '../../x', 'C:\\x', '%00', '%2e%2e%2f', "' or 1=1 --", '__proto__', '%zz',
  '1e400', 'NaN', 'x'.repeat(300), '😀'.repeat(2000),
]
// oxfmt-ignore
const oddValues = [
  ...oddTexts, null, true, [], [[]], {}, { a: 1 }, [null], ['a'], -1, 0, 1.5, 2 ** 31, 2 ** 53,
  1e300, 'x'.repeat(1_100_000),
]
const oddText = fc.oneof(fc.constantFrom(...oddTexts), fc.string({ unit: 'binary', maxLength: 40 }))
const oddValue = fc.oneof(
  fc.constantFrom<unknown>(...oddValues),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double(),
)

/** Names and ids of things that exist, by parameter or field. */
type World = Readonly<Record<string, string>>

/** A value that a schema allows, or nearly. */
function fitting(given: Schema, name: string, world: World): fc.Arbitrary<unknown> {
  const schema = resolved(given)
  const { minimum: min = 0, maximum: max = 1000, minLength = 0, maxLength = 40 } = schema
  // A host that looks like one would be looked up.
  if (name === 'smtpHost') return fc.constantFrom('127.0.0.1', '')
  if (world[name] !== undefined) return fc.constant(world[name])
  if (schema['anyOf']) return fitting(schema['anyOf'][0], name, world)
  if (schema['enum']) return fc.constantFrom(...(schema['enum'] as unknown[]))
  if (schema['examples']) return fc.constantFrom(...(schema['examples'] as unknown[]))
  switch ([schema['type']].flat()[0]) {
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.constantFrom(min, min - 1, max, max + 1, min + 1)
    case 'number':
      return fc.constantFrom(min, max, max + 0.5)
    case 'array':
      return fc.array(fitting(schema['items'] ?? {}, name, world), { maxLength: 3 })
    case 'object':
      return nearly(schema, world)
    default:
      return fc.constantFrom('a text', 'b'.repeat(minLength), 'c'.repeat(maxLength + 1))
  }
}

/** An object with any of its fields, of which at most two are wrong or not known. */
function nearly(schema: Schema, world: World): fc.Arbitrary<Record<string, unknown>> {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)
  const fields = properties.map(([name, field]) => [name, fitting(field, name, world)] as const)
  const names = [...properties.map(([name]) => name), 'extra', 'constructor', 'is_admin']
  const wrong = fc.dictionary(fc.constantFrom(...names), oddValue, { maxKeys: 2 })
  const requiredKeys = (schema['required'] ?? []) as string[]
  return fc
    .tuple(fc.record(Object.fromEntries(fields), { requiredKeys, noNullPrototype: true }), wrong)
    .map(([object, more]) => {
      const { smtpHost: _host, ...harmless } = more
      return { ...object, ...harmless }
    })
}

// oxfmt-ignore
const oddHeaders: Readonly<Record<string, readonly string[]>> = {
  range: ['bytes=0-0', 'bytes=5-2', 'bytes=0-0,2-3', 'bytes=99999999999999999999-'],
  origin: ['http://transfer.test', 'https://evil.example', 'null', 'x'],
  'sec-fetch-site': ['same-origin', 'cross-site', 'none', 'x'],
  accept: ['text/html', 'text/markdown', '*/*;q=0', ',,;q=x', 'a/b;q=2'],
  authorization: ['Bearer', 'Bearer ', 'Basic YTpi', 'Bearer a b', 'x'],
  cookie: ['session=', 'session', '=', '__proto__=1', 'session="a"'],
  'x-forwarded-for': ['', 'unknown', '::1', '1.2.3.4, 5.6.7.8', '[::1]:1', '999.1.1.1'],
  'content-encoding': ['gzip', 'identity', 'x'],
  'content-type': ['text/plain', '', 'application/json; charset=utf-16', 'multipart/form-data'],
}

interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string | Buffer
}

function requests(target: Target, world: World): fc.Arbitrary<Request> {
  const { operation } = target
  const parameters = ((operation['parameters'] ?? []) as Schema[]).map(resolved)
  const inQuery = parameters.filter((one) => one['in'] === 'query')
  const query = Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema]))
  const params = Object.fromEntries(
    parameters
      .filter((one) => one['in'] === 'path')
      .map(({ name, schema }) => {
        const known = fitting(schema, name, world).map((value) => encodeURIComponent(String(value)))
        const odd = oddText.map((text) => encodeURIComponent(text.slice(0, 100).toWellFormed()))
        return [name, fc.oneof({ weight: 4, arbitrary: known }, { weight: 1, arbitrary: odd })]
      }),
  )
  const headers = Object.entries(oddHeaders).map(([name, values]) =>
    fc.constantFrom(...values).map((value) => ({ [name]: value })),
  )
  const methods = target.method === 'GET' ? ['HEAD', 'POST'] : ['GET', 'PUT', 'OPTIONS']
  return fc
    .record({
      method: fc.constantFrom(...Array.from({ length: 12 }, () => target.method), ...methods),
      token: fc.constantFrom('root', 'root', 'ann', 'uploadToken', 'unlockToken', ''),
      params: fc.record(params),
      query: nearly({ properties: query }, world),
      header: fc.oneof({ weight: 20, arbitrary: fc.constant({}) }, ...headers),
      body: bodies(operation, world),
    })
    .map(({ method, token, params: values, query: fields, header, body }) => {
      const pairs = Object.entries(fields).map(([name, value]) => {
        const text = typeof value === 'string' ? value : toJson(value)
        return `${encodeURIComponent(name)}=${encodeURIComponent(text.slice(0, 300).toWellFormed())}`
      })
      const path = target.path.replaceAll(/\{(\w+)\}/g, (_, name) => {
        const segment = (values as Record<string, string>)[name]!
        return /^\.{0,2}$/.test(segment) ? '%2f' : segment
      })
      const authorization = world[token] && { authorization: `Bearer ${world[token]}` }
      const hasBody = !['GET', 'HEAD', 'OPTIONS'].includes(method)
      return {
        method,
        path: pairs.length > 0 ? `${path}?${pairs.join('&')}` : path,
        headers: { ...(hasBody ? body.headers : {}), ...authorization, ...header },
        ...(hasBody && body.data !== null ? { body: body.data } : {}),
      }
    })
}

type Body = { readonly data: string | Buffer | null; readonly headers: Record<string, string> }

// oxfmt-ignore
const brokenTexts = [
  '', '{', '{}}', 'null', '[]', '\ufeff{}', '{"a":}', '\u0000', '['.repeat(100_000), '{"files":[',
]

function bodies({ requestBody }: Schema, world: World): fc.Arbitrary<Body> {
  const [entry] = Object.entries((requestBody?.content ?? {}) as Record<string, Schema>)
  const [type = 'application/json', media] = entry ?? []
  const broken = fc
    .constantFrom(...brokenTexts)
    .map((data): Body => ({ data, headers: { 'content-type': type } }))
  if (!media) return fc.oneof(fc.constant({ data: null, headers: {} }), broken)
  const schema = resolved(media['schema'])
  if (!/json|multipart/.test(type)) return broken
  const made = nearly(schema, world).map((value): Body => {
    if (type === 'application/json') {
      return { data: toJson(value), headers: { 'content-type': type } }
    }
    const texts = Object.entries(value).map(([name, field]) => [
      name,
      typeof field === 'string' ? field : toJson(field),
    ])
    const { body, contentType } = multipart(Object.fromEntries(texts), Buffer.from('123'), false)
    return { data: body, headers: { 'content-type': contentType } }
  })
  return fc.oneof({ weight: 9, arbitrary: made }, { weight: 1, arbitrary: broken })
}

const fuzz = suite('contract: fuzz')
let worlds = 0

const off = { RATE_LIMIT_LOGIN: 'off', RATE_LIMIT_RESET: 'off', RATE_LIMIT_DOWNLOAD: 'off' }
const service = await startService({ env: { ...off, TRUST_PROXY: 'loopback' } })

/** Two accounts with a share, a draft, a file request with a delivery, and what else has an id. */
async function makeWorld(): Promise<World> {
  worlds += 1
  const root = await service.user(`root${worlds}@example.org`, { isAdmin: true })
  const ann = await service.user(`ann${worlds}@example.org`)
  const draft = (await root.post('/api/shares/init')).json()
  await root.chunk(draft.shareId, 'file-0', 0, '123')
  const shareId = await root.share({ 'a.txt': 'a text' }, { password: 'open sesame' })
  const named = { audience: 'named', recipients: 'eve@example.org' }
  const namedId = await root.share({ 'b.txt': 'b' }, named)
  const [link] = (await root.get(`/api/shares/${namedId}/people`)).json()
  const reverseId = await makeLink(root)
  const guest = new Guest(service.client(), reverseId)
  await guest.deliver({ 'c.txt': 'of a guest' })
  const [delivery] = (await root.get(`/api/reverse/${reverseId}/deliveries`)).json()
  const [file] = (await root.get(`/api/reverse/${reverseId}/files`)).json()
  const [session] = (await root.get('/api/account/sessions')).json()
  const contact = (await root.post('/api/account/contacts', { email: 'eve@example.org' })).json()
  const provider = { id: 'dead', name: 'Dead', issuer: 'https://127.0.0.1:1', clientId: 'a' }
  await root.post('/api/admin/providers', provider)
  const opened = await service
    .client()
    .post(`/api/shares/${shareId}/verify`, { password: 'open sesame' })
  return {
    root: root.token!,
    ann: ann.token!,
    uploadToken: draft.uploadToken,
    unlockToken: opened.json().accessToken,
    shareId: worlds % 2 === 0 ? shareId : draft.shareId,
    linkId: link.id,
    reverseId,
    deliveryId: delivery.id,
    fileId: String(file.id),
    uploadedFileId: 'file-0',
    userId: String((await ann.get('/api/account')).json().id),
    sessionId: session.id,
    contactId: String(contact.id),
    provider: provider.id,
    email: `ann${worlds}@example.org`,
    currentPassword: `password of root${worlds}@example.org`,
  }
}

for (const [place, target] of targets.entries()) {
  fuzz(`should answer ${target.id} as described, for any request`, async () => {
    // Each on what the one before may have removed.
    const world = await makeWorld()
    const client = service.client()
    const property = fc.asyncProperty(requests(target, world), async (request) => {
      client.cookies.clear()
      const forwarded = `10.${place}.${worlds & 255}.1`
      const headers = { 'x-forwarded-for': forwarded, ...request.headers }
      const { status } = await client.call(request.method, request.path, { ...request, headers })
      assert.ok(status < 500, `${request.method} ${request.path} ${status}`)
    })

    await fc.assert(property, { numRuns: runs, seed: seed + place, includeErrorInReport: true })
  })
}

fuzz('should keep running, with everything in its place', async () => {
  const client = service.client()
  assert.is((await client.get('/readyz')).status, 200)
  await settleService(service)
  await assertInvariants(service)
  for (const line of service.logLines) assert.not.match(line, '"level":"error"')
})
