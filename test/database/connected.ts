// Helpers of the connection tests: a database with one table, and ways to distinguish failures.
import { connect, type Database } from '../../src/database/connect.ts'
import { CodedError } from '../../src/lib/errors.ts'
import { createTestDatabase, type TestDatabase } from '../helpers/postgres.ts'

export interface Context {
  database: TestDatabase
  db: Database
}

export async function setUp(context: Context): Promise<void> {
  context.database = await createTestDatabase()
  context.db = connect({ ...context.database, applicationName: 'test' })
  await context.db.sql`create table items (id integer primary key, name text)`
}

export async function tearDown(context: Context): Promise<void> {
  await context.db.close()
  await context.database.drop()
}

export function isUnavailable(error: unknown): boolean {
  return error instanceof CodedError && error.code === 'unavailable' && error.status === 503
}
