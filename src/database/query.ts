import type postgres from 'postgres'

/** What makes queries of the library for one connection. */
export type Client = postgres.ISql<{ bigint: bigint }>

/** What a query needs of a connection. */
export interface QueryConnection {
  readonly client: Client
  readonly isLost: boolean
}

/** Sends a query on a connection; settles when the connection may be used for something else. */
export type Send<T> = (connection: QueryConnection) => PromiseLike<T>

/** Chooses the connection of a query. */
export type Run = <T>(send: Send<T>) => Promise<T>

type Scalar = null | boolean | number | bigint | string | Date | Uint8Array
type Value = Scalar | readonly (number | bigint | string | null)[] | Query<unknown> | Helper

/** A tagged template: on the pool and inside a transaction alike. */
export interface Sql {
  /** Runs once it is awaited or executed; as a value of another template it is a part of that. */
  <Rows extends readonly (object | undefined)[] = postgres.Row[]>(
    strings: TemplateStringsArray,
    ...values: readonly Value[]
  ): Query<postgres.RowList<Rows>>
  /** A name, several, a list for `in`, or rows for `insert`. */
  (first: string | readonly (string | number | Readonly<Record<string, Value>>)[]): Helper
  /** With values it is one statement; without, there may be several in the text. */
  unsafe<Rows extends readonly (object | undefined)[] = postgres.Row[]>(
    text: string,
    values?: readonly Scalar[],
  ): Query<postgres.RowList<Rows>>
}

/** A template whose queries are run by `run`. */
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
 * A query that knows no connection before it runs: a query of the library belongs to a client from
 * the moment it is written down.
 */
class Query<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Query'
  readonly #run: Run
  readonly #build: (client: Client) => Built
  #result: Promise<T> | null = null
  #reject: (error: unknown) => void = () => {}
  #sent: Built | null = null
  #isCancelled = false

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

  /** Runs the query before anything awaits it. */
  execute(): this {
    void this.#start()
    return this
  }

  /** Rejects the query with SQLSTATE 57014; one that has not been sent never is. */
  cancel(): void {
    if (this.#sent) return this.#sent.cancel()
    this.#isCancelled = true
    this.#reject(cancelled())
  }

  /** The rows in pages. Keeps the connection until the last page, or until the loop is left. */
  async *cursor(rowsMax: number): AsyncGenerator<T, void, void> {
    await Promise.resolve() // a microtask, as in #start
    let leave = () => {}
    const left = new Promise<void>((resolve) => (leave = resolve))
    let start = (_open: OpenCursor) => {}
    const started = new Promise<OpenCursor>((resolve) => (start = resolve))
    // Until the loop is left this can only reject: when no connection comes, or when it is lost.
    const ended = this.#run((connection) => {
      const pages = this.#build(connection.client).cursor(rowsMax)[Symbol.asyncIterator]()
      start({ connection, pages })
      return left
    }) as Promise<never>
    try {
      const { connection, pages } = await Promise.race([ended, started])
      try {
        // Asked for the next page of a lost connection, the library would end the list quietly.
        while (!connection.isLost) {
          const { done, value } = await Promise.race([ended, pages.next()])
          if (done) break
          yield value as T
          await Promise.resolve()
        }
      } finally {
        await Promise.resolve()
        // On a lost connection this would write to its socket, which is gone, and end the process.
        if (!connection.isLost) await pages.return?.()
      }
    } finally {
      leave()
    }
    await ended
  }

  #start(): Promise<T> {
    this.#result ??= new Promise((resolve, reject) => {
      this.#reject = reject
      // No event of a socket comes between a microtask and the next: what the connection says of
      // itself is still true when the library sends the query.
      queueMicrotask(() => {
        this.#run((connection) => this.#send(connection.client)).then(resolve, reject)
      })
    })
    return this.#result
  }

  #send(client: Client): PromiseLike<T> {
    if (this.#isCancelled) throw cancelled()
    this.#sent = this.#build(client)
    return this.#sent as unknown as PromiseLike<T>
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

function cancelled(): Error {
  const error = new Error('canceling statement due to user request')
  return Object.assign(error, { code: '57014' })
}
