import * as v from 'valibot'
import { CodedError, invalidInput } from '../lib/errors.ts'

/**
 * Checks `input` and returns it with defaults filled in and unknown keys removed.
 * @param where path of the value in the request, a prefix of the field's name in the message
 * @throws CodedError invalid_input naming the first wrong field
 */
export function parseInput<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  where = '',
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input, { abortEarly: true })
  if (result.success) return result.output
  const issue = result.issues[0]
  const path = v.getDotPath(issue) ?? ''
  const field = [where, path].filter(Boolean).join('.') || 'body'
  throw new CodedError('invalid_input', {
    message: `${field}: ${describe(issue)}`,
    details: { field },
  })
}

/**
 * The same for a query. Programs disagree about which of two values counts, so a declared parameter
 * has one value. The same value twice is harmless: some clients add theirs to links that have it.
 */
export function parseQuery<Schema extends v.GenericSchema>(
  schema: Schema,
  search: URLSearchParams,
): v.InferOutput<Schema> {
  const query = parseInput(schema, Object.fromEntries(search))
  for (const name of Object.keys(query as object)) {
    const isClear = new Set(search.getAll(name)).size <= 1
    if (!isClear) throw invalidInput(name, 'must have only one value')
  }
  return query
}

function describe(issue: v.BaseIssue<unknown>): string {
  if (issue.received === 'undefined') return 'is required'
  // Of the right type, so that what it lacks is known.
  const lacking = issue.type === 'union' && issue.issues?.find(({ kind }) => kind === 'validation')
  if (lacking) return lacking.message
  if (issue.type === 'picklist') return `must be ${inWords(issue.expected ?? '')}`
  const isWrongType = issue.kind === 'schema' && issue.type !== 'custom'
  return isWrongType ? `must be ${typesInWords(issue.expected ?? '')}` : issue.message
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  Array: 'an array',
  Object: 'an object',
  '': 'of another type',
}

/** Turns the library's `(string | null)` into "a string or null". */
function typesInWords(expected: string): string {
  const types = expected.replace(/^\((.*)\)$/, '$1').split(' | ')
  return [...new Set(types)].map((type) => typeWords[type] ?? type).join(' or ')
}

/** Turns the library's `("Hours" | "Days" | "Weeks")` into "Hours, Days or Weeks". */
function inWords(expected: string): string {
  const choices = [...expected.matchAll(/"([^"]*)"/g)].map(([, choice]) => choice)
  const last = choices.pop() ?? ''
  return choices.length === 0 ? last : `${choices.join(', ')} or ${last}`
}

/** A string of bounded length, well-formed Unicode, without NUL. Lengths count UTF-16 units. */
export function text(lengthMin: number, lengthMax: number) {
  return v.pipe(
    v.string(),
    v.minLength(
      lengthMin,
      lengthMin === 1 ? 'must not be empty' : `must have at least ${lengthMin} characters`,
    ),
    v.maxLength(lengthMax, `must have at most ${lengthMax} characters`),
    v.check((value) => value.isWellFormed(), 'must be well-formed Unicode'),
    v.check((value) => !value.includes('\0'), 'must not contain NUL'),
  )
}

/** A whole number between two inclusive bounds. */
export function wholeNumber(min: number, max: number) {
  return v.pipe(
    v.number(),
    v.integer('must be a whole number'),
    v.minValue(min, `must be at least ${min}`),
    v.maxValue(max, `must be at most ${max}`),
  )
}

/** A whole number between two inclusive bounds, in a query or a form. */
export function numberInText(
  bounds: readonly [number, number],
  description: string,
  ...examples: number[]
) {
  const [minimum, maximum] = bounds
  const problem = `must be a whole number from ${minimum} to ${maximum}`
  const json = { type: 'integer', format: 'int64', minimum, maximum, description }
  return v.pipe(
    v.string(),
    v.metadata({ json: { ...json, ...(examples.length > 0 && { examples }) } }),
    v.regex(/^[0-9]{1,10}$/, problem),
    v.transform(Number),
    v.minValue(minimum, problem),
    v.maxValue(maximum, problem),
  )
}

/** An optional field: absent and null mean the same. */
export function optional<Schema extends v.GenericSchema>(schema: Schema) {
  return v.nullish(schema)
}

/** Gives a schema its name in the API description, where it is defined once and referenced. */
export function named<Schema extends v.GenericSchema>(name: string, schema: Schema): Schema {
  return withWords(schema, { name })
}

/** Adds to the API description what the schema's rules do not say: meaning, unit, example. */
export function noted<Schema extends v.GenericSchema>(
  schema: Schema,
  description: string,
  example?: unknown,
): Schema {
  return withWords(schema, {
    description,
    ...(example === undefined ? {} : { examples: [example] }),
  })
}

/** Marks a field in the API description as an old name of another one. */
export function deprecated<Schema extends v.GenericSchema>(
  schema: Schema,
  description: string,
): Schema {
  return withWords(schema, { description, deprecated: true })
}

/** Adds to the API description that one of these fields is required; the handler checks it. */
export function oneOfRequired<Schema extends v.GenericSchema>(
  schema: Schema,
  fields: readonly string[],
): Schema {
  return withWords(schema, { anyOf: fields.map((field) => ({ required: [field] })) })
}

/** Adds to the API description the form of a value that its schema does not show. */
export function written<Schema extends v.GenericSchema>(
  schema: Schema,
  json: Readonly<Record<string, unknown>>,
): Schema {
  return withWords(schema, { json })
}

/** Changes neither validation nor the type. */
function withWords<Schema extends v.GenericSchema>(
  schema: Schema,
  words: Record<string, unknown>,
): Schema {
  return v.pipe(schema, v.metadata(words)) as unknown as Schema
}

export const timestamp = noted(
  v.pipe(v.string(), v.isoTimestamp()),
  'ISO 8601, UTC',
  '2026-11-21T15:30:00.000Z',
)
/** The contract's `Success`. */
export const successSchema = named('Success', v.object({ success: v.boolean() }))
export const nonNegative = v.pipe(v.number(), v.integer(), v.minValue(0))
export const bytes = noted(nonNegative, 'Bytes', 52_428_800)

/** A moment in UTC (ISO 8601); checked against the calendar, not only for its form. */
export const moment = v.pipe(
  v.string(),
  v.metadata({ format: 'date-time', examples: ['2030-12-31T23:59:59Z'] }),
  v.regex(
    /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/,
    'must be a timestamp such as 2030-12-31T23:59:59Z',
  ),
  v.check((value) => {
    const time = Date.parse(value)
    return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value.slice(0, 19))
  }, 'must be an existing date and time'),
  v.transform((value) => new Date(value)),
)

/** A day (ISO 8601), as its first moment in UTC. */
export const day = v.pipe(
  v.string(),
  v.metadata({ format: 'date', examples: ['2030-12-31'] }),
  v.regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date such as 2030-12-31'),
  v.transform((value) => `${value}T00:00:00Z`),
  moment,
)

const accountIdPattern = /^[1-9][0-9]{0,9}$/

/** In a query: an account, by id or email address. */
export const accountName = v.pipe(
  text(1, 254),
  v.check(
    (value) => !accountIdPattern.test(value) || Number(value) < 2 ** 31,
    'must be an account id or an email address',
  ),
)

/** Parses an account name; both fields are null without one. */
export function readAccountName(name: string | null | undefined): {
  readonly id: number | null
  readonly email: string | null
} {
  const isId = accountIdPattern.test(name ?? '')
  return { id: isId ? Number(name) : null, email: isId ? null : (name ?? null) }
}

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name
type RowOf<Answer> = Answer extends readonly (infer Item)[]
  ? readonly RowOf<Item>[]
  : Answer extends object
    ? { readonly [Name in keyof Answer as CamelCase<Name> & string]: RowOf<Answer[Name]> }
    : Answer extends string
      ? Answer | Date
      : Answer

interface AnyShape {
  readonly entries?: Readonly<Record<string, AnyShape>>
  readonly item?: AnyShape
  readonly wrapped?: AnyShape
}

/**
 * A row as the answer with this schema: its fields and no others, which rows have in camel case,
 * and moments as timestamps.
 */
export function present<Schema extends v.GenericSchema>(
  schema: Schema,
  row: RowOf<v.InferOutput<Schema>>,
): v.InferOutput<Schema> {
  return presentValue(schema as AnyShape, row)
}

function presentValue({ entries, item, wrapped }: AnyShape, value: any): unknown {
  if (value instanceof Date) return value.toISOString()
  if (value === null) return null
  if (wrapped) return presentValue(wrapped, value)
  if (item) return value.map((one: unknown) => presentValue(item, one))
  if (!entries) return value
  const fields = Object.entries(entries).map(([name, field]) => {
    const own = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    return [name, presentValue(field, value[own])]
  })
  return Object.fromEntries(fields)
}
