import type postgres from 'postgres'

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
