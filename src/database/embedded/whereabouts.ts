import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isSystemError } from '../../lib/errors.ts'
import { DatabaseMissing } from './failure.ts'
import { thisMachine, type Machine } from './machine.ts'
import { clusterDirOf, possibleHomes } from './place.ts'

/** In a data directory with its database elsewhere: names the place, even after a move. */
const noteName = 'database-place.json'

interface Note {
  /** Former path of the data directory. */
  readonly dataDir: string
  readonly database: string
}

/** The folder of this data directory's database; null without one. */
export function findHome(dataDir: string, machine: Partial<Machine> = {}): string | null {
  if (!existsSync(dataDir)) return null
  const homes = possibleHomes(dataDir, { ...thisMachine, ...machine })
  return homes.find((home) => existsSync(clusterDirOf(home))) ?? null
}

/** Writes down where the database is, if it is outside of its data directory. */
export function noteHome(dataDir: string, home: string, machine: Machine): void {
  const file = path.join(dataDir, noteName)
  const [usual] = possibleHomes(dataDir, machine)
  if (home === usual) return rmSync(file, { force: true })
  const note: Note = { dataDir: path.resolve(dataDir), database: home }
  const text = `${JSON.stringify(note)}\n`
  if (readText(file) !== text) writeFileSync(file, text, { mode: 0o600 })
}

/**
 * Refuses to make an empty database in place of a lost one, because that would look like the loss
 * of all data.
 * @param hasFiles whether there are files that only a lost database knows
 * @throws DatabaseMissing
 */
export function refuseLostDatabase(
  dataDir: string,
  hasFiles: boolean,
  machine: Partial<Machine> = {},
): void {
  if (findHome(dataDir, machine) !== null || !existsSync(dataDir)) return
  const { fallbackRoot } = { ...thisMachine, ...machine }
  const [usual, fallback] = possibleHomes(dataDir, { ...thisMachine, ...machine })
  const note = readNote(dataDir)
  if (note !== null) {
    throw new DatabaseMissing(
      `DATA_DIR (${dataDir}) has no database: it was in ${note.database} ` +
        `while DATA_DIR was ${note.dataDir}. ${wayBack(note, fallback)}`,
    )
  }
  if (!hasFiles) return
  const isRoot = process.getuid?.() === 0
  const places = isRoot ? `${usual} or ${fallback}` : usual
  const hint = isRoot
    ? `If DATA_DIR was moved, move its database from ${fallbackRoot} to ${fallback}. Else restore`
    : 'Restore'
  throw new DatabaseMissing(
    `there are files, but no database in ${places}. ${hint} it from a backup, ` +
      'or set STORAGE_DIR to an empty folder to begin with nothing.',
  )
}

function wayBack({ dataDir, database }: Note, fallback: string): string {
  if (!existsSync(clusterDirOf(database))) return 'Restore it from a backup.'
  // The original still has its note, so this is a copy.
  const isCopy = existsSync(path.join(dataDir, noteName))
  return isCopy
    ? `Copy it along while that service is stopped: cp -a ${database} ${fallback}`
    : `Move it along: mv ${database} ${fallback}`
}

function readNote(dataDir: string): Note | null {
  const text = readText(path.join(dataDir, noteName))
  if (text === null) return null
  try {
    return JSON.parse(text) as Note
  } catch {
    return null
  }
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return null
    throw error
  }
}
