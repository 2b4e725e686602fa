import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Log } from '../lib/log.ts'
import type { Database, Sql } from './connect.ts'

/** Key of the migrations' advisory lock: "migrate" in ASCII. */
const migrationKey = '30796665482998885'
const fileNamePattern = /^(\d{4})-[a-z0-9-]+\.sql$/
/** Enough to rewrite a table on a slow disk, and to wait for another process that does. */
const statementMsMax = 3_600_000

/** The database and the migrations of the program do not match. */
export class MigrationMismatch extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'MigrationMismatch'
  }
}

/**
 * Applies missing migrations `NNNN-name.sql` of a folder in order, each in its own transaction.
 * Safe in several processes at once: each transaction takes one lock and checks again. Returns the
 * names of newly applied migrations.
 * @param options `check` is called before each, and may throw to stop
 * @throws MigrationMismatch when the applied ones are not the first of the files
 */
export async function migrate(
  db: Database,
  options: { folder: string; log: Log; check?: () => void },
): Promise<string[]> {
  const files = await listMigrations(options.folder)
  const applied: string[] = []
  for (;;) {
    options.check?.()
    const name = await db.begin((sql) => applyNext(sql, files, options.folder), { statementMsMax })
    if (name === null) return applied
    options.log.info('migrated database', { migration: name })
    applied.push(name)
  }
}

/** Whether no migration was ever applied to the database. */
export async function isNew(db: Database): Promise<boolean> {
  return (await listApplied(db.sql)).length === 0
}

/** The migrations that `migrate` would apply, in order. */
export async function pendingMigrations(db: Database, folder: string): Promise<string[]> {
  const files = await listMigrations(folder)
  return await db.begin(async (sql) => pendingOf(files, await listApplied(sql)))
}

/**
 * Applies these migrations to an empty database, in the transaction of the caller. A later
 * `migrate` continues behind them.
 * @throws MigrationMismatch when they are not the first of the files
 */
export async function applyMigrations(sql: Sql, folder: string, names: readonly string[]) {
  await requireKnown(folder, names)
  for (const name of names) {
    if ((await applyNext(sql, [...names], folder)) !== name) {
      throw new MigrationMismatch('the database is not empty')
    }
  }
}

/** @throws MigrationMismatch when these are not the first of the files */
export async function requireKnown(folder: string, names: readonly string[]): Promise<void> {
  pendingOf(await listMigrations(folder), [...names])
}

/** Applies one migration and returns its name, or null when none is left. */
async function applyNext(sql: Sql, files: string[], folder: string): Promise<string | null> {
  await sql`select pg_advisory_xact_lock(${migrationKey}::bigint)`
  await sql`
    create table if not exists migrations (
      name       text primary key,
      applied_at timestamptz not null default now()
    )`
  const [name] = pendingOf(files, await listApplied(sql))
  if (name === undefined) return null
  const text = await readFile(path.join(folder, name), 'utf8')
  try {
    await sql.unsafe(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`the migration ${name} failed: ${reason}`, { cause: error })
  }
  await sql`insert into migrations (name) values (${name})`
  return name
}

export async function listApplied(sql: Sql): Promise<string[]> {
  if (!(await sql`select 1 where to_regclass('migrations') is not null`.exists())) return []
  return sql<{ name: string }[]>`
    select name from migrations order by name collate "C"`.column()
}

/** The applied migrations must be the first of the files, name by name. */
function pendingOf(files: string[], applied: string[]): string[] {
  const index = applied.findIndex((name, position) => name !== files[position])
  if (index < 0) return files.slice(applied.length)
  const found = applied[index]
  if (index >= files.length) {
    throw new MigrationMismatch(
      `the database is newer than this program: it has migration ${found}, ` +
        `and the last one here is ${files.at(-1) ?? 'none'}`,
    )
  }
  throw new MigrationMismatch(
    `the database does not belong to this program: it has migration ${found} where ` +
      `${files[index]} belongs`,
  )
}

async function listMigrations(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  const numbers = new Set<string>()
  for (const name of names) {
    const number = fileNamePattern.exec(name)?.[1]
    if (number === undefined) throw new Error(`${name} is not named like 0001-what-changes.sql`)
    if (numbers.has(number)) throw new Error(`two migrations have the number ${number}`)
    numbers.add(number)
  }
  return names
}
