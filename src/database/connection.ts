import postgres from 'postgres'
import { connectionLost, unavailable } from './failures.ts'
import { installValueTypes, type TypeTables } from './value-types.ts'

/** A tagged template: on the pool and inside a transaction alike. */
export type Sql = postgres.ISql<{ bigint: bigint }>

type Client = postgres.Sql<{ bigint: bigint }>

export interface SessionOptions {
  /** `postgres://…`; when absent, the Unix socket in `socketDir`. */
  url?: string
  socketDir?: string
  user?: string
  database?: string
  applicationName: string
  /** Called when a connection that was made has gone. */
  onLoss?: () => void
}

/**
 * The parts of the library's Query (node_modules/postgres/src/query.js, version pinned) that its
 * pool uses too. `handler` is what runs a query; `active` turns false when it has settled.
 */
export interface PendingQuery {
  handler: (query: PendingQuery) => unknown
  canceller: unknown
  state: object | null
  cancelled: unknown
  active: boolean
  reject: (error: unknown) => void
  cancel(): unknown
}

/** Only part of the socket's name. */
const socketPort = 5432
const statementTimeoutMs = 10_000
const lockTimeoutMs = 5_000
const idleInTransactionTimeoutMs = 30_000
const connectTimeoutSeconds = 5
const backoffSecondsMax = 0.5

/**
 * One connection, made when first needed and made again after a loss. One user at a time: the
 * library's own pool would queue without bound, send a statement of a lost transaction on the
 * next connection, and crash on the rollback of a lost one.
 */
export class Session {
  readonly #options: SessionOptions
  readonly #running = new Set<PendingQuery>()
  #client: Client
  /** A query that never runs, for the handler and canceller its client gave it. */
  #runner: PendingQuery
  #openedAt = performance.now()
  #usedAt: number | null = null
  #losses = 0
  #lostLast = false

  constructor(options: SessionOptions) {
    this.#options = options
    this.#client = this.#createClient()
    this.#runner = this.#client`` as unknown as PendingQuery
  }

  /** How often the connection has been lost or closed: a transaction watches it. */
  get losses(): number {
    return this.#losses
  }

  get ageMs(): number {
    return performance.now() - this.#openedAt
  }

  /** Since the last answer; 0 when there is no connection to be idle. */
  get idleMs(): number {
    return this.#usedAt === null ? 0 : performance.now() - this.#usedAt
  }

  /** For making queries and fragments; what runs them is set by their user. */
  get template(): Sql {
    return this.#client
  }

  /**
   * Sends a query and calls `settled` once it has an answer.
   * A connection that has not come by `connectDeadlineMs` (monotonic) makes it `unavailable`.
   */
  run(query: PendingQuery, connectDeadlineMs: number, settled: () => void): void {
    query.canceller = this.#runner.canceller
    this.#running.add(query)
    let timer: NodeJS.Timeout | undefined
    whenSettled(query, () => {
      clearTimeout(timer)
      this.#running.delete(query)
      this.#usedAt = performance.now()
      this.#lostLast = false
      // The connection is free once the library has read to the end of this answer.
      queueMicrotask(settled)
    })
    this.#runner.handler(query)
    if (query.state !== null || !this.#running.has(query)) return
    const client = this.#client
    timer = setTimeout(
      () => {
        if (query.state !== null || !this.#running.has(query)) return
        query.reject(unavailable(new Error('the database did not accept a connection in time')))
        if (client === this.#client) this.renew()
      },
      Math.max(1, connectDeadlineMs - performance.now()),
    )
  }

  /** Ends the connection; the next query makes another. */
  renew(): void {
    const old = this.#client
    this.#client = this.#createClient()
    this.#runner = this.#client`` as unknown as PendingQuery
    this.#openedAt = performance.now()
    this.#usedAt = null
    this.#losses += 1
    old.end({ timeout: 0 }).catch(() => {})
  }

  /** @param timeoutSeconds how long running queries may take to end. */
  async close(timeoutSeconds: number): Promise<void> {
    // After a loss the library would wait for the answer that was lost.
    await this.#client.end({ timeout: this.#lostLast ? 0 : timeoutSeconds })
  }

  #createClient(): Client {
    const { url, applicationName } = this.#options
    const shared = {
      max: 1,
      connect_timeout: connectTimeoutSeconds,
      idle_timeout: 0,
      max_lifetime: null,
      fetch_types: false,
      transform: { column: { from: postgres.toCamel } },
      backoff: (attempt: number) => Math.min(0.02 * 2 ** attempt, backoffSecondsMax),
      onnotice: () => {},
      onclose: () => {
        // A client that was renewed says farewell late.
        if (client === this.#client) this.#onclose()
      },
      connection: {
        application_name: applicationName,
        statement_timeout: statementTimeoutMs,
        lock_timeout: lockTimeoutMs,
        idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
        client_min_messages: 'warning',
      },
    }
    const made =
      url === undefined ? postgres(this.#overSocket(shared)) : this.#byAddress(url, shared)
    const client = made as unknown as Client
    installValueTypes(client.options as unknown as TypeTables)
    return client
  }

  /**
   * An address may name the folder of a socket, as `postgres:///name?host=/run/postgresql&user=me`
   * does (PostgreSQL's documentation, section 34.1.1.2): the library would hand the parameters to
   * the server.
   */
  #byAddress(address: string, shared: postgres.Options<Record<string, never>>) {
    const url = new URL(address)
    const taken: { host?: string; port?: number; user?: string; password?: string } = {}
    for (const name of ['host', 'port', 'user', 'password'] as const) {
      const value = url.searchParams.get(name)
      if (value === null) continue
      url.searchParams.delete(name)
      if (name === 'port') taken.port = Number(value)
      else taken[name] = value
    }
    return postgres(url.href, { ...shared, ...taken })
  }

  #overSocket<T>(shared: T) {
    const { socketDir, user, database } = this.#options
    if (socketDir === undefined || user === undefined || database === undefined) {
      throw new TypeError('a connection needs either url or socketDir, user and database')
    }
    // Everything the environment could supply (PGSSL, PGPORT, PGUSER) is said here.
    const path = `${socketDir}/.s.PGSQL.${socketPort}`
    return { ...shared, path, host: 'localhost', port: socketPort, user, database, ssl: false }
  }

  #onclose(): void {
    this.#losses += 1
    this.#lostLast = true
    this.#options.onLoss?.()
    // Called before the library would reconnect for what it has queued: that must not be sent
    // outside of the transaction it belongs to.
    for (const query of this.#running) {
      query.reject(connectionLost())
      if (query.state === null) query.cancel()
    }
    // The library carries two things over to its next connection: queries that were sent between
    // the socket's error and its close, and an error that no ReadyForQuery followed, as of a server
    // that stops. The first would be waited for; the second would fail the next query, which ran.
    this.renew()
  }
}

/** Every way a query of the library ends sets `active` to false first. */
function whenSettled(query: PendingQuery, settled: () => void): void {
  let active = query.active
  let done = false
  Object.defineProperty(query, 'active', {
    configurable: true,
    get: () => active,
    set: (value: boolean) => {
      active = value
      if (value || done) return
      done = true
      settled()
    },
  })
}

/** The same template, whose queries are run by `handler`. Fragments are never run. */
export function withHandler(template: Sql, handler: (query: PendingQuery) => void): Sql {
  const adopt = <T>(made: T): T => {
    if (isQuery(made)) made.handler = handler
    return made
  }
  const tag = (...args: Parameters<Sql>) =>
    adopt((template as (...all: unknown[]) => unknown)(...args))
  return Object.assign(tag, {
    array: (...args: Parameters<Sql['array']>) => template.array(...args),
    json: (...args: Parameters<Sql['json']>) => template.json(...args),
    typed: template.typed,
    types: template.types,
    unsafe: (...args: Parameters<Sql['unsafe']>) => adopt(template.unsafe(...args)),
    notify: () => refuse('notify'),
    file: () => refuse('file'),
  }) as unknown as Sql
}

function isQuery(made: unknown): made is PendingQuery {
  return typeof made === 'object' && made !== null && 'handler' in made && 'canceller' in made
}

/** These run past the handler, and so past the bounds. */
function refuse(name: string): never {
  throw new TypeError(`sql.${name} is not supported: use a template`)
}
