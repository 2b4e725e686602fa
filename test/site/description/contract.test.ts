// The API description against the contract's own tables. It is made of the declared operations.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { answers, catalogEntry, siteOperations, siteResources } from '../../contract/answers.ts'
import * as contract from '../../contract/contract.ts'
import type { FieldType, Fields, RequestField } from '../../contract/contract.ts'
import { description } from '../../helpers/description.ts'
import { resolve, type Schema } from '../../helpers/json-schema.ts'

const paths = Object.entries(description['paths'] as Record<string, Schema>)
const described = paths.flatMap(([path, item]) =>
  Object.entries(item).map(([word, operation]) => ({
    method: word.toUpperCase(),
    path,
    operation,
  })),
)
const resources: Readonly<Record<string, Fields>> = { ...contract.resources, ...siteResources }
const wanted = [
  ...contract.operations,
  ...siteOperations.map((operation) => {
    return { ...operation, method: 'GET', auth: 'none', request: {} } as const
  }),
]

const say = suite('description: contract')

function find(id: string) {
  const found = described.find(({ operation }) => operation['operationId'] === id)
  assert.ok(found, `${id} is not described`)
  return found
}

function resolved(schema: Schema): Schema {
  return schema['$ref'] ? resolve(schema['$ref'], description) : schema
}

say('should be OpenAPI 3.1.0, in version 1.0.0', () => {
  assert.is(description['openapi'], '3.1.0')
  assert.is(description['info'].version, '1.0.0')
})

say('should know all 25 operationIds of part 9', () => {
  assert.is(wanted.length, 25)
  assert.equal(Object.keys(answers).toSorted(), wanted.map(({ id }) => id).toSorted())
})

for (const { id, method, path, auth, request, statuses } of wanted) {
  say(`should describe ${id} as the contract does`, () => {
    const { operation, ...place } = find(id)
    assert.equal(place, { method, path })
    for (const status of statuses) {
      assert.ok(operation['responses'][status], `${id} lacks ${status}`)
    }
    const security = operation['security'] as object[]
    const needsAccount = security.some((way) => 'bearer' in way)
    const isOptional = security.some((way) => Object.keys(way).length === 0)
    assert.is(needsAccount && !isOptional, auth !== 'none', `${id}: security`)
    assertRequest(id, operation, request)
    assertAnswer(id, operation)
  })
}

function assertRequest(
  id: string,
  operation: Schema,
  request: Readonly<Record<string, RequestField>>,
): void {
  if (Object.keys(request).length === 0) return
  const content = operation['requestBody'].content as Record<string, Schema>
  const isForm = Object.values(request).some(({ type }) => type === 'binary')
  const schema = resolved(content[isForm ? 'multipart/form-data' : 'application/json']!['schema'])
  assertFields(id, schema, request)
}

function assertFields(id: string, schema: Schema, fields: Readonly<Record<string, RequestField>>) {
  for (const [name, { type, required }] of Object.entries(fields)) {
    const property = schema['properties'][name] as Schema | undefined
    assert.ok(property, `${id} does not take ${name}`)
    // Beside the contract's list, finalize takes a word.
    const types = [(property['anyOf']?.[0] ?? property)['type']]
      .flat()
      .filter((one) => one !== 'null')
    const isChoice = typeof type !== 'string'
    const expected = isChoice ? 'string' : type.replace(/ .*/, '').replace('binary', 'string')
    assert.equal(types, [expected], `${id}: ${name}`)
    if (isChoice) assert.equal(property['enum'].filter(Boolean), [...type], `${id}: ${name}`)
    if (type === 'string (email)') assert.is(property['format'], 'email', `${id}: ${name}`)
    if (type === 'binary') assert.is(property['format'], 'binary', `${id}: ${name}`)
    // A recovery code may replace the code.
    if (id === 'verify2fa' && name === 'code') {
      assert.equal(schema['anyOf'], [{ required: ['code'] }, { required: ['recoveryCode'] }])
      assert.is(property['type'], 'string')
      continue
    }
    assert.is((schema['required'] ?? []).includes(name), required, `${id}: ${name} required`)
  }
}

say('should accept the entries of finalize, and the bounds that the contract names', () => {
  const { properties } = find('finalizeShare').operation['requestBody'].content['application/json']
    .schema as Schema
  assertFields('finalizeShare', resolved(properties.files.anyOf[0].items), contract.listedFile)
  const chunk = find('uploadShareChunk').operation['requestBody'].content['multipart/form-data']
  assert.is(chunk.schema.properties.chunkIndex.minimum, 0)
  const { code } =
    find('verify2fa').operation['requestBody'].content['application/json'].schema.properties
  assert.is(code.pattern, '^[0-9]{6}$')
})

function assertAnswer(id: string, operation: Schema): void {
  const content = operation['responses']['200'].content as Record<string, Schema>
  const bodies = answers[id]!
  if (bodies[0] === 'application/zip') {
    // Beside the contract's ZIP, `?format=tar` returns a tar archive.
    assert.equal(Object.keys(content), ['application/zip', 'application/x-tar'])
    return
  }
  const { schema } = content['application/json']!
  if (bodies[0] === 'open') {
    assert.is(resolved(schema)['type'], 'object')
    assert.is(resolved(schema)['additionalProperties'], true)
    return
  }
  const kinds: Schema[] = schema.anyOf ?? [schema]
  assert.is(kinds.length, bodies.length)
  for (const [place, body] of bodies.entries()) {
    const kind = kinds[place]!
    if (typeof body === 'string') assertResource(id, resolved(kind), resources[body]!)
    else if ('listOf' in body) {
      assert.is(kind['type'], 'array')
      assertResource(id, resolved(kind['items']), resources[body.listOf as string]!)
    } else assertResource(id, resolved(kind), body as Fields)
  }
}

const typeChecks: Record<FieldType, (schema: Schema) => boolean> = {
  integer: ({ type }) => type === 'integer',
  string: ({ type }) => type === 'string',
  boolean: ({ type }) => type === 'boolean',
  'string (email)': ({ type, format }) => type === 'string' && format === 'email',
  'string (date-time)': ({ type, format }) => type === 'string' && format === 'date-time',
  'string (uri)': ({ type, format }) => type === 'string' && format === 'uri',
  'array of ShareFile': ({ type, items }) =>
    type === 'array' && items.$ref === '#/components/schemas/ShareFile',
  User: ({ $ref }) => $ref === '#/components/schemas/User',
}
/** `null`: never expires (design 7); raw markdown may be null (part 2). */
const nullable = ['expires_at', 'markdown']

function assertResource(id: string, schema: Schema, fields: Fields): void {
  for (const [name, type] of Object.entries(fields)) {
    const property = schema['properties'][name] as Schema | undefined
    assert.ok(property, `${id} does not answer ${name}`)
    const types = [property['type']].flat()
    const bare =
      types.includes('null') && nullable.includes(name) ? { ...property, type: types[0] } : property
    assert.ok(typeChecks[type](bare), `${id}: ${name} is ${JSON.stringify(property)}, no ${type}`)
    assert.ok(schema['required'].includes(name), `${id}: ${name} may be missing`)
  }
}

for (const [name, fields] of Object.entries(resources)) {
  say(`should describe the resource ${name} by its name`, () => {
    const schema = description['components'].schemas[name] as Schema | undefined
    assert.ok(schema, `no schema ${name}`)
    assertResource(name, schema, fields)
  })
}

say('should describe ProductError, the hint of a Problem and the entries of a catalog', () => {
  const { ProductError, Problem, DocsCatalog } = description['components'].schemas
  assert.is(ProductError.properties.error.type, 'string')
  assert.ok(ProductError.required.includes('error'))
  assert.is(Problem.properties.resolution_hint.type, 'string')
  assert.not(Problem.required.includes('resolution_hint'))
  assertResource('DocsCatalog', DocsCatalog.properties.docs.items, catalogEntry)
})
