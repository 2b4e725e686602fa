import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database, Sql } from '../../src/database/connect.ts'

type Run = (...given: unknown[]) => unknown

/** One for all databases: each costs time at every promise of the process. */
const transactions = new AsyncLocalStorage<{ readonly database: Database; isOpen: boolean }>()

/**
 * A database that refuses queries on a second connection while a transaction of the same work holds
 * one: with as many transactions as connections, all of them would wait for each other.
 */
export function withOneConnectionEach(database: Database): Database {
  const check = () => {
    const held = transactions.getStore()
    if (!held?.isOpen || held.database !== database) return
    throw new Error('a second connection in a transaction')
  }
  const checked =
    <Arguments extends unknown[], T>(run: (...given: Arguments) => T) =>
    (...given: Arguments): T => {
      check()
      return run(...given)
    }
  // Tests may replace what the database does.
  const sql = (...given: unknown[]) => (database.sql as unknown as Run)(...given)
  const unsafe = (...given: unknown[]) => (database.sql.unsafe as unknown as Run)(...given)
  return {
    ...database,
    sql: Object.assign(checked(sql), { unsafe: checked(unsafe) }) as unknown as Sql,
    begin: checked((work, options) => {
      const transaction = { database, isOpen: true }
      const ended = transactions.run(transaction, () => database.begin(work, options))
      return ended.finally(() => (transaction.isOpen = false))
    }) as Database['begin'],
  }
}
