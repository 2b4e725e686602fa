import type { Bulk } from './bulk.ts'
import * as rows from './dump-sql.ts'

export type { DumpedTable } from './dump-sql.ts'

/** The tables, each behind those that its rows refer to. @throws Error when they form a circle */
export async function listTablesInOrder(bulk: Bulk): Promise<rows.DumpedTable[]> {
  let left = await rows.listTables(bulk.sql)
  const ordered: rows.DumpedTable[] = []
  while (left.length > 0) {
    const waiting = new Set(left.map(({ name }) => name))
    const next = left.filter(({ refersTo }) => !refersTo.some((name) => waiting.has(name)))
    if (next.length === 0) throw new Error(`tables refer to each other: ${[...waiting].join(', ')}`)
    ordered.push(...next)
    left = left.filter((table) => !next.includes(table))
  }
  return ordered
}

/**
 * Replaces the rows of all tables, in the transaction of the caller.
 * @param read the rows of a table, as `copy … to stdout` has written them
 * @throws DumpMismatch for tables or columns that the database does not have
 */
export async function loadTables(
  bulk: Bulk,
  tables: readonly Pick<rows.DumpedTable, 'name' | 'columns' | 'counters'>[],
  read: (table: string) => AsyncIterable<Buffer>,
): Promise<void> {
  const present = await listTablesInOrder(bulk)
  const dumped = new Map(tables.map((table) => [table.name, table]))
  const missing = present.find(({ name }) => !dumped.has(name))
  if (missing) throw new DumpMismatch(`it lacks the table ${missing.name}`)
  if (dumped.size > present.length) throw new DumpMismatch('it has tables of another program')
  const names = [...dumped.keys()]
  await rows.emptyTables(bulk.sql, names)
  await rows.setTriggers(bulk.sql, names, 'disable')
  for (const { name, columns } of present) {
    const table = dumped.get(name)!
    const unknown = table.columns.find((column) => !columns.includes(column))
    if (unknown !== undefined) throw new DumpMismatch(`it has the unknown column ${unknown}`)
    await bulk.copyIn(rows.copyTableIn(table), read(name))
    for (const { column, last } of table.counters) {
      if (last !== null) await rows.setCounter(bulk.sql, name, { column, last })
    }
  }
  await rows.setTriggers(bulk.sql, names, 'enable')
  await rows.analyze(bulk.sql)
}

/** A dump does not fit the database. */
export class DumpMismatch extends Error {}
