import { Session, type Connection, type SessionOptions } from './connection.ts'
import { Slots } from './pool.ts'
import { createSql, type Run, type Sql } from './query.ts'

export { databaseFailure, isUniqueViolation } from './failures.ts'
export type { Sql } from './query.ts'

export interface Database {
  /** Runs each query on any free connection. */
  readonly sql: Sql
  /**
   * Runs work in one transaction (read committed): committed when it resolves, rolled back when it
   * rejects. A failed statement fails the whole, even when its error was caught. Rejects with
   * CodedError('unavailable') when no connection came free within 5 s.
   * @param statementMsMax milliseconds for each statement and for each wait for a lock; else 10 s
   *   and 5 s
   */
  begin<T>(work: (sql: Sql) => Promise<T>, statementMsMax?: number): Promise<T>
  /** Lets running queries end for at most 5 s, then closes every connection. */
  close(): Promise<void>
}

export interface ConnectOptions extends SessionOptions {
  connectionsMax?: number
  /** Milliseconds to wait for a connection. */
  waitMs?: number
  waitersMax?: number
}

const connectionsMaxDefault = 8
const waitMsDefault = 5_000
const waitersMaxDefault = 2_000
const closeTimeoutSeconds = 5
/** For the server to report that a statement took too long. */
const graceMs = 10_000
/** Prepared statements and cached plans pile up, so a connection is replaced at this age. */
const sessionAgeMsMax = 30 * 60_000
/** An idle connection is closed after this time, which frees about 2 MB in PostgreSQL. */
const idleMsMax = 60_000

/** A pool of connections; each is opened on demand. */
export function connect(options: ConnectOptions): Database {
  const waitMs = options.waitMs ?? waitMsDefault
  const count = options.connectionsMax ?? connectionsMaxDefault
  if (count < 1) throw new RangeError('connectionsMax must be at least 1')
  const sessions = Array.from({ length: count }, () => new Session(options))
  const waitersMax = options.waitersMax ?? waitersMaxDefault
  const slots = new Slots(sessions, { waitersMax, waitMs })

  const idleCheck = setInterval(() => {
    // Only free connections: the library's own idle timeout can meet a query that just arrived.
    for (const session of slots.free) if (session.idleMs > idleMsMax) session.renew()
  }, idleMsMax / 2)
  idleCheck.unref()

  const release = (session: Session) => {
    if (session.ageMs > sessionAgeMsMax) session.renew()
    slots.release(session)
  }

  const take = async <T>(work: (session: Session, deadlineMs: number) => Promise<T>) => {
    const deadlineMs = performance.now() + waitMs
    const session = slots.tryAcquire() ?? (await slots.acquire())
    try {
      return await work(session, deadlineMs)
    } finally {
      release(session)
    }
  }

  return {
    sql: createSql((send) => take((session, deadlineMs) => session.run(send, deadlineMs))),
    begin: (work, statementMsMax) =>
      take(async (session, deadlineMs) => {
        const connection = await session.open(deadlineMs)
        return await transact(connection, work, statementMsMax)
      }),
    async close() {
      clearInterval(idleCheck)
      slots.close()
      await Promise.all(sessions.map((session) => session.close(closeTimeoutSeconds)))
    },
  }
}

async function transact<T>(
  connection: Connection,
  work: (sql: Sql) => Promise<T>,
  statementMsMax?: number,
): Promise<T> {
  const answerMsMax = statementMsMax === undefined ? undefined : statementMsMax + graceMs
  let failure: unknown
  let hasEnded = false

  const run: Run = (send) => {
    if (hasEnded) return Promise.reject(new Error('the transaction of this query has ended'))
    const result = connection.run(send, answerMsMax)
    result.catch((error: unknown) => {
      failure ??= error
    })
    return result
  }
  const control = createSql((send) => connection.run(send))

  try {
    await control.unsafe('begin isolation level read committed')
    if (statementMsMax !== undefined) {
      await control`select set_config('statement_timeout', ${`${statementMsMax}`}, true),
        set_config('lock_timeout', ${`${statementMsMax}`}, true)`
    }
    const result = await work(createSql(run))
    // Set before `commit` is sent, so that a query of a parallel branch cannot follow it.
    hasEnded = true
    if (failure !== undefined) throw failure
    const { command } = await control.unsafe('commit')
    // PostgreSQL answers the commit of a failed transaction with ROLLBACK, not with an error.
    if (command !== 'COMMIT') throw failure ?? new Error('the transaction was rolled back')
    return result
  } catch (error) {
    hasEnded = true
    if (!connection.isLost) await control.unsafe('rollback').catch(() => connection.drop())
    throw error
  }
}
