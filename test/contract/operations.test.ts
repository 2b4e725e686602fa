import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import type { Operation } from '../../src/http/operation.ts'
import { CodedError, type ErrorCode } from '../../src/lib/errors.ts'
import { operations as declared } from '../../src/routes.ts'
import * as contract from './contract.ts'

const statusOf = (code: ErrorCode) => new CodedError(code).status

const map = suite('contract: operations')

for (const wanted of contract.operations) {
  map(`should declare ${wanted.id} as ${wanted.method} ${wanted.path}`, () => {
    const found = declared.find((operation) => operation.id === wanted.id)
    assert.ok(found, `no operation ${wanted.id}`)
    assert.is(found.method, wanted.method)
    assert.is(found.path, wanted.path)
  })
}

map('should admit the clients that the contract admits', () => {
  for (const wanted of contract.operations) {
    const auth = declared.find((operation) => operation.id === wanted.id)?.auth
    // `uploader` is a session, or the draft's own token, in addition to the contract.
    const expected = { none: ['none'], Bearer: ['user', 'uploader'], administrator: ['admin'] }
    assert.ok(expected[wanted.auth].includes(auth ?? ''), `${wanted.id} has auth ${auth}`)
  }
})

map('should declare every status of the contract, as an answer or as an error', () => {
  for (const wanted of contract.operations) {
    const found = declared.find((operation) => operation.id === wanted.id)
    const known = [
      ...Object.keys(found?.answers ?? {}).map(Number),
      ...(found?.errors ?? []).map(statusOf),
    ]
    for (const status of wanted.statuses) {
      assert.ok(known.includes(status), `${wanted.id} does not declare ${status}`)
    }
  }
})

/** The schemas of a request's fields, as declared. */
function fieldsOf(body: Operation['body']): Record<string, v.GenericSchema> {
  const entriesOf = (schema: v.GenericSchema) =>
    (schema as unknown as { entries: Record<string, v.GenericSchema> }).entries ?? {}
  switch (body?.kind) {
    case 'json':
      return entriesOf(body.schema)
    case 'list':
      return { ...entriesOf(body.rest), [body.list]: v.array(body.item) }
    case 'multipart':
      return { ...entriesOf(body.fields), [body.file]: v.custom((value) => value !== undefined) }
    default:
      return {}
  }
}

function assertFields(
  id: string,
  wanted: Readonly<Record<string, contract.RequestField>>,
  fields: Record<string, v.GenericSchema>,
): void {
  for (const [name, { required }] of Object.entries(wanted)) {
    const schema = fields[name]
    assert.ok(schema, `${id} does not take ${name}`)
    // A recovery code may replace the code: the handler checks that one is present.
    if (id === 'verify2fa' && name === 'code') continue
    assert.is(v.safeParse(schema, undefined).success, !required, `${id}: ${name}`)
  }
}

for (const wanted of contract.operations) {
  map(`should accept the fields of ${wanted.id}, and require those of the contract`, () => {
    const body = declared.find((operation) => operation.id === wanted.id)?.body
    assertFields(wanted.id, wanted.request, fieldsOf(body as Operation['body']))
  })
}

map('should accept the fields of a file in finalizeShare', () => {
  const body = declared.find((operation) => operation.id === 'finalizeShare')?.body
  assert.ok(body?.kind === 'list')
  const { entries } = body.item as unknown as { entries: Record<string, v.GenericSchema> }
  assertFields('finalizeShare', contract.listedFile, entries)
})

map('should use the statuses of part 7, and those for ranges, images and full disks', () => {
  const known: readonly number[] = [...contract.errorStatuses, 412, 415, 416, 507]
  for (const { id, errors } of declared) {
    for (const code of errors) assert.ok(known.includes(statusOf(code)), `${id} has ${code}`)
  }
})

map('should give every operation a unique id, path and summary', () => {
  const routes = declared.map((operation) => `${operation.method} ${operation.path}`)
  assert.is(new Set(routes).size, routes.length)
  const ids = declared.map((operation) => operation.id)
  assert.is(new Set(ids).size, ids.length)
  for (const id of ids) assert.match(id, /^[a-z][a-zA-Z0-9]*$/)
  for (const operation of declared) assert.ok(operation.summary.length > 3, operation.id)
})

map.run()
