import postgres from 'postgres'
import { valueTypes } from './query.ts'

export interface Address {
  /** `postgres://…`; when absent, the Unix socket in `socketDir`. */
  url?: string
  socketDir?: string
  user?: string
  database?: string
  applicationName: string
  statementMsMax?: number
  lockMsMax?: number
  /**
   * A pooler gives each transaction any connection of the server. Nothing may be left behind in
   * one, and its settings are those of the account: see account-settings.ts.
   */
  isPooled?: boolean
  /** Called for each notification of a channel that the connection listens to. */
  onNotify?: () => void
}

/** Only a part of the socket's name. */
const socketPort = 5432
const statementMsMaxDefault = 10_000
const lockMsMaxDefault = 5_000
const idleInTransactionTimeoutMs = 30_000
const connectTimeoutSeconds = 5

/** A client of the library for one connection, opened by the first query. */
export function createClient(address: Address, onclose: () => void): postgres.Sql {
  const { url, applicationName, isPooled = false } = address
  const shared = {
    max: 1,
    connect_timeout: connectTimeoutSeconds,
    idle_timeout: 0,
    max_lifetime: null,
    fetch_types: false,
    types: valueTypes,
    transform: { column: { from: postgres.toCamel } },
    onnotice: () => {},
    onclose,
    onnotify: address.onNotify,
    prepare: !isPooled,
    connection: {
      application_name: applicationName,
      ...(isPooled ? {} : sessionSettings(address)),
    },
  }
  const client = url === undefined ? postgres(overSocket(address, shared)) : byUrl(url, shared)
  return client as unknown as postgres.Sql
}

export function sessionSettings({
  statementMsMax = statementMsMaxDefault,
  lockMsMax = lockMsMaxDefault,
}: Pick<Address, 'statementMsMax' | 'lockMsMax'>) {
  return {
    statement_timeout: statementMsMax,
    lock_timeout: lockMsMax,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
    client_min_messages: 'warning',
    // PostgreSQL keeps plans, also those of constraints. A plan from when a table had one page
    // would scan the whole table for each row later.
    enable_seqscan: 'off',
  }
}

/**
 * An address may name the folder of a socket, as `postgres:///name?host=/run/postgresql&user=me`
 * (PostgreSQL's documentation, section 34.1.1.2): the library would pass the parameters to the
 * server.
 */
function byUrl<T extends object>(address: string, shared: T) {
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

function overSocket<T extends object>({ socketDir, user, database }: Address, shared: T) {
  if (socketDir === undefined || user === undefined || database === undefined) {
    throw new TypeError('a connection needs either url or socketDir, user and database')
  }
  // States everything that the environment could supply (PGSSL, PGPORT, PGUSER).
  const path = `${socketDir}/.s.PGSQL.${socketPort}`
  return { ...shared, path, host: 'localhost', port: socketPort, user, database, ssl: false }
}
