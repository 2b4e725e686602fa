// Checks values against the part of JSON Schema (2020-12) that our API description is written in.
// A word it does not know is an error of its own: nothing is passed over in silence.

export type Schema = Readonly<Record<string, any>>

/** What `$ref` points into. */
export type Root = Schema

/** Words that say something to people alone. */
const silent = new Set([
  'description',
  'title',
  'examples',
  'default',
  'deprecated',
  'contentMediaType',
  // Checked with the others of their object, below.
  'required',
  'additionalProperties',
])

type Check = (value: any, expected: any, schema: Schema, at: string, root: Root) => string[]

const checks: Readonly<Record<string, Check>> = {
  type: (value, types, _schema, at) =>
    [types].flat().some((type: string) => isOfType(value, type))
      ? []
      : [`${at} is ${show(value)}, no ${[types].flat().join(' or ')}`],
  enum: (value, values, _schema, at) =>
    values.includes(value) ? [] : [`${at} is ${show(value)}, none of ${show(values)}`],
  const: (value, expected, _schema, at) =>
    value === expected ? [] : [`${at} is ${show(value)}, not ${show(expected)}`],
  format: (value, format, _schema, at) => {
    const check = formats[format]
    if (!check) throw new Error(`unknown format ${format}`)
    return typeof value !== 'string' || check(value)
      ? []
      : [`${at} is ${show(value)}, no ${format}`]
  },
  pattern: (value, pattern, _schema, at) =>
    typeof value !== 'string' || new RegExp(pattern, 'u').test(value)
      ? []
      : [`${at} is ${show(value)}, which ${pattern} does not match`],
  minimum: (value, least, _schema, at) =>
    typeof value !== 'number' || value >= least ? [] : [`${at} is ${value}, below ${least}`],
  maximum: (value, most, _schema, at) =>
    typeof value !== 'number' || value <= most ? [] : [`${at} is ${value}, above ${most}`],
  minLength: (value, least, _schema, at) =>
    typeof value !== 'string' || value.length >= least ? [] : [`${at} is shorter than ${least}`],
  maxLength: (value, most, _schema, at) =>
    typeof value !== 'string' || value.length <= most ? [] : [`${at} is longer than ${most}`],
  minItems: (value, least, _schema, at) =>
    !Array.isArray(value) || value.length >= least ? [] : [`${at} has less than ${least} items`],
  maxItems: (value, most, _schema, at) =>
    !Array.isArray(value) || value.length <= most ? [] : [`${at} has more than ${most} items`],
  items: (value, item, _schema, at, root) =>
    Array.isArray(value)
      ? value.flatMap((entry, place) => valueProblems(entry, item, root, `${at}[${place}]`))
      : [],
  properties: (value, properties, _schema, at, root) =>
    isObject(value)
      ? Object.entries(properties as Record<string, Schema>)
          .filter(([name]) => Object.hasOwn(value, name))
          .flatMap(([name, schema]) => valueProblems(value[name], schema, root, `${at}.${name}`))
      : [],
  // Fields are counted over all parts of a combination, in `problemsOf`.
  allOf: (value, parts, _schema, at, root) =>
    parts.flatMap((part: Schema) => valueProblems(value, part, root, at)),
  anyOf: (value, options, { properties }, at, root) => {
    // Beside fields of its own they only say more of these, such as which are required.
    const check = properties ? valueProblems : problemsOf
    const tried: string[][] = options.map((option: Schema) => check(value, option, root, at))
    if (tried.some((problems) => problems.length === 0)) return []
    return [`${at} is none of ${options.length} kinds: ${tried.flat().join('; ')}`]
  },
  $ref: (value, ref, _schema, at, root) => valueProblems(value, resolve(ref, root), root, at),
}

const formats: Readonly<Record<string, (value: string) => boolean>> = {
  'date-time': (value) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value) && !Number.isNaN(Date.parse(value)),
  email: (value) => /^[^@\s]+@[^@\s]+$/.test(value),
  uri: (value) => URL.canParse(value),
  uuid: (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
  // Of numbers and of bytes: the type has said it all.
  int64: () => true,
  binary: () => true,
}

/**
 * What is wrong with a value. Stricter than JSON Schema in one way: a field that no schema of an
 * object names is wrong unless `additionalProperties` lets it in.
 */
export function problemsOf(value: unknown, schema: Schema, root: Root, at = 'body'): string[] {
  return [...valueProblems(value, schema, root, at), ...strayFields(value, schema, root, at)]
}

function valueProblems(value: unknown, schema: Schema | true, root: Root, at: string): string[] {
  if (schema === true) return []
  const problems = Object.entries(schema).flatMap(([word, expected]) => {
    if (silent.has(word)) return []
    const check = checks[word]
    if (!check) throw new Error(`${at}: the JSON Schema word ${word} is not known here`)
    return check(value, expected, schema, at, root)
  })
  if (!isObject(value)) return problems
  const missing = ((schema['required'] ?? []) as string[]).filter(
    (name) => !Object.hasOwn(value, name),
  )
  return [...problems, ...missing.map((name) => `${at}.${name} is missing`)]
}

/** Fields of `value`, or of what is in it, that nothing describes. */
function strayFields(value: unknown, schema: Schema | true, root: Root, at: string): string[] {
  if (schema === true) return []
  const parts = partsOf(schema, root)
  if (Array.isArray(value)) {
    const item = parts.find((part) => part['items'] !== undefined)?.['items'] as Schema | undefined
    if (!item) return []
    return value.flatMap((entry, place) => strayFields(entry, item, root, `${at}[${place}]`))
  }
  // The kinds of an `anyOf` have been looked at one by one.
  if (!isObject(value) || parts.some((part) => part['anyOf'])) return []
  if (parts.some((part) => part['additionalProperties'] !== undefined)) return []
  const known: Record<string, Schema> = Object.assign(
    {},
    ...parts.map((part) => part['properties'] ?? {}),
  )
  return Object.entries(value).flatMap(([name, field]) =>
    Object.hasOwn(known, name)
      ? strayFields(field, known[name]!, root, `${at}.${name}`)
      : [`${at}.${name} is not described`],
  )
}

/** A schema and all that it is combined from. */
function partsOf(schema: Schema, root: Root): Schema[] {
  const { $ref, allOf = [] } = schema
  const referred = $ref ? partsOf(resolve($ref, root), root) : []
  return [schema, ...referred, ...(allOf as Schema[]).flatMap((part) => partsOf(part, root))]
}

/** What a `$ref` within the same document points to. */
export function resolve(ref: string, root: Root): Schema {
  const names = ref.replace(/^#\//, '').split('/')
  const found = names.reduce<Schema | undefined>((place, name) => place?.[name], root)
  if (!ref.startsWith('#/') || !found) throw new Error(`${ref} points to nothing`)
  return found
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return Number.isSafeInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'null':
      return value === null
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type
    default:
      throw new Error(`unknown type ${type}`)
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').slice(0, 200)
}
