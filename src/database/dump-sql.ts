import type { Sql } from './query.ts'

/** A table of ours, with what a dump of its rows needs. */
export interface DumpedTable {
  readonly name: string
  /** In their order, without generated ones. */
  readonly columns: readonly string[]
  /** Columns that number themselves, with the last number given; null before the first. */
  readonly counters: readonly { readonly column: string; readonly last: string | null }[]
  /** Other tables that its rows refer to. */
  readonly refersTo: readonly string[]
}

/** Sees one moment of the database until the end of the transaction, and changes nothing. */
export async function beginSnapshot(sql: Sql): Promise<void> {
  await sql.unsafe('begin isolation level repeatable read, read only')
  await allowLongWork(sql)
}

/** A transaction that may take hours. */
export async function beginLongWork(sql: Sql): Promise<void> {
  await sql.unsafe('begin isolation level read committed')
  await allowLongWork(sql)
}

/** Whole tables are read and sorted, so plans for single rows would be slow. */
async function allowLongWork(sql: Sql): Promise<void> {
  await sql`
    select set_config('statement_timeout', '0', true),
      set_config('idle_in_transaction_session_timeout', '0', true),
      set_config('enable_seqscan', 'on', true)`
}

/** The tables of the schema, except migrations and tables of extensions, ordered by name. */
export async function listTables(sql: Sql): Promise<DumpedTable[]> {
  return sql<DumpedTable[]>`
    select relname as name,
      array(
        select attname::text
        from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
        order by attnum
      ) as columns,
      coalesce((
        select jsonb_agg(jsonb_build_object('column', attname, 'last', last_value::text))
        from pg_attribute
        join pg_sequences on format('%I.%I', schemaname, sequencename) =
          pg_get_serial_sequence(format('%I.%I', current_schema(), relname), attname)
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped
      ), '[]') as counters,
      array(
        select distinct other.relname::text
        from pg_constraint
        join pg_class as other on other.oid = confrelid
        where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid
      ) as refers_to
    from pg_class
    where relnamespace = (select oid from pg_namespace where nspname = current_schema())
      and relkind in ('r', 'p') and not relispartition
      and relname <> 'migrations'
      and not ${isOfExtension(sql)}
    order by relname collate "C"`
}

/** A table, view or sequence of the schema; null in an empty database. */
export async function findAnyRelation(sql: Sql): Promise<string | null> {
  return sql<{ name: string }[]>`
    select relname as name
    from pg_class
    where relnamespace = (select oid from pg_namespace where nspname = current_schema())
      and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      and not ${isOfExtension(sql)}
    order by relkind = 'S', relname
    limit 1`.firstValue()
}

const isOfExtension = (sql: Sql) => sql`
  exists (
    select from pg_depend
    where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e'
  )`

export async function emptyTables(sql: Sql, tables: readonly string[]): Promise<void> {
  await sql.unsafe(`truncate ${tables.map(quoted).join(', ')}`)
}

/** Whether triggers count changes of rows; not while rows are loaded with their counts. */
export async function setTriggers(
  sql: Sql,
  tables: readonly string[],
  state: 'enable' | 'disable',
): Promise<void> {
  for (const table of tables) {
    await sql.unsafe(`alter table ${quoted(table)} ${state} trigger user`)
  }
}

/** The next number follows this one. */
export async function setCounter(
  sql: Sql,
  table: string,
  counter: { readonly column: string; readonly last: string },
): Promise<void> {
  await sql`
    select setval(
      pg_get_serial_sequence(quote_ident(${table}), ${counter.column})::regclass,
      ${counter.last}::text::bigint
    )`
}

export async function analyze(sql: Sql): Promise<void> {
  await sql`analyze`
}

export function copyTableOut(table: DumpedTable): string {
  return `copy ${columnsOf(table)} to stdout`
}

export function copyTableIn(table: Pick<DumpedTable, 'name' | 'columns'>): string {
  return `copy ${columnsOf(table)} from stdin`
}

function columnsOf({ name, columns }: Pick<DumpedTable, 'name' | 'columns'>): string {
  return `${quoted(name)} (${columns.map(quoted).join(', ')})`
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
