import { mkdir } from 'node:fs/promises'
import { RestoredObjects } from '../backup/restored-objects.ts'
import { RestoredSegments, type RestoreTarget } from '../backup/restored-segments.ts'
import { diskSpace, removeMarker, restoreMarker } from '../bytes/storage-root.ts'
import type { Config } from '../config/load.ts'
import { formatBytes } from '../lib/sizes.ts'
import { CommandError } from './command-error.ts'
import { bucketOptions } from './open-root.ts'

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
  await mkdir(folder, { recursive: true, mode: 0o700 })
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
