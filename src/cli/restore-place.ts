import { readdir, stat } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { RestoredObjects } from '../backup/restored-objects.ts'
import { RestoredSegments, type RestoreTarget } from '../backup/restored-segments.ts'
import { diskSpace, removeMarker, restoreMarker } from '../bytes/storage-root.ts'
import type { Config } from '../config/load.ts'
import { ignoreMissing, makeFolder } from '../lib/durable-file.ts'
import { formatBytes } from '../lib/sizes.ts'
import { CommandError } from './command.ts'
import { bucketOptions } from './open-root.ts'
import { hasKey } from '../accounts/sign-in/keys.ts'
import { ignoredNames } from './data-dir.ts'

export interface RestorePlace {
  readonly target: RestoreTarget
  /** @throws CommandError when the disk is too small for these bytes */
  requireSpace(bytes: number): Promise<void>
  /** Makes it the storage root with this id. */
  mark(rootId: string): Promise<void>
  unmark(): Promise<void>
  close(): Promise<void>
}

/** @throws BucketRefused, StorageRootError for a bucket that is not empty */
export async function openRestorePlace(config: Config): Promise<RestorePlace> {
  const { blobsUrl, storageDir } = config
  if (blobsUrl === null) return openFolder(storageDir)
  const { openEmptyBucket } = await import('../bytes/store/s3/open.ts')
  const { root, ...place } = await openEmptyBucket(bucketOptions(config, blobsUrl))
  return {
    ...place,
    target: new RestoredObjects(root),
    requireSpace: async () => {},
    close: () => root.close(),
  }
}

async function openFolder(folder: string): Promise<RestorePlace> {
  await makeFolder(folder)
  return {
    target: new RestoredSegments(folder),
    async requireSpace(bytes) {
      const { free } = await diskSpace(folder)
      if (free > bytes) return
      throw new CommandError(
        `the backup has ${formatBytes(bytes)} of files, but ${folder} has ` +
          `${formatBytes(free)} free.`,
      )
    },
    mark: (id) => restoreMarker(folder, id),
    unmark: () => removeMarker(folder),
    close: async () => {},
  }
}

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
  const names = (await readdir(storageDir).catch(ignoreMissing)) ?? []
  const other = names.find((name) => !ignoredNames.has(name))
  if (other !== undefined) throw notEmpty('STORAGE_DIR', storageDir, other)
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
