// For the connection tests: a database with one table, and a way to distinguish failures.
import type { Test } from 'uvu'
import { connect, type ConnectOptions, type Database } from '../../src/database/connect.ts'
import { CodedError } from '../../src/lib/errors.ts'
import { createTestDatabase, type TestDatabase } from '../helpers/postgres.ts'

export interface Context {
  database: TestDatabase
  db: Database
  /** Connects once more, until the end of the test. */
  open: (options: Partial<ConnectOptions>) => Database
}

/** Gives the tests of a suite their context. */
export function connectTests(connected: Test<Context>): void {
  const opened: Database[] = []
  connected.before(async (context) => {
    context.database = await createTestDatabase()
    context.open = (options) => {
      const db = connect({ ...context.database, applicationName: 'test', ...options })
      opened.push(db)
      return db
    }
    context.db = connect({ ...context.database, applicationName: 'test' })
    await context.db.sql`create table items (id integer primary key, name text)`
  })
  connected.after.each(async () => {
    for (const db of opened.splice(0)) await db.close()
  })
  connected.after(async ({ database, db }) => {
    await db.close()
    await database.drop()
  })
}

export function isUnavailable(error: unknown): boolean {
  return error instanceof CodedError && error.code === 'unavailable' && error.status === 503
}
