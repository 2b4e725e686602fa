import type postgres from 'postgres'
import type { PostgresType } from 'postgres'

/** Makes queries of the library for one connection. */
export type Client = postgres.ISql<{ bigint: bigint }>

export interface QueryConnection {
  readonly client: Client
  readonly isLost: boolean
  /** The server owes an answer from now on. A connection that stays silent then is dropped. */
  asked(): void
  answered(): void
}

/** Sends a query on a connection; settles when the connection is free again. */
export type Send<T> = (connection: QueryConnection) => PromiseLike<T>

/** Chooses the connection of a query. */
export type Run = <T>(send: Send<T>) => Promise<T>

type Scalar = null | boolean | number | bigint | string | Date | Uint8Array
type List = readonly (number | bigint | string | null)[]
type Value = Scalar | List | Query<unknown> | Helper

/** A tagged template, the same on the pool and inside a transaction. */
export interface Sql {
  /** Runs when awaited; as a value in another template it becomes a part of that. */
  <Rows extends readonly (object | undefined)[] = postgres.Row[]>(
    strings: TemplateStringsArray,
    ...values: readonly Value[]
  ): Query<postgres.RowList<Rows>>
  /** A name, several, a list for `in`, or rows for `insert`. */
  (first: string | readonly (string | number | Readonly<Record<string, Scalar | List>>)[]): Helper
  /** A single statement if it has values; otherwise the text may hold several. */
  unsafe<Rows extends readonly (object | undefined)[] = postgres.Row[]>(
    text: string,
    values?: readonly Scalar[],
  ): Query<postgres.RowList<Rows>>
}

/** A template with queries that `run` executes. */
export function createSql(run: Run): Sql {
  const tag = (first: unknown, ...values: unknown[]) => {
    if (!isTemplate(first)) return new Helper(first)
    return new Query(run, (client) => client(first, ...partsFor(client, values)))
  }
  const unsafe = (text: string, values?: never[]) =>
    new Query(run, (client) => client.unsafe(text, values))
  return Object.assign(tag, { unsafe }) as unknown as Sql
}

interface OpenCursor {
  readonly connection: QueryConnection
  readonly pages: AsyncIterator<unknown>
}

type Built = postgres.PendingQuery<postgres.Row[]>

type OfColumn<Value> = Query<readonly Readonly<Record<string, Value>>[]>

/**
 * A query that is not bound to a connection before it runs; a query of the library belongs to a
 * client from its creation.
 */
class Query<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Query'
  readonly #run: Run
  readonly #build: (client: Client) => Built
  #result: Promise<T> | null = null

  constructor(run: Run, build: (client: Client) => Built) {
    this.#run = run
    this.#build = build
  }

  build(client: Client): Built {
    return this.#build(client)
  }

  // oxlint-disable-next-line no-thenable -- awaited like a query of the library
  then<Fulfilled = T, Rejected = never>(
    onFulfilled?: ((value: T) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#start().then(onFulfilled, onRejected)
  }

  catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<T | Rejected> {
    return this.#start().catch(onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.#start().finally(onFinally)
  }

  async first<Row>(this: Query<readonly Row[]>): Promise<Row | null> {
    return (await this)[0] ?? null
  }

  /** The row of a statement that always has one. */
  async one<Row>(this: Query<readonly Row[]>): Promise<Row> {
    return (await this)[0]!
  }

  /** The values of the only column. */
  async column<Value>(this: OfColumn<Value>): Promise<Value[]> {
    return (await this).map((row) => Object.values(row)[0]!)
  }

  /** The only value of the first row. */
  async firstValue<Value>(this: OfColumn<Value>): Promise<Value | null> {
    return (await this.column())[0] ?? null
  }

  /** The only value of a statement that always has one row. */
  async oneValue<Value>(this: OfColumn<Value>): Promise<Value> {
    return (await this.column())[0]!
  }

  /** Whether there is a row, or the statement has changed one. */
  async exists(this: Query<{ readonly count: number }>): Promise<boolean> {
    return (await this).count > 0
  }

  /** How many rows the statement has changed. */
  async changes(this: Query<{ readonly count: number }>): Promise<number> {
    return (await this).count
  }

  /** The rows in pages. Keeps the connection until the last page, or until the loop ends. */
  async *cursor(rowsMax: number): AsyncGenerator<T, void, void> {
    await Promise.resolve() // a microtask, as in #start
    let leave = () => {}
    let breakOff = (_error: unknown) => {}
    const left = new Promise<void>((resolve, reject) => {
      leave = resolve
      breakOff = reject
    })
    let start = (_open: OpenCursor) => {}
    const started = new Promise<OpenCursor>((resolve) => (start = resolve))
    // Until the loop ends this can only reject: without a connection, or when it is lost.
    const ended = this.#run((connection) => {
      const pages = this.#build(connection.client).cursor(rowsMax)[Symbol.asyncIterator]()
      start({ connection, pages })
      return left
    }) as Promise<never>
    // One reaction to the end for all pages: each would keep its page in memory until then.
    let fail = (_error: unknown) => {}
    ended.catch((error: unknown) => fail(error))
    const nextOf = (pages: AsyncIterator<unknown>) =>
      new Promise<IteratorResult<unknown>>((resolve, reject) => {
        fail = reject
        // The library answers after the last page without a promise.
        Promise.resolve(pages.next()).then(resolve, reject)
      })
    let hasFailed = false
    try {
      const { connection, pages } = await Promise.race([ended, started])
      try {
        // The library would silently end the list when asked for a page of a lost connection.
        while (!connection.isLost) {
          const { done, value } = await nextOf(pages)
          if (done) break
          connection.answered()
          try {
            yield value as T
          } finally {
            connection.asked()
          }
          await Promise.resolve()
        }
      } catch (error) {
        // After a row that no parser accepts the connection has to go: see Connection.
        hasFailed = true
        breakOff(error)
        throw error
      } finally {
        await Promise.resolve()
        // On a lost connection this would write to its closed socket, and end the process.
        if (!connection.isLost && !hasFailed) await pages.return?.()
      }
    } finally {
      leave()
    }
    await ended
  }

  #start(): Promise<T> {
    this.#result ??= new Promise((resolve, reject) => {
      // No socket event comes between two microtasks: the state of the connection is still true
      // when the library sends the query.
      queueMicrotask(() => {
        const send: Send<T> = ({ client }) => this.#build(client) as unknown as PromiseLike<T>
        this.#run(send).then(resolve, reject)
      })
    })
    return this.#result
  }
}

/** An argument of a template that is neither a value nor a query. */
class Helper {
  readonly #first: unknown

  constructor(first: unknown) {
    this.#first = first
  }

  build(client: Client): unknown {
    return (client as unknown as (first: unknown) => unknown)(this.#first)
  }
}

function isTemplate(first: unknown): first is TemplateStringsArray {
  return Array.isArray(first) && 'raw' in first
}

function partsFor(client: Client, values: readonly unknown[]): never[] {
  return values.map((value) =>
    value instanceof Query || value instanceof Helper ? value.build(client) : value,
  ) as never[]
}

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
