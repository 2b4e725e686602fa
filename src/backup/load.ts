import { keepOneRoot, makeCurrent } from '../bytes/segments/roots-sql.ts'
import type { Bulk } from '../database/bulk.ts'
import type { Sql } from '../database/connect.ts'
import { DumpMismatch, loadTables } from '../database/dump.ts'
import { beginLongWork, findAnyRelation } from '../database/dump-sql.ts'
import { applyMigrations } from '../database/migrate.ts'
import { BackupProblem } from './problem.ts'
import type { Snapshot } from './snapshot.ts'
import * as rows from './sql.ts'

export interface LoadOptions {
  readonly migrationsFolder: string
  /** Adds to the transaction, for example a setting. */
  readonly finish: (sql: Bulk['sql']) => Promise<void>
}

/** @throws BackupProblem unless the database has no table */
export async function requireEmpty(bulk: Bulk, database: string): Promise<void> {
  const name = await findAnyRelation(bulk.sql)
  if (name === null) return
  throw new BackupProblem(
    `${database} is not empty: it has ${name}. Restore into an empty database.`,
  )
}

/**
 * Makes the tables of the backup's version and loads its rows, in one transaction: a database that
 * was being loaded when the process was killed is empty.
 * @throws BackupProblem; MigrationMismatch when the backup is newer than this program
 */
export async function loadDatabase(
  bulk: Bulk,
  snapshot: Snapshot,
  { migrationsFolder, finish }: LoadOptions,
): Promise<void> {
  const { head } = snapshot
  await beginLongWork(bulk.sql)
  await applyMigrations(bulk.sql, migrationsFolder, head.migrations)
  try {
    await loadTables(bulk, head.tables, (table) => snapshot.readTable(table))
  } catch (error) {
    if (isRefusedRow(error)) throw damaged(error)
    if (!(error instanceof DumpMismatch)) throw error
    throw new BackupProblem(`the backup does not fit its migrations: ${error.message}`, {
      cause: error,
    })
  }
  await settle(bulk.sql, head.storageRoot)
  await finish(bulk.sql)
  const { command } = await bulk.sql.unsafe('commit')
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back')
}

/** All files are in one place again, and nothing holds them. */
async function settle(sql: Sql, storageRoot: string): Promise<void> {
  await keepOneRoot(sql, storageRoot)
  await makeCurrent(sql, storageRoot)
  await rows.endHolds(sql)
  await rows.forgetManifests(sql)
}

/** A row that PostgreSQL cannot read, or that breaks a constraint: classes 22 and 23. */
function isRefusedRow(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^2[23][0-9A-Z]{3}$/.test(String(error.code))
}

function damaged(error: Error): BackupProblem {
  const table = (error as { table_name?: unknown }).table_name
  const where = typeof table === 'string' ? `of the table ${table}` : 'of a table'
  const message = `the rows ${where} of the backup are damaged: ${error.message}`
  return new BackupProblem(message, { cause: error })
}
