// Migrated databases, handed from test to test. Emptying one takes a hundredth of the time for
// dropping it and creating another. One whose schema has changed, or that has grown, is dropped.
import { connect, type Sql } from '../../src/database/connect.ts'
import { superuser } from '../../src/database/embedded/settings.ts'
import type { TestDatabase } from './postgres.ts'

/** Deleting more rows would take as long as a new database, and leaves their space behind. */
const tableBytesMax = 4 * 1024 ** 2
const closeMsMax = 5_000
/** Every change of a schema adds, removes or replaces a row of one of them. */
const catalogs =
  'attrdef attribute class constraint index namespace proc rewrite sequence trigger type'
    .split(' ')
    .map((name) => `pg_${name}`)

/** The state before any test. */
interface Origin {
  /** Tables that migrations have written rows to: they stay as they are. */
  readonly filled: readonly string[]
  readonly emptied: readonly string[]
  /** The next transaction's number: rows from then on are changes. */
  readonly mark: string
  /** The numbers of rows of the catalogs and the filled tables. */
  readonly rows: string
}

export class ReusedDatabases {
  readonly #free: TestDatabase[] = []
  readonly #origins = new Map<string, Origin>()

  /** An empty one, from an earlier test or created now. */
  async take(make: () => Promise<TestDatabase>): Promise<TestDatabase> {
    const free = this.#free.pop()
    if (free) return free
    const made = await make()
    this.#origins.set(made.database, await administerDatabase(made, readOrigin))
    return made
  }

  /** Empties it for the next test. */
  async giveBack(database: TestDatabase): Promise<void> {
    const origin = this.#origins.get(database.database)!
    const isEmptied = await administerDatabase(database, (sql) => emptied(sql, origin))
    if (isEmptied) this.#free.push(database)
    else await database.drop()
  }
}

async function administerDatabase<T>(
  database: TestDatabase,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const options = { ...database, user: superuser, connectionsMax: 1, applicationName: 'test' }
  const administration = connect(options)
  try {
    return await work(administration.sql)
  } finally {
    await administration.close()
  }
}

async function readOrigin(sql: Sql): Promise<Origin> {
  const tables = await sql<{ name: string; isFilled: boolean }[]>`
    select relname as name,
      (xpath('/row/filled/text()', query_to_xml(
        format('select exists (select from %I) as filled', relname), false, true, '')
      ))[1]::text = 'true' as "isFilled"
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`
  const [found] = await sql<{ mark: string }[]>`
    select pg_snapshot_xmax(pg_current_snapshot())::xid::text as mark`
  const { mark } = found!
  const filled = tables.filter(({ isFilled }) => isFilled).map(({ name }) => name)
  const emptied = tables.filter(({ isFilled }) => !isFilled).map(({ name }) => name)
  const { rows } = await readState(sql, filled, mark)
  return { filled, emptied, mark, rows }
}

async function readState(sql: Sql, filled: readonly string[], mark: string) {
  const counted = [...catalogs, ...filled].map(
    (table) => `select '${table}' as name, count(*) as total,
      count(*) filter (where age(xmin) <= age('${mark}'::xid)) as changed from "${table}"`,
  )
  const [found] = await sql.unsafe<{ rows: string; changed: number; bytesMax: number }[]>(`
    select string_agg(name || ' ' || total, ', ') as rows, sum(changed)::int as changed,
      (select max(pg_relation_size(oid)) from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace)::int8 as "bytesMax"
    from (${counted.join(' union all ')}) as counts`)
  return found!
}

/** @returns false when only a new database would be like the first one */
async function emptied(sql: Sql, { filled, emptied: tables, mark, rows }: Origin) {
  await sql`
    select pg_terminate_backend(pid, ${closeMsMax}) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
  const state = await readState(sql, filled, mark)
  if (state.changed > 0 || state.rows !== rows || state.bytesMax > tableBytesMax) return false
  // As a replica it runs no triggers, including those of foreign keys.
  await sql.unsafe(`
    set session_replication_role = replica;
    ${tables.map((table) => `delete from "${table}";`).join('\n')}
    select setval(oid::regclass, seqstart, false) from pg_sequence join pg_class on oid = seqrelid`)
  return true
}
