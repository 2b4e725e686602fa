// Validates values by the JSON Schema (2020-12) of an API description. A keyword or format that
// the validator does not know is an error, so no rule is ignored.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'

export type Schema = Readonly<Record<string, any>>

/** The document that `$ref` points into. */
export type Root = Schema

const formats: Readonly<Record<string, true | ((value: string) => boolean)>> = {
  'date-time': (value) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value) && !Number.isNaN(Date.parse(value)),
  date: (value) => /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)),
  email: (value) => /^[^@\s]+@[^@\s]+$/.test(value),
  uri: (value) => URL.canParse(value),
  uuid: (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
  // The type is enough.
  int64: true,
  binary: true,
}

/** Validators of a document, each by the text of its schema. */
interface Compiled {
  readonly ajv: Ajv2020
  readonly validators: Map<string, ValidateFunction>
}

const documents = new WeakMap<Root, Compiled>()

/**
 * Lists what is wrong with a value. Stricter than JSON Schema in one way: a field that no schema of
 * an object names is wrong unless `additionalProperties` allows it.
 */
export function problemsOf(value: unknown, schema: Schema, root: Root, at = 'body'): string[] {
  const { ajv, validators } = compiledOf(root)
  const key = JSON.stringify(schema)
  let validate = validators.get(key)
  if (validate === undefined) {
    validate = ajv.compile(closed(schema))
    validators.set(key, validate)
  }
  return validate(value) ? [] : validate.errors!.map((error) => describe(error, at))
}

function compiledOf(root: Root): Compiled {
  const known = documents.get(root)
  if (known) return known
  const ajv = new Ajv2020({ strictTypes: false, allErrors: true, verbose: true })
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format)
  ajv.addVocabulary(['components', 'schemas'])
  const schemas = mapValues(root['components'].schemas as Record<string, Schema>, open)
  ajv.addSchema({ components: { schemas } }, 'api')
  const compiled = { ajv, validators: new Map() }
  documents.set(root, compiled)
  return compiled
}

/** A schema that refuses fields which none of its parts describes. */
function closed(schema: Schema | boolean): Schema | boolean {
  return typeof schema === 'boolean' ? schema : { ...open(schema), unevaluatedProperties: false }
}

/** A schema that may be part of another, whose values are closed. */
function open(schema: Schema): Schema {
  const { $ref, allOf, anyOf, properties, items, ...others } = schema
  return {
    ...others,
    ...($ref && { $ref: `api${$ref}` }),
    ...(allOf && { allOf: allOf.map(open) }),
    // Options beside properties restrict these further, such as which are required.
    ...(anyOf && { anyOf: anyOf.map(properties ? open : closed) }),
    ...(properties && { properties: mapValues(properties, closed) }),
    ...(items && { items: closed(items) }),
  }
}

function mapValues<T, R>(object: Readonly<Record<string, T>>, change: (value: T) => R) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))
}

function describe({ keyword, instancePath, params, data, message }: ErrorObject, at: string) {
  const place = at + instancePath.replace(/\/(\d+)/g, '[$1]').replaceAll('/', '.')
  if (keyword === 'required') return `${place}.${params['missingProperty']} is missing`
  if (keyword === 'unevaluatedProperties') {
    return `${place}.${params['unevaluatedProperty']} is not described`
  }
  return `${place} is ${(JSON.stringify(data) ?? 'undefined').slice(0, 200)}: it ${message}`
}

/** The target of a `$ref` within the same document. */
export function resolve(ref: string, root: Root): Schema {
  const names = ref.replace(/^#\//, '').split('/')
  const found = names.reduce<Schema | undefined>((place, name) => place?.[name], root)
  if (!ref.startsWith('#/') || !found) throw new Error(`${ref} points to nothing`)
  return found
}
