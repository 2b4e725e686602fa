import { setTimeout as delay } from 'node:timers/promises'
import { databaseFailure } from '../failures.ts'
import { LastingConnection } from '../connection.ts'
import { createSql, type Sql } from '../query.ts'
import { DataDirInUse, EmbeddedFailure } from './failure.ts'
import { isAlive } from './processes.ts'
import { createServiceRole } from './role-sql.ts'
import { serverDatabase, serverUser, superuser } from './settings.ts'

/** Key of the advisory lock of the cluster's owner: "transfer" in ASCII. */
const ownershipKey = '8390876182755042674'
const namePrefix = 'transfer-service '
const asking = 'transfer: who is there'
const retryMs = 50
/** Recovery after a crash takes time in proportion to the write-ahead log. */
const startTimeoutMs = 5 * 60_000
/** How long a lock may outlive its process. */
const releaseTimeoutMs = 3_000
const attemptTimeoutMs = 5_000

/** A connection that holds the cluster's ownership lock. */
export interface Ownership {
  /** Resolves when the connection, and with it the lock, is gone. */
  lost: Promise<void>
  close(): Promise<void>
}

/**
 * Waits until the server accepts connections, and takes its ownership lock. Null when the server
 * ended meanwhile or `signal` was aborted.
 * @throws DataDirInUse when another living process holds the lock
 */
export async function claim(
  dataDir: string,
  socketDir: string,
  isRunning: () => boolean,
  signal: AbortSignal,
): Promise<Ownership | null> {
  const deadlineMs = performance.now() + startTimeoutMs
  while (isRunning() && !signal.aborted) {
    const ownership = await attempt(dataDir, socketDir)
    if (ownership) return ownership
    if (performance.now() > deadlineMs) {
      throw new EmbeddedFailure(`PostgreSQL accepted no connection in ${startTimeoutMs / 1000} s`)
    }
    await delay(retryMs)
  }
  return null
}

/** Null while the server does not accept connections. */
async function attempt(dataDir: string, socketDir: string): Promise<Ownership | null> {
  let reportLoss = () => {}
  const lost = new Promise<void>((resolve) => {
    reportLoss = resolve
  })
  const connection = openConnection(socketDir, `${namePrefix}${process.pid}`, () => reportLoss())
  const close = () => connection.close(1)
  try {
    await takeLock(queriesOn(connection), dataDir)
    return { lost, close }
  } catch (error) {
    await close()
    if (isRefused(error)) await makeServiceRole(dataDir, socketDir)
    else if (!databaseFailure(error)) throw error
    return null
  }
}

/**
 * Makes the role of the service, which a new cluster lacks. If another process may own the cluster,
 * nothing is changed.
 */
async function makeServiceRole(dataDir: string, socketDir: string): Promise<void> {
  const connection = openConnection(socketDir, `${namePrefix}${process.pid}`, () => {}, superuser)
  const sql = queriesOn(connection)
  try {
    await takeLock(sql, dataDir)
    await createServiceRole(sql, serverUser, serverDatabase)
  } catch (error) {
    if (!isRefused(error)) throw error
    throw new EmbeddedFailure(
      `the database server at ${socketDir} was started by another user: stop it first`,
      error,
    )
  } finally {
    await connection.close(1)
  }
}

/** True when the role is missing, or this system user may not use it. */
function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '28000'
}

/**
 * Pids of our processes with a connection to the server, from the names of these connections; some
 * may be dead by now. Null when the server does not answer.
 */
export async function findUsers(socketDir: string): Promise<number[] | null> {
  const connection = openConnection(socketDir, asking, () => {})
  try {
    return await listUsers(queriesOn(connection))
  } catch (error) {
    if (databaseFailure(error)) return null
    // A service was killed before it had made the role.
    if (isRefused(error)) return []
    throw error
  } finally {
    await connection.close(1)
  }
}

async function listUsers(sql: Sql): Promise<number[]> {
  const rows = await sql<{ name: string }[]>`
    select distinct application_name as name
    from pg_stat_activity
    where starts_with(application_name, ${namePrefix})`
  return rows.map(({ name }) => Number.parseInt(name.slice(namePrefix.length), 10))
}

function openConnection(
  socketDir: string,
  applicationName: string,
  onLoss: () => void,
  user = serverUser,
): LastingConnection {
  const address = { socketDir, user, database: serverDatabase }
  return new LastingConnection({ ...address, applicationName, onLoss })
}

function queriesOn(connection: LastingConnection): Sql {
  return createSql((send) => connection.run(send, performance.now() + attemptTimeoutMs))
}

async function takeLock(sql: Sql, dataDir: string): Promise<void> {
  const deadlineMs = performance.now() + releaseTimeoutMs
  for (;;) {
    const [row] = await sql<{ granted: boolean }[]>`
      select pg_try_advisory_lock(${ownershipKey}::bigint) as granted`
    if (row?.granted) return
    const holderPid = await findHolder(sql)
    // The connection of a killed process may hold the lock for a moment longer.
    const isDead = holderPid === null || !isAlive(holderPid)
    if (!isDead || performance.now() > deadlineMs) throw new DataDirInUse(dataDir, holderPid)
    await delay(retryMs)
  }
}

/** A bigint key is stored in two halves: https://www.postgresql.org/docs/18/view-pg-locks.html */
async function findHolder(sql: Sql): Promise<number | null> {
  const [row] = await sql<{ name: string }[]>`
    select a.application_name as name
    from pg_locks l
    join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory'
      and l.granted
      and l.objsubid = 1
      and (l.classid::bigint << 32 | l.objid::bigint) = ${ownershipKey}::bigint`
  const pid = Number(row?.name.slice(namePrefix.length))
  return Number.isSafeInteger(pid) && pid > 0 ? pid : null
}
