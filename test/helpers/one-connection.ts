import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database, Sql } from '../../src/database/connect.ts'

type Run = (...given: unknown[]) => unknown

/**
 * A database that refuses queries on a second connection while a transaction of the same work holds
 * one: with as many transactions as connections, all of them would wait for each other.
 */
export function withOneConnectionEach(database: Database): Database {
  const transactions = new AsyncLocalStorage<{ isOpen: boolean }>()
  const check = () => {
    if (transactions.getStore()?.isOpen) throw new Error('a second connection in a transaction')
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
      const transaction = { isOpen: true }
      const ended = transactions.run(transaction, () => database.begin(work, options))
      return ended.finally(() => (transaction.isOpen = false))
    }) as Database['begin'],
  }
}
