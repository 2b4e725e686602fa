import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { isAlive } from './embedded/processes.ts'
import type { Sql } from './query.ts'

/** Keeps this advisory lock apart from those of jobs and process ids. */
const lockClass = 2
const lockId = 1
const retryMs = 100
/** How long a connection may outlive its process. */
const patienceMs = 3_000
/** The same for a process that is known to be dead: the server may not have noticed. */
const deadPatienceMs = 60_000
const hostCharactersMax = 30

export class DatabaseInUse extends Error {
  override readonly name = 'DatabaseInUse'

  constructor(database: string, holder: Holder | null) {
    const by = holder ? `pid ${holder.pid} on ${holder.host}` : 'another process'
    super(`${database} is in use by ${by}. Stop that service first.`)
  }
}

interface Holder {
  readonly pid: number
  readonly host: string
}

/** Name of the connection that holds the lock, so that others can tell who has it. */
export function lockConnectionName(): string {
  return `transfer-service ${process.pid} on ${shortHostname()}`
}

/**
 * Takes the lock that allows one service per database, for the life of the connection.
 * @param database its name in the message
 * @throws DatabaseInUse
 */
export async function takeServiceLock(sql: Sql, database: string): Promise<void> {
  // After a power cut, the server notices the lost client within a minute instead of hours.
  await sql`
    select set_config('tcp_keepalives_idle', '20', false),
      set_config('tcp_keepalives_interval', '10', false),
      set_config('tcp_keepalives_count', '3', false)`
  const startedAt = performance.now()
  for (;;) {
    const [row] = await sql<{ taken: boolean }[]>`
      select pg_try_advisory_lock(${lockClass}::int, ${lockId}::int) as taken`
    if (row?.taken) return
    const holder = await findHolder(sql)
    if (performance.now() - startedAt >= patienceWith(holder)) {
      throw new DatabaseInUse(database, holder)
    }
    await delay(retryMs)
  }
}

function patienceWith(holder: Holder | null): number {
  if (holder === null || holder.host !== shortHostname()) return patienceMs
  // A lost connection of our own process, or of an earlier one with the same pid.
  if (holder.pid === process.pid) return deadPatienceMs
  return isAlive(holder.pid) ? 0 : deadPatienceMs
}

/** The two keys of the lock: https://www.postgresql.org/docs/18/view-pg-locks.html */
async function findHolder(sql: Sql): Promise<Holder | null> {
  const [row] = await sql<{ name: string }[]>`
    select a.application_name as name
    from pg_locks l
    join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory'
      and l.granted
      and l.objsubid = 2
      and l.classid = ${lockClass}
      and l.objid = ${lockId}
      and l.database = (select oid from pg_database where datname = current_database())`
  const [, pid, host] = /^transfer-service (\d+) on (.+)$/.exec(row?.name ?? '') ?? []
  return pid === undefined || host === undefined ? null : { pid: Number(pid), host }
}

/** PostgreSQL keeps 63 bytes of a name, and only ASCII. */
function shortHostname(): string {
  return (
    hostname()
      .replaceAll(/[^\x21-\x7e]/g, '?')
      .slice(0, hostCharactersMax) || 'unknown'
  )
}
