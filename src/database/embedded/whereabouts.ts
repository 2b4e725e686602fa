import { existsSync } from 'node:fs'
import { DatabaseMissing } from './failure.ts'
import { clusterDirOf, homeOf } from './place.ts'

/** The folder of this data directory's database; null without one. */
export function findHome(dataDir: string): string | null {
  if (!existsSync(dataDir)) return null
  const home = homeOf(dataDir)
  return existsSync(clusterDirOf(home)) ? home : null
}

/**
 * Refuses to make an empty database in place of a lost one, because that would look like the loss
 * of all data.
 * @param hasFiles whether there are files that only a lost database knows
 * @throws DatabaseMissing
 */
export function refuseLostDatabase(dataDir: string, hasFiles: boolean): void {
  if (!hasFiles || findHome(dataDir) !== null || !existsSync(dataDir)) return
  throw new DatabaseMissing(
    `there are files, but no database in ${homeOf(dataDir)}. Restore it from a backup, ` +
      'or set STORAGE_DIR to an empty folder to begin with nothing.',
  )
}
