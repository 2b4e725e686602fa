import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { hasKey } from '../accounts/sign-in/keys.ts'
import type { Config } from '../config/load.ts'
import { isSystemError } from '../lib/errors.ts'
import { CommandError } from './command-error.ts'
import { ignoredNames } from './data-dir.ts'

/** In DATA_DIR while a restore runs. */
export function restoringFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return path.join(dataDir, 'restoring')
}

/** @throws CommandError while a restore runs, and after one that was killed */
export function refuseUnfinishedRestore(config: Pick<Config, 'dataDir' | 'storageDir'>): void {
  const folder = restoringFolder(config)
  if (!existsSync(folder)) return
  // The key comes after the bytes of all files.
  const key = path.join(config.dataDir, 'secret.key')
  const restored = existsSync(key) ? `${folder}, ${key}` : folder
  throw new CommandError(
    `a restore into ${config.dataDir} has not finished. If it was interrupted, remove ` +
      `${restored} and everything in ${config.storageDir}, then run it again.`,
  )
}

/**
 * Nothing is ever restored over something else. An empty database is looked for later, because it
 * has to be opened for that.
 * @throws CommandError
 */
export async function requireRestorable(config: Config): Promise<void> {
  const { dataDir, storageDir, blobsUrl } = config
  refuseUnfinishedRestore(config)
  if (await hasKey(dataDir)) throw notEmpty('DATA_DIR', dataDir, 'secret.key')
  await refuseForeignOwner(dataDir)
  // The bucket is looked at when it is opened.
  if (blobsUrl !== null) return
  const names = (await namesIn(storageDir)).filter((name) => !ignoredNames.has(name))
  if (names.length > 0) throw notEmpty('STORAGE_DIR', storageDir, names[0]!)
  await refuseForeignOwner(storageDir)
}

/** A service that runs as another user could not read what root has written. */
async function refuseForeignOwner(folder: string): Promise<void> {
  const uid = process.getuid?.()
  const found = await stat(folder).catch(() => null)
  if (!found || uid === undefined || found.uid === uid) return
  throw new CommandError(
    `${folder} belongs to the user with the id ${found.uid}. Run the restore as that user.`,
  )
}

function notEmpty(option: string, folder: string, name: string): CommandError {
  return new CommandError(
    `${option} (${folder}) is not empty: it has ${name}. Restore into empty folders.`,
  )
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return []
    if (!isSystemError(error, 'ENOTDIR')) throw error
    throw new CommandError(`${folder} is not a folder`)
  }
}
