import type { Database } from './connect.ts'
import { isInstanceAlive } from './instances-sql.ts'
import { DatabaseInUse, lockConnectionName, takeServiceLock } from './service-lock.ts'
import { LastingConnection, type ConnectionOptions } from './connection.ts'
import { createSql, type Sql } from './query.ts'
import { inOrder, Permits } from '../lib/permits.ts'

const connectTimeoutMs = 5_000
const retryMs = 500

/** Keeps the advisory locks of job names apart from those of process ids. */
const jobLockClass = 1

/** Shows other processes on the same database that this one is alive, and which jobs it runs. */
export interface ProcessLock {
  isAlive(processId: string): Promise<boolean>
  /** Resolves when the database answers. @throws errors of the connection */
  ask(): Promise<void>
  /**
   * Takes the job of this name for this process; null when another one has it. Returns a function
   * that releases it. A lost connection loses it, like the lock itself, so it may only save work.
   */
  takeJob(name: string): Promise<(() => Promise<void>) | null>
  close(): Promise<void>
}

/** Options of the one service on a database; commands beside it have none. */
export interface OnlyService {
  /** Name of the database in messages. */
  readonly database: string
  /** Another service has taken the lock while the connection was lost: this process must end. */
  readonly onReplaced: (error: DatabaseInUse) => void
}

/**
 * Holds an advisory lock named by the process's id on a separate connection, and takes it again
 * after each loss. Do not rely on it being held without a gap: it only keeps others from cleaning
 * up after a process that is still alive.
 * @throws errors of the first attempt to connect; DatabaseInUse for a second service
 */
export async function holdProcessLock(
  processId: string,
  database: Database,
  options: Omit<ConnectionOptions, 'onLoss'>,
  onlyService: OnlyService | null = null,
): Promise<ProcessLock> {
  let closed = false
  let timer: NodeJS.Timeout | null = null
  const takeAgain = () => {
    if (closed || timer) return
    timer = setTimeout(() => {
      timer = null
      if (!closed) turns.run(take).catch(onFailure)
    }, retryMs)
    timer.unref()
  }
  const onFailure = (error: unknown) => {
    if (error instanceof DatabaseInUse && !closed) onlyService?.onReplaced(error)
    else takeAgain()
  }
  const applicationName = onlyService ? lockConnectionName() : options.applicationName
  const connection = new LastingConnection({ ...options, applicationName, onLoss: takeAgain })
  const sql = createSql((send) => connection.run(send, performance.now() + connectTimeoutMs))
  const take = async () => {
    await sql`select pg_advisory_lock(${lockKey(processId)}::bigint)`
    if (onlyService) await takeServiceLock(sql, onlyService.database)
  }
  // A connection has one user at a time, so jobs take turns.
  const turns = new Permits(inOrder(1))
  try {
    await turns.run(take)
  } catch (error) {
    closed = true
    await connection.close(1)
    throw error
  }
  return {
    isAlive: async (otherId) => otherId === processId || isProcessAlive(database, otherId),
    async ask() {
      await turns.run(() => sql`select 1`)
    },
    async takeJob(name) {
      if (!(await turns.run(() => takeJobLock(sql, name)))) return null
      return async () => {
        // A lock that cannot be released was lost with its connection.
        await turns.run(() => releaseJobLock(sql, name)).catch(() => {})
      }
    },
    async close() {
      closed = true
      if (timer) clearTimeout(timer)
      await connection.close(1)
    },
  }
}

/**
 * Whether a process holds its lock, or has a row as one of several instances: a service and a
 * command may have different options, for example while files move to a bucket.
 */
export async function isProcessAlive(database: Database, processId: string): Promise<boolean> {
  const isFree = await database.begin(async (sql) => {
    return sql<{ isFree: boolean }[]>`
      select pg_try_advisory_xact_lock(${lockKey(processId)}::bigint)`.oneValue()
  })
  return !isFree || isInstanceAlive(database.sql, processId)
}

async function takeJobLock(sql: Sql, name: string): Promise<boolean> {
  return sql<{ isTaken: boolean }[]>`
    select pg_try_advisory_lock(${jobLockClass}::int, hashtext(${name}))`.oneValue()
}

async function releaseJobLock(sql: Sql, name: string): Promise<void> {
  await sql`select pg_advisory_unlock(${jobLockClass}::int, hashtext(${name}))`
}

/** The first 64 bits of a random id, as a PostgreSQL bigint. */
function lockKey(processId: string): string {
  return BigInt.asIntN(64, BigInt(`0x${processId.replaceAll('-', '').slice(0, 16)}`)).toString()
}
