// Values generated from the schemas of the API description: valid and nearly valid ones.
import fc from 'fast-check'
import { resolve, type Root, type Schema } from '../../helpers/json-schema.ts'

/** A reference to the cast (`share.id`), looked up when the request is sent. */
export class Known {
  readonly path: string
  readonly twist: Twist

  constructor(path: string, twist: Twist = 'as it is') {
    this.path = path
    this.twist = twist
  }

  [fc.toStringMethod](): string {
    return this.twist === 'as it is' ? `<${this.path}>` : `<${this.path}, ${this.twist}>`
  }
}

/** Ways to change an id. */
const twists = ['as it is', 'prefix', 'other case', 'longer', 'padded', 'in dots'] as const
type Twist = (typeof twists)[number]

const twisted: Readonly<Record<Twist, (text: string) => string>> = {
  'as it is': (text) => text,
  prefix: (text) => text.slice(0, -1),
  'other case': (text) => text.replaceAll(/[a-z]/gi, swapCase),
  longer: (text) => `${text}0`,
  padded: (text) => ` ${text}\t`,
  'in dots': (text) => `../${text}/..`,
}

function swapCase(letter: string): string {
  return letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()
}

export function twist(value: unknown, how: Twist): unknown {
  return how === 'as it is' ? value : twisted[how](String(value))
}

export const anyTwist = fc.constantFrom(...twists)

/** JSON text that `JSON.stringify` does not write, as a string that `toJson` unwraps. */
const raw = (text: string) => `@raw ${text}@`

export function toJson(value: unknown): string {
  return (JSON.stringify(value) ?? '').replaceAll(/"@raw (.*?)@"/g, '$1')
}

/** More than the limit of a JSON body. */
const long = 'x'.repeat(1_100_000)

// prettier-ignore
const oddNumbers = [
  -1, 0, 1.5, 2 ** 31, 2 ** 53, 1e300, -(2 ** 53),
  raw('1e400'), raw('-1e400'), raw('-0'), raw('7.0'), raw('1E2'), raw(`1${'0'.repeat(400)}`),
]
// prettier-ignore
const oddTexts = [
  '', ' ', '7', 'null', 'true', 'a\0b', '\u0001\u001f\u007f', 'a\r\nX-Other: b', 'a\nb',
  '\ud800', 'a\udc00b', '\u202efdp.exe', '\ufeffa', 'e\u0301', '../../x', 'C:\\x', '/etc/x',
  '%00', '%2e%2e%2f', "' or 1=1 --", '<script>alert(1)</script>', '{{7*7}}', '${x}',
  '__proto__', 'constructor', long, '😀'.repeat(5000),
]
const oddThings = [null, true, false, [], [[]], {}, { a: 1 }, [null], ['a'], raw('{"a":1,"a":2}')]

/** Any value. */
export const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...oddNumbers),
  fc.constantFrom(...oddTexts),
  fc.constantFrom(...oddThings),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.maxSafeInteger(),
  fc.double(),
)

/** Any text for a query, a header or a form field. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...oddTexts.filter((text) => text.length < 5000)),
  fc.constantFrom('-1', '0', '1.5', '1e400', '9007199254740992', 'NaN', 'Infinity', '0x10', '7.0'),
  fc.string({ unit: 'binary', maxLength: 40 }),
)

/** Values for fields whose schema alone would lead outside of this machine, or nowhere. */
const fixed: Readonly<Record<string, readonly unknown[]>> = {
  smtpHost: ['127.0.0.1', ''],
  smtpPort: [1, 9, 65_535],
  smtpFrom: ['', 'files@transfer.test', 'Files <files@transfer.test>'],
}

/** Values that a schema allows; `known` has some for fields of a name. */
export class Values {
  readonly #root: Root
  readonly #known: Readonly<Record<string, readonly string[]>>

  constructor(root: Root, known: Readonly<Record<string, readonly string[]>>) {
    this.#root = root
    this.#known = known
  }

  fitting(schema: Schema, name = ''): fc.Arbitrary<unknown> {
    if (schema['$ref']) return this.fitting(resolve(schema['$ref'], this.#root), name)
    if (fixed[name]) return fc.constantFrom(...fixed[name])
    if (schema['anyOf']) {
      return fc.oneof(...schema['anyOf'].map((kind: Schema) => this.fitting(kind, name)))
    }
    if (schema['enum']) return fc.constantFrom(...schema['enum'])
    const types = [schema['type']].flat() as string[]
    const known = this.knownAs(name)
    return fc.oneof(
      ...types.map((type) => ({
        weight: type === 'null' ? 1 : 4,
        arbitrary: this.#of(type, schema),
      })),
      ...(known ? [{ weight: 6, arbitrary: known }] : []),
    )
  }

  /** An object with every required field, and some of the others. */
  object(schema: Schema): fc.Arbitrary<Record<string, unknown>> {
    if (schema['$ref']) return this.object(resolve(schema['$ref'], this.#root))
    const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)
    const fields = properties.map(([name, field]) => [name, this.fitting(field, name)])
    const requiredKeys = (schema['required'] ?? []) as string[]
    return fc.record(Object.fromEntries(fields), { requiredKeys, noNullPrototype: true })
  }

  /** The same with one or two faults: a field missing, replaced, or added. */
  nearlyObject(schema: Schema): fc.Arbitrary<Record<string, unknown>> {
    if (schema['$ref']) return this.nearlyObject(resolve(schema['$ref'], this.#root))
    const properties = (schema['properties'] ?? {}) as Record<string, Schema>
    const names = Object.keys(properties)
    const wrong = names.map((name) =>
      this.near(properties[name]!, name).map((value) => ({ name, value, isGone: false })),
    )
    const change = fc.oneof(
      ...wrong,
      fc.record({
        name: fc.constantFrom(...names, 'x'),
        value: fc.constant(null),
        isGone: fc.constant(true),
      }),
      fc.record({
        name: fc.constantFrom('extra', 'constructor', 'toString', '', 'id', 'is_admin', 'userId'),
        value: anything,
        isGone: fc.constant(false),
      }),
    )
    return fc
      .tuple(this.object(schema), fc.array(change, { minLength: 1, maxLength: 2 }))
      .map(([object, changes]) => {
        const changed = { ...object }
        for (const { name, value, isGone } of changes) {
          if (isGone) delete changed[name]
          else changed[name] = value
        }
        return changed
      })
  }

  /** Values at the bounds, just beyond them, of another type, or of any kind. */
  near(schema: Schema, name = ''): fc.Arbitrary<unknown> {
    if (schema['$ref']) return this.near(resolve(schema['$ref'], this.#root), name)
    const { minimum, maximum, minLength, maxLength, items } = schema
    const bounds = [
      ...(minimum === undefined ? [] : [minimum, minimum - 1]),
      ...(maximum === undefined ? [] : [maximum, maximum + 1, maximum + 0.5]),
      ...[minLength, maxLength]
        .filter((length) => length !== undefined)
        .flatMap((length) => [
          'b'.repeat(length),
          'c'.repeat(length + 1),
          '😀'.repeat(Math.ceil(length / 2)),
        ]),
    ]
    const list = items
      ? [fc.array(fc.oneof(this.#nearItem(items), anything), { maxLength: 3 }), this.#many(items)]
      : []
    const near = fc.oneof(
      ...(bounds.length > 0 ? [fc.constantFrom(...bounds)] : []),
      ...list,
      anything,
    )
    // A name that looks like a host would be looked up.
    return name === 'smtpHost' ? near.filter((value) => !/^[\w.:-]+$/.test(String(value))) : near
  }

  knownAs(name: string): fc.Arbitrary<Known> | null {
    const paths = this.#known[name]
    return paths ? fc.constantFrom(...paths.map((path) => new Known(path))) : null
  }

  #nearItem(items: Schema): fc.Arbitrary<unknown> {
    const isObject = resolved(items, this.#root)['type'] === 'object'
    return isObject ? this.nearlyObject(items) : this.near(items)
  }

  /** Hundreds of equal items. */
  #many(items: Schema): fc.Arbitrary<unknown> {
    return fc
      .tuple(this.fitting(items), fc.constantFrom(201, 1001))
      .map(([item, count]) => Array.from({ length: count }, () => item))
  }

  #of(type: string, schema: Schema): fc.Arbitrary<unknown> {
    switch (type) {
      case 'null':
        return fc.constant(null)
      case 'boolean':
        return fc.boolean()
      case 'integer': {
        const { minimum: min, maximum: max } = schema
        const small = fc.integer({ min, max: Math.min(max, min + 20) })
        return fc.oneof(
          small,
          fc.maxSafeInteger().map((n) => min + (Math.abs(n) % (max - min + 1))),
        )
      }
      case 'number': {
        const { minimum: min, maximum: max } = schema
        return fc.double({ min, max, noNaN: true })
      }
      case 'array':
        return fc.array(this.fitting(schema['items']), { maxLength: 3 })
      case 'object':
        return this.object(schema)
      case 'string':
        return textOf(schema)
      default:
        throw new Error(`no values of the type ${type}`)
    }
  }
}

/** Generators of strings by schema: creating one takes many milliseconds. */
const texts = new Map<string, fc.Arbitrary<string>>()

function textOf(schema: Schema): fc.Arbitrary<string> {
  const { format, pattern, minLength, maxLength } = schema
  const key = JSON.stringify([format, pattern, minLength, maxLength])
  const known = texts.get(key) ?? makeText(schema)
  texts.set(key, known)
  return known
}

function makeText(schema: Schema): fc.Arbitrary<string> {
  const { format, pattern, minLength = 0, maxLength = 40 } = schema
  if (format === 'date-time') {
    const range = { min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }
    return fc.date(range).map((date) => date.toISOString())
  }
  if (format === 'email') {
    return fc.oneof(fc.emailAddress(), fc.constantFrom('a@b.example', 'Ä@example.org'))
  }
  if (pattern) return fc.stringMatching(new RegExp(pattern))
  const options = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) }
  return fc.oneof(fc.string(options), fc.string({ ...options, unit: 'grapheme' }))
}

function resolved(schema: Schema, root: Root): Schema {
  return schema['$ref'] ? resolve(schema['$ref'], root) : schema
}
