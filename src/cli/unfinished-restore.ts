import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../config/load.ts'
import { CommandError } from './command-error.ts'

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
