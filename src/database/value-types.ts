import type { PostgresType } from 'postgres'

/**
 * Conversions between PostgreSQL's text format and JavaScript, by type id (`pg_type.oid`). The
 * array types are listed here instead of queried at every connect: that query is a round trip for
 * each connection, and its rejection cannot be caught.
 */

const bigintTypeId = 20
const numericTypeId = 1700

type Parser = (text: string) => unknown

const asText: Parser = (text) => text
const asBoolean: Parser = (text) => text === 't'
const asBytes: Parser = (text) => Buffer.from(text.slice('\\x'.length), 'hex')
const asDate: Parser = (text) => new Date(text)
const asJson: Parser = (text) => JSON.parse(text)

/** PostgreSQL's id of each array type in use, and the parser of its elements. */
const arrayTypes: readonly (readonly [id: number, parse: Parser])[] = [
  [1000, asBoolean], // boolean
  [1001, asBytes], // bytea
  [1003, asText], // name
  [1016, parseWholeOrDecimal], // bigint
  [1005, Number], // smallint
  [1007, Number], // integer
  [1009, asText], // text
  [199, asJson], // json
  [1021, Number], // real
  [1022, Number], // double precision
  [1041, asText], // inet
  [1014, asText], // character
  [1015, asText], // character varying
  [1182, asDate], // date
  [1115, asDate], // timestamp
  [1185, asDate], // timestamptz
  [1231, parseWholeOrDecimal], // numeric
  [2951, asText], // uuid
  [3807, asJson], // jsonb
]

/** For the library's option `types`: bigint and numeric as numbers, arrays as arrays. */
export const valueTypes: Record<string, PostgresType> = {
  number: {
    to: bigintTypeId,
    from: [bigintTypeId, numericTypeId],
    serialize: String,
    parse: parseWholeOrDecimal,
  },
  ...Object.fromEntries(
    arrayTypes.map(([id, parse]) => [
      `array${id}`,
      {
        to: id,
        from: [id],
        serialize: serializeArray,
        parse: (text: string) => parseArray(text, parse),
      },
    ]),
  ),
}

/**
 * A count, a sum or a size as a number.
 * @throws RangeError above 2^53 - 1, where a number would silently lose precision
 */
function parseWholeOrDecimal(text: string): number {
  const value = Number(text)
  if (Number.isNaN(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    throw new RangeError(`the database sent ${text.slice(0, 40)}, which no number holds exactly`)
  }
  return value
}

function serializeArray(values: unknown): unknown {
  return Array.isArray(values) ? `{${values.map(serializeElement).join(',')}}` : values
}

function serializeElement(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) throw new TypeError('undefined values are not allowed in an array')
  const text = `${value as string | number | bigint}`
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

interface Cursor {
  text: string
  index: number
}

/** An array as PostgreSQL writes it: `{a,"b \"c\"",NULL,{nested}}`. */
function parseArray(text: string, parseElement: Parser): unknown[] {
  // Arrays with a lower bound other than 1 name it first: `[0:1]={a,b}`.
  const start = text.indexOf('{')
  return parseItems({ text, index: start + 1 }, parseElement)
}

function parseItems(cursor: Cursor, parseElement: Parser): unknown[] {
  const items: unknown[] = []
  for (;;) {
    const character = cursor.text[cursor.index]
    if (character === undefined) return items
    cursor.index += 1
    if (character === '}') return items
    if (character === ',') continue
    if (character === '{') items.push(parseItems(cursor, parseElement))
    else if (character === '"') items.push(parseElement(readQuoted(cursor)))
    else items.push(readBare(cursor, parseElement))
  }
}

function readQuoted(cursor: Cursor): string {
  let item = ''
  for (;;) {
    const character = cursor.text[cursor.index]
    cursor.index += 1
    if (character === undefined || character === '"') return item
    if (character !== '\\') item += character
    else {
      item += cursor.text[cursor.index] ?? ''
      cursor.index += 1
    }
  }
}

function readBare(cursor: Cursor, parseElement: Parser): unknown {
  const start = cursor.index - 1
  while (cursor.index < cursor.text.length && !',}'.includes(cursor.text[cursor.index] ?? '')) {
    cursor.index += 1
  }
  const item = cursor.text.slice(start, cursor.index)
  return item === 'NULL' ? null : parseElement(item)
}
