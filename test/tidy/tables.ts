// Whose tables a module's statements may name: its own, and those of the modules below it.
import { wrongDirection } from './modules.ts'

/**
 * Statements that name tables of a module above theirs, by file. One that no longer does is
 * removed here: the list only gets shorter.
 */
export const upward: Readonly<Record<string, readonly string[]>> = {
  'src/audit/sql.ts': ['users'],
  'src/backup/sql.ts': ['deliveries', 'shares'],
  'src/bytes/upkeep/unused-segments-sql.ts': ['downloads', 'shares'],
  'src/bytes/upkeep/freeing-sql.ts': ['backup_runs', 'downloads', 'leases'],
  'src/bytes/send/damage-sql.ts': ['deliveries', 'shares'],
  'src/bytes/upkeep/verify/findings-sql.ts': ['deliveries', 'reverse_shares', 'shares'],
  'src/bytes/upkeep/verify/sql.ts': ['shares'],
}

/** The module that owns each table: the schema has a section for each. */
export function ownersOf(schema: string): ReadonlyMap<string, string> {
  const owners = new Map<string, string>()
  let owner = ''
  for (const [, section, table] of schema.matchAll(
    /^-- .*\(src\/([\w-]+)\)$|^create table (\w+)/gm,
  )) {
    if (section !== undefined) owner = section
    else if (table !== undefined) owners.set(table, owner)
  }
  return owners
}

const tablePattern = /\b(?:from|join|into|update|using|table)\s+(?:only\s+)?(\w+)/g

/** The tables of modules above its own that a file of statements names, in order. */
export function foreignTables(
  file: string,
  text: string,
  owners: ReadonlyMap<string, string>,
): string[] {
  const names = new Set([...text.matchAll(tablePattern)].map(([, name]) => name!))
  return [...names].toSorted().filter((name) => {
    const owner = owners.get(name)
    return owner !== undefined && wrongDirection(file, `src/${owner}/sql.ts`) !== null
  })
}
