// Lists where a JSON value differs from the contract's tables.
import * as assert from 'uvu/assert'
import type { Answer } from '../helpers/client.ts'
import { resources, type FieldType, type Fields } from './contract.ts'

const isText = (value: unknown) => typeof value === 'string'

const checks: Record<FieldType, (value: unknown) => boolean> = {
  integer: (value) => Number.isSafeInteger(value),
  string: isText,
  boolean: (value) => typeof value === 'boolean',
  'string (email)': (value) => isText(value) && /^[^@\s]+@[^@\s]+$/.test(value as string),
  'string (date-time)': (value) =>
    isText(value) &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value as string) &&
    !Number.isNaN(Date.parse(value as string)),
  'string (uri)': (value) => isText(value) && URL.canParse(value as string),
  'array of ShareFile': (value) =>
    Array.isArray(value) &&
    value.every((file) => problemsOf(file, resources.ShareFile).length === 0),
  User: (value) => problemsOf(value, resources.User).length === 0,
}

/**
 * Problems of an object against a table of the contract: fields missing, of another type, or not
 * in the table and not among `extras`, the additions that the design names.
 */
export function problemsOf(
  value: unknown,
  fields: Fields,
  extras: readonly string[] = [],
  nullable: readonly string[] = [],
): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ['is no object']
  const object = value as Record<string, unknown>
  const problems: string[] = []
  for (const [name, type] of Object.entries(fields)) {
    if (!(name in object)) problems.push(`${name} is missing`)
    else if (object[name] === null && nullable.includes(name)) continue
    else if (!checks[type](object[name])) {
      problems.push(`${name} is ${JSON.stringify(object[name])}, no ${type}`)
    }
  }
  for (const name of Object.keys(object)) {
    if (!(name in fields) && !extras.includes(name)) problems.push(`${name} is not in the contract`)
  }
  return problems
}

/** Part 7 and design 7: every error is `{ error, code }`, as JSON that is not cached. */
export function assertError(answer: Answer, status: number, code?: string): void {
  const text = answer.body.toString()
  assert.is(answer.status, status, text)
  assert.match(String(answer.headers['content-type']), /^application\/json\b/)
  assert.is(answer.headers['cache-control'], 'no-store')
  const body = answer.json()
  assert.type(body.error, 'string')
  assert.ok(body.error.length > 0)
  assert.match(body.code, /^[a-z][a-z0-9_]*$/)
  if (code !== undefined) assert.is(body.code, code)
  assert.is(answer.headers['www-authenticate'], status === 401 ? 'Bearer' : undefined)
}
