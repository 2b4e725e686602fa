/**
 * How values travel between PostgreSQL's text format and JavaScript, by type id (`pg_type.oid`).
 * The array types are written down here rather than asked of the server at every connect: that
 * query is a round trip a connection, and its rejection would be nobody's to catch.
 */

/** PostgreSQL's id of each element type we use → the id of its array type. */
const arrayTypeIds: Record<number, number> = {
  16: 1000, // boolean
  17: 1001, // bytea
  19: 1003, // name
  20: 1016, // bigint
  21: 1005, // smallint
  23: 1007, // integer
  25: 1009, // text
  114: 199, // json
  700: 1021, // real
  701: 1022, // double precision
  869: 1041, // inet
  1042: 1014, // character
  1043: 1015, // character varying
  1082: 1182, // date
  1114: 1115, // timestamp
  1184: 1185, // timestamptz
  1700: 1231, // numeric
  2950: 2951, // uuid
  3802: 3807, // jsonb
}

const bigintTypeId = 20
const numericTypeId = 1700

type Parser = (text: string) => unknown

/** What the client library keeps a connection pool's type handlers in. */
export interface TypeTables {
  parsers: Record<number, unknown>
  serializers: Record<number, unknown>
  shared: { typeArrayMap: Record<number, number> }
}

/**
 * A count, a sum or a size as a number.
 * @throws RangeError above 2^53 - 1, where a number would silently be another one.
 */
function parseWholeOrDecimal(text: string): number {
  const value = Number(text)
  if (Number.isNaN(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    throw new RangeError(`the database sent ${text.slice(0, 40)}, which no number holds exactly`)
  }
  return value
}

/** Makes bigint and numeric numbers, and arrays of every type above arrays. */
export function installValueTypes(tables: TypeTables): void {
  for (const id of [bigintTypeId, numericTypeId]) {
    tables.parsers[id] = parseWholeOrDecimal
    tables.serializers[id] = String
  }
  for (const [element, array] of Object.entries(arrayTypeIds)) {
    const parseElement = tables.parsers[Number(element)] as Parser | undefined
    tables.parsers[array] = (text: string) => parseArray(text, parseElement)
    tables.serializers[array] = serializeArray
    tables.shared.typeArrayMap[Number(element)] = array
  }
}

function serializeArray(values: unknown): unknown {
  if (!Array.isArray(values)) return values
  const items: string[] = values.map((value: unknown) =>
    Array.isArray(value) ? String(serializeArray(value)) : serializeElement(value),
  )
  return `{${items.join(',')}}`
}

function serializeElement(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) throw new TypeError('undefined values are not allowed in an array')
  return `"${elementText(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

function elementText(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  return typeof value === 'object' ? JSON.stringify(value) : `${value as string | number}`
}

interface Cursor {
  text: string
  index: number
}

/** An array as PostgreSQL writes it: `{a,"b \"c\"",NULL,{nested}}`. */
function parseArray(text: string, parseElement: Parser | undefined): unknown[] {
  // Arrays whose lower bound is not 1 carry it in front: `[0:1]={a,b}`.
  const start = text.indexOf('{')
  return parseItems({ text, index: start + 1 }, parseElement ?? ((item) => item))
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
