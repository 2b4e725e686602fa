import { openStorageRoot } from '../bytes/storage-root.ts'
import type { StorageRoot } from '../bytes/store/store.ts'
import type { Config } from '../config/load.ts'
import type { Database } from '../database/connect.ts'
import { systemClock } from '../lib/clock.ts'
import { CommandError } from './command-error.ts'

/**
 * Opens the place of the stored bytes: BLOBS_URL, otherwise STORAGE_DIR.
 * @param create whether a new one may be made
 * @throws StorageRootError, BucketRefused
 */
export async function openRoot(
  { blobsUrl, storageDir, ...keys }: Config,
  database: Database,
  closers: (() => Promise<void>)[],
  create: boolean,
): Promise<StorageRoot> {
  if (blobsUrl === null) return openStorageRoot(storageDir, database, { create })
  const { openBucketRoot } = await import('../bytes/store/s3/open.ts')
  const options = {
    bucket: blobsUrl,
    accessKeyId: keys.awsAccessKeyId!,
    secretAccessKey: keys.awsSecretAccessKey!,
    sessionToken: keys.awsSessionToken,
    clock: systemClock,
  }
  const root = await openBucketRoot(options, database, { create })
  closers.push(() => root.close())
  return root
}

/** @throws CommandError for a command that reads or writes the files on a disk */
export function requireFolder({ blobsUrl }: Config, what: string): void {
  if (blobsUrl === null) return
  throw new CommandError(`${what} with files in S3 (BLOBS_URL) is not supported yet.`)
}
