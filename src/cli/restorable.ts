import { readdir, stat } from 'node:fs/promises'
import { hasKey } from '../accounts/sign-in/keys.ts'
import type { Config } from '../config/load.ts'
import { isSystemError } from '../lib/errors.ts'
import { CommandError } from './command-error.ts'
import { ignoredNames } from './data-dir.ts'
import { refuseUnfinishedRestore } from './unfinished-restore.ts'

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
