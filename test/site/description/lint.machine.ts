// Rules of linters for OpenAPI descriptions, and our own. The whole of
// `npx @redocly/cli lint` is run outside of the suite.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { description } from '../../helpers/description.ts'
import { resolve, type Schema } from '../../helpers/json-schema.ts'

const items = description['paths'] as Record<string, Record<string, Schema>>
const operations = Object.entries(items).flatMap(([path, item]) =>
  Object.values(item).map((operation) => ({ path, operation })),
)

const lint = suite('description: lint')

/** Every object in the document, with its path. */
function* nodes(node: unknown, at: string): Generator<[at: string, node: Schema]> {
  if (typeof node !== 'object' || node === null) return
  yield [at, node]
  for (const [key, child] of Object.entries(node)) yield* nodes(child, `${at}/${key}`)
}

lint('should have no dangling reference, and no unreferenced object', () => {
  const used = new Set<string>()
  for (const [, node] of nodes(description, '#')) {
    const { $ref } = node
    if (typeof $ref !== 'string') continue
    resolve($ref, description)
    used.add($ref)
  }
  const { securitySchemes, ...kinds } = description['components'] as Record<string, Schema>
  for (const [kind, named] of Object.entries(kinds)) {
    for (const name of Object.keys(named)) {
      assert.ok(used.has(`#/components/${kind}/${name}`), `${kind} ${name} is unused`)
    }
  }
  const asked = new Set(
    operations.flatMap(({ operation }) =>
      (operation['security'] as object[]).flatMap((way) => Object.keys(way)),
    ),
  )
  assert.equal([...asked].toSorted(), Object.keys(securitySchemes!).toSorted())
})

lint('should give every operation a unique id, a summary, a described tag, success and 4xx', () => {
  const ids = operations.map(({ operation }) => operation['operationId'])
  assert.is(new Set(ids).size, ids.length)
  const tags = new Map(
    (description['tags'] as Schema[]).map((tag) => [tag['name'], tag['description']]),
  )
  for (const { operation } of operations) {
    const { operationId, summary, tags: own, responses } = operation
    assert.match(operationId, /^[a-z][A-Za-z0-9]*$/)
    assert.ok(summary.length > 3, operationId)
    assert.is(own.length, 1, operationId)
    assert.ok(tags.get(own[0]), `describe the tag ${own[0]} in site/description/tags.ts`)
    const statuses = Object.keys(responses)
    assert.ok(
      statuses.some((status) => /^[23]/.test(status)),
      operationId,
    )
    assert.ok(
      statuses.some((status) => status.startsWith('4')),
      operationId,
    )
  }
})

lint('should describe exactly the parameters of a path', () => {
  for (const { path, operation } of operations) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const described = ((operation['parameters'] ?? []) as Schema[]).filter(
      (one) => one['in'] === 'path',
    )
    assert.equal(
      described.map(({ name }) => name),
      names,
      path,
    )
    for (const { name, required, description: words } of described) {
      assert.ok(required && words, `${path}: ${name}`)
    }
  }
})

lint('should have no ambiguous paths', () => {
  const shapes = Object.keys(items).map((path) => path.replaceAll(/\{\w+\}/g, '{}'))
  assert.is(new Set(shapes).size, shapes.length)
})

lint('should name the code of every error, and describe its headers', () => {
  for (const { operation } of operations) {
    for (const [status, response] of Object.entries(
      operation['responses'] as Record<string, Schema>,
    )) {
      if (Number(status) < 400) continue
      const { content, headers } = response['$ref']
        ? resolve(response['$ref'], description)
        : response
      // Pages report errors only in HTML.
      if (Object.keys(content).join() === 'text/html') continue
      const errors = Object.entries(content as Record<string, Schema>)
        .filter(([type]) => type.endsWith('json'))
        .flatMap(([, { schema }]) => (schema.anyOf ?? [schema]) as Schema[])
        .map((schema) => (schema['$ref'] ? resolve(schema['$ref'], description) : schema))
        .filter((schema) => schema['allOf'])
      assert.ok(errors.length > 0, `${operation['operationId']} ${status}`)
      for (const { allOf } of errors) assert.ok(allOf[1].properties.code.enum.length > 0)
      if (status === '401') assert.ok(headers['WWW-Authenticate'])
      if (status === '405') assert.ok(headers['Allow'])
      if (status === '429') assert.ok(headers['Retry-After'] && headers['RateLimit-Limit'])
    }
  }
})

lint('should bound every number and string that clients send', () => {
  for (const { path, operation } of operations) {
    for (const [at, node] of nodes(operation['requestBody'] ?? {}, path)) {
      const types = [node['type']].flat()
      if (types.includes('integer')) {
        assert.ok('minimum' in node && 'maximum' in node, `${at} has no bounds`)
      }
      if (!types.includes('string') || node['format'] === 'binary') continue
      const isBounded = ['maxLength', 'enum', 'const', 'pattern', 'format'].some(
        (word) => word in node,
      )
      assert.ok(isBounded, `${at} has no bound`)
    }
  }
})

lint('should name schemas and answers by stable words', () => {
  const { schemas, responses } = description['components'] as Record<string, Schema>
  const names = [...Object.keys(schemas!), ...Object.keys(responses!)]
  assert.equal(
    names.filter((name) => !/^[A-Z][A-Za-z]*$/.test(name)),
    [],
  )
  for (const [name, response] of Object.entries(responses as Record<string, Schema>)) {
    const kinds = Object.values(response['content'] as Record<string, Schema>)
    assert.equal(
      kinds.map(({ schema }) => schema.$ref),
      [`#/components/schemas/${name}`],
    )
  }
  const codes = Object.entries(schemas as Record<string, Schema>).flatMap(([name, { allOf }]) => {
    const [code] = (allOf?.[1]?.properties?.code?.enum ?? []) as string[]
    return code ? [[name.replace(/Problem$/, ''), code]] : []
  })
  assert.ok(codes.length > 50)
  for (const [name, code] of codes) {
    assert.is(name!.replaceAll(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase(), code)
  }
})

lint('should require nothing in a change of settings, and add no defaults', () => {
  const operation = operations.find(({ operation: one }) => one['operationId'] === 'updateConfig')!
  const { schema } = operation.operation['requestBody'].content['application/json']
  const changes = resolve(schema.$ref, description)
  assert.is(operation.operation['requestBody'].required, undefined)
  assert.ok(Object.keys(changes['properties']).length > 30)
  for (const [at, node] of nodes(changes, 'ConfigChanges')) {
    if (at.endsWith('/properties')) continue
    for (const word of ['default', 'required']) assert.not(word in node, `${at} has ${word}`)
  }
  assert.is(changes['additionalProperties'], true)
})

lint('should document the longest lifetime wherever one is set', () => {
  const asked = operations.flatMap(({ operation, path }) =>
    [...nodes(operation['requestBody'] ?? {}, path)].filter(([at]) =>
      at.endsWith('/expirationVal'),
    ),
  )
  assert.ok(asked.length >= 5)
  for (const [at, node] of asked) assert.equal([at, node['maximum']], [at, 10_000])
})

lint('should describe both names of the session cookie', () => {
  const { session, plainSession } = description['components'].securitySchemes
  assert.equal([session.name, plainSession.name], ['__Host-session', 'session'])
})

lint('should leave nothing of Valibot behind', () => {
  const ours = ['json', 'name']
  for (const [at, node] of nodes(description['components'].schemas, '#')) {
    if (at.endsWith('/properties')) continue
    for (const word of ours) assert.not(word in node, `${at} has ${word}`)
  }
})

lint.run()
