import { connectionLost } from './failures.ts'
import { Session, withHandler } from './connection.ts'
import type { PendingQuery, SessionOptions, Sql } from './connection.ts'
import { Slots } from './pool.ts'

export { databaseFailure, isUniqueViolation } from './failures.ts'
export type { Sql } from './connection.ts'

export interface Database {
  /** Runs each query on a connection of its own. `copy … stdin/stdout` only inside `begin`. */
  readonly sql: Sql
  /**
   * Runs work in one transaction (read committed): committed when it resolves, rolled back when it
   * rejects. A statement that failed fails the whole, even when its error was caught.
   * Rejects with CodedError('unavailable') when no connection came within 5 s.
   */
  begin<T>(work: (sql: Sql) => Promise<T>): Promise<T>
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
/** Statements prepared and plans cached pile up in a session: it is replaced at this age. */
const sessionAgeMsMax = 30 * 60_000
/** A session unused for so long gives its memory back, about 2 MB in PostgreSQL. */
const idleMsMax = 60_000

/** A pool of connections; none is made before it is needed. */
export function connect(options: ConnectOptions): Database {
  const waitMs = options.waitMs ?? waitMsDefault
  const count = options.connectionsMax ?? connectionsMaxDefault
  const sessions = Array.from({ length: count }, () => new Session(options))
  const waitersMax = options.waitersMax ?? waitersMaxDefault
  const slots = new Slots(sessions, { waitersMax, waitMs })
  const [first] = sessions
  if (!first) throw new RangeError('connectionsMax must be at least 1')

  const idleCheck = setInterval(() => {
    // Only free sessions: the library's own idle timeout can meet a query that just arrived.
    for (const session of slots.free) if (session.idleMs > idleMsMax) session.renew()
  }, idleMsMax / 2)
  idleCheck.unref()

  const release = (session: Session) => {
    if (session.ageMs > sessionAgeMsMax) session.renew()
    slots.release(session)
  }

  const run = (query: PendingQuery) => {
    const deadlineMs = performance.now() + waitMs
    const start = (session: Session) => {
      if (query.cancelled) release(session)
      else session.run(query, deadlineMs, () => release(session))
    }
    const session = slots.tryAcquire()
    if (session) start(session)
    else slots.acquire().then(start, (error: unknown) => query.reject(error))
  }

  return {
    sql: withHandler(first.template, run),
    async begin(work) {
      const deadlineMs = performance.now() + waitMs
      const session = slots.tryAcquire() ?? (await slots.acquire())
      try {
        return await transact(session, deadlineMs, work)
      } finally {
        release(session)
      }
    },
    async close() {
      clearInterval(idleCheck)
      slots.close()
      await Promise.all(sessions.map((session) => session.close(closeTimeoutSeconds)))
    },
  }
}

async function transact<T>(
  session: Session,
  connectDeadlineMs: number,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  let failure: unknown
  let ended = false
  let lossesAtBegin: number | null = null
  const isLost = () => lossesAtBegin !== null && session.losses !== lossesAtBegin

  const run = (query: PendingQuery) => {
    if (ended) return query.reject(new Error('the transaction of this query has ended'))
    // The next connection knows nothing of this transaction: nothing of it may run there.
    if (isLost()) return query.reject(connectionLost())
    const reject = query.reject
    query.reject = (error) => {
      failure ??= error
      reject(error)
    }
    session.run(query, connectDeadlineMs, () => {})
  }
  const sql = withHandler(session.template, run)

  try {
    await sql.unsafe('begin isolation level read committed')
    lossesAtBegin = session.losses
    const result = await work(sql)
    const { command } = await sql.unsafe('commit')
    // PostgreSQL answers the commit of a failed transaction with ROLLBACK, not with an error.
    if (command !== 'COMMIT') throw failure ?? new Error('the transaction was rolled back')
    return result
  } catch (error) {
    if (lossesAtBegin !== null && !isLost())
      await sql.unsafe('rollback').catch(() => session.renew())
    throw error
  } finally {
    ended = true
  }
}
