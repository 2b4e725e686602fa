import { LastingConnection, type Connection, type ConnectionOptions } from './connection.ts'
import { DatabaseUnavailable } from './failures.ts'
import { inOrder, Permits } from '../lib/permits.ts'
import { createSql, type Run, type Sql } from './query.ts'

export { databaseFailure, isUniqueViolation } from './failures.ts'
export type { Sql } from './query.ts'

export interface Database {
  /** Runs each query on any free connection. */
  readonly sql: Sql
  /**
   * Runs work in one transaction (read committed): committed when it resolves, rolled back when it
   * rejects. A failed statement fails the whole, even when its error was caught. Rejects with
   * CodedError('unavailable') when no connection came free within 5 s. Statements that are sent
   * together need one round trip.
   */
  begin<T>(work: Work<T>, options?: TransactionOptions): Promise<T>
  usage(): DatabaseUsage
  /** Lets running queries end for at most 5 s, then closes every connection. */
  close(): Promise<void>
}

export interface DatabaseUsage {
  /** Connections that exist, in use or not, and the most there can be. */
  readonly open: number
  readonly max: number
  readonly inUse: number
  /** Queries and transactions that wait for a connection. */
  readonly waiting: number
}

type LastStatement = (sql: Sql) => Promise<unknown>

/**
 * Leaves a statement to the transaction, which sends it together with the commit. `last` may do
 * nothing else: once the statement is sent, only the server can refuse the commit.
 */
export type CloseWith = (last: LastStatement) => void

export type Work<T> = (sql: Sql, closeWith: CloseWith) => Promise<T>

export interface TransactionOptions {
  /** Milliseconds for each statement and for each wait for a lock; else 10 s and 5 s. */
  readonly statementMsMax?: number
  /**
   * Sends the first statements of `work` together with the begin. They must change nothing: if the
   * server refuses the begin, they run outside the transaction, before it fails.
   */
  readonly readsFirst?: boolean
  /** Whether all of it reads one moment, and changes nothing. */
  readonly isSnapshot?: boolean
}

export interface ConnectOptions extends ConnectionOptions {
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
const ageMsMax = 30 * 60_000
/** An idle connection is closed after this time, which frees about 2 MB in PostgreSQL. */
const idleMsMax = 60_000

/** A pool of connections; each is opened on demand. */
export function connect(options: ConnectOptions): Database {
  const waitMs = options.waitMs ?? waitMsDefault
  const count = options.connectionsMax ?? connectionsMaxDefault
  if (count < 1) throw new RangeError('connectionsMax must be at least 1')
  const connections = Array.from({ length: count }, () => new LastingConnection(options))
  const waitersMax = options.waitersMax ?? waitersMaxDefault
  const permits = new Permits(inOrder(count), { waitersMax, waitMsMax: waitMs })
  // The one that was returned last is lent first, so that unneeded ones become idle.
  const free = [...connections]
  let isClosed = false

  const idleCheck = setInterval(() => {
    // Only free connections: the library's own idle timeout can meet a query that just arrived.
    for (const connection of free) if (connection.idleMs > idleMsMax) connection.renew()
  }, idleMsMax / 2)
  idleCheck.unref()

  const waitForPermit = async () => {
    const isFull = permits.waiting >= waitersMax
    try {
      if (!isClosed) return await permits.take()
    } catch {
      if (isFull) throw new DatabaseUnavailable('too many queries wait for a connection')
      if (!isClosed) throw new DatabaseUnavailable(`no connection came in ${waitMs} ms`)
    }
    throw new DatabaseUnavailable('the connections are closed')
  }

  const take = async <T>(
    work: (connection: LastingConnection, deadlineMs: number) => Promise<T>,
  ) => {
    const deadlineMs = performance.now() + waitMs
    const giveBack = (isClosed ? null : permits.tryTake()) ?? (await waitForPermit())
    // Each permit has one.
    const connection = free.pop()!
    try {
      return await work(connection, deadlineMs)
    } finally {
      if (connection.ageMs > ageMsMax) connection.renew()
      free.push(connection)
      giveBack()
    }
  }

  return {
    sql: createSql((send) => take((connection, deadlineMs) => connection.run(send, deadlineMs))),
    begin: (work, options) =>
      take(async (lasting, deadlineMs) => {
        return await transact(await lasting.open(deadlineMs), work, options)
      }),
    usage: () => ({
      open: connections.filter((connection) => connection.isOpen).length,
      max: count,
      inUse: permits.permits,
      waiting: permits.waiting,
    }),
    async close() {
      clearInterval(idleCheck)
      isClosed = true
      permits.refuseAll()
      await Promise.all(connections.map((connection) => connection.close(closeTimeoutSeconds)))
    },
  }
}

async function transact<T>(
  connection: Connection,
  work: Work<T>,
  { statementMsMax, readsFirst = false, isSnapshot = false }: TransactionOptions = {},
): Promise<T> {
  const answerMsMax = statementMsMax === undefined ? undefined : statementMsMax + graceMs
  let failure: unknown
  let hasEnded = false

  const noteFailure = (error: unknown) => {
    failure ??= error
  }
  const run: Run = (send) => {
    if (hasEnded) return Promise.reject(new Error('the transaction of this query has ended'))
    if (failure !== undefined) return Promise.reject(failure as Error)
    const result = connection.run(send, answerMsMax)
    result.catch(noteFailure)
    return result
  }
  const control = createSql((send) => connection.run(send))

  try {
    const level = isSnapshot ? 'repeatable read, read only' : 'read committed'
    const begun = control.unsafe(`begin isolation level ${level}`)
    begun.catch(noteFailure)
    if (!readsFirst) await begun
    if (statementMsMax !== undefined) {
      await control`select set_config('statement_timeout', ${`${statementMsMax}`}, true),
        set_config('lock_timeout', ${`${statementMsMax}`}, true)`
    }
    const closing: LastStatement[] = []
    const result = await work(createSql(run), (last) => closing.push(last))
    // Set before `commit` is sent, so that a query of a parallel branch cannot follow it.
    hasEnded = true
    if (failure !== undefined) throw failure
    const answers: Promise<unknown>[] = []
    for (const last of closing) answers.push((await sendLast(connection, last)).answered)
    const { command } = await control.unsafe('commit')
    await Promise.all(answers)
    // PostgreSQL answers the commit of a failed transaction with ROLLBACK, not with an error.
    if (command !== 'COMMIT') throw failure ?? new Error('the transaction was rolled back')
    return result
  } catch (error) {
    hasEnded = true
    if (!connection.isLost) await control.unsafe('rollback').catch(() => connection.drop())
    throw error
  }
}

/** Returns once the statement is sent, so that the commit follows it. */
async function sendLast(
  connection: Connection,
  statement: LastStatement,
): Promise<{ answered: Promise<unknown> }> {
  let answered: Promise<unknown> = Promise.resolve()
  const sent = new Promise<void>((resolve) => {
    const run: Run = (send) => {
      resolve()
      return connection.run(send)
    }
    answered = statement(createSql(run))
  })
  await Promise.race([sent, answered])
  return { answered }
}
