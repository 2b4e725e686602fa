import { setTimeout as delay } from 'node:timers/promises'
import { databaseFailure } from '../failures.ts'
import { Session, withHandler, type Sql } from '../session.ts'
import { DataDirInUse, EmbeddedFailure } from './failure.ts'
import { isAlive } from './processes.ts'
import { serverDatabase, serverUser } from './settings.ts'

/** Of pg_advisory_lock, held by the process that owns the cluster: "transfer" in ASCII. */
const ownershipKey = '8390876182755042674'
const namePrefix = 'transfer-service '
const retryMs = 50
/** Recovery after a crash takes as long as its write-ahead log is long. */
const startTimeoutMs = 5 * 60_000
/** How long a lock may outlive the process that held it. */
const releaseTimeoutMs = 3_000
const attemptTimeoutMs = 5_000

/** A session that holds the cluster's ownership lock for as long as it lives. */
export interface Ownership {
  /** Resolves when the session, and with it the lock, has gone. */
  lost: Promise<void>
  close(): Promise<void>
}

/**
 * Waits until the server accepts connections and takes its ownership lock. Null when the server
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

/** Null when the server does not accept connections yet. */
async function attempt(dataDir: string, socketDir: string): Promise<Ownership | null> {
  let reportLoss = () => {}
  const lost = new Promise<void>((resolve) => {
    reportLoss = resolve
  })
  const session = openSession(socketDir, `${namePrefix}${process.pid}`, () => reportLoss())
  const close = () => session.close(1)
  try {
    await takeLock(queriesOn(session), dataDir)
    return { lost, close }
  } catch (error) {
    await close()
    if (databaseFailure(error)) return null
    throw error
  }
}

/**
 * The processes of ours that have a session on the server, by the names of those: pids that may
 * be dead by now. Null when the server does not answer.
 */
export async function findUsers(socketDir: string): Promise<number[] | null> {
  const session = openSession(socketDir, 'transfer: who is there', () => {})
  try {
    const rows = await queriesOn(session)<{ name: string }[]>`
      select distinct application_name as name
      from pg_stat_activity
      where starts_with(application_name, ${namePrefix})`
    return rows.map(({ name }) => Number.parseInt(name.slice(namePrefix.length), 10))
  } catch (error) {
    if (databaseFailure(error)) return null
    throw error
  } finally {
    await session.close(1)
  }
}

function openSession(socketDir: string, applicationName: string, onLoss: () => void): Session {
  const address = { socketDir, user: serverUser, database: serverDatabase }
  return new Session({ ...address, applicationName, onLoss })
}

function queriesOn(session: Session): Sql {
  return withHandler(session.template, (query) => {
    session.run(query, performance.now() + attemptTimeoutMs, () => {})
  })
}

async function takeLock(sql: Sql, dataDir: string): Promise<void> {
  const deadlineMs = performance.now() + releaseTimeoutMs
  for (;;) {
    const [row] = await sql<{ granted: boolean }[]>`
      select pg_try_advisory_lock(${ownershipKey}::bigint) as granted`
    if (row?.granted) return
    const holderPid = await findHolder(sql)
    // A process that has just been killed may hold it for a moment more.
    const isDead = holderPid === null || !isAlive(holderPid)
    if (!isDead || performance.now() > deadlineMs) throw new DataDirInUse(dataDir, holderPid)
    await delay(retryMs)
  }
}

/** A bigint key is held in two halves: https://www.postgresql.org/docs/18/view-pg-locks.html */
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
