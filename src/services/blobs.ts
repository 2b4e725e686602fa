// Receives, sends and checks the bytes on disk.
import { Manifests } from '../blobs/manifests.ts'
import { Uploads } from '../blobs/receive/uploads.ts'
import { Downloads, type DownloadsDeps } from '../blobs/send/downloads.ts'
import { Storage } from '../blobs/storage.ts'
import { Traffic } from '../blobs/traffic.ts'
import { StartCheck } from '../blobs/verify/start-check.ts'
import { Verify } from '../blobs/verify/verify.ts'
import { budgetsOf } from '../config/budgets.ts'
import type { Config } from '../config/load.ts'
import * as deliveryManifests from '../reverse-shares/manifests-sql.ts'
import * as shareManifests from '../shares/manifests-sql.ts'
import type { Basis, EmailServices, Surroundings } from './basis.ts'

export type BlobServices = ReturnType<typeof createBlobs>

export function createBlobs(
  surroundings: Surroundings,
  { settings }: Basis,
  emailServices: EmailServices,
) {
  const { config, database, databaseDisk, root, clock, log } = surroundings
  const { processId, isAlive, takeJob } = surroundings
  const memory = memoryOf(config)
  const storage = new Storage({
    root,
    database,
    databaseDisk,
    clock,
    log,
    diskFloorBytes: () => settings.values.diskFloor,
    ownerId: processId,
    isAlive,
    isRead: (id) => downloads.running.reads(id),
  })
  const traffic = new Traffic({ database, clock })
  const downloads = new Downloads({
    database,
    storage,
    traffic,
    clock,
    log,
    processId,
    compressesArchives: () => settings.values.zipCompression,
    memory: memory.downloads,
    damageWitness: tellOfDamage(emailServices),
  })
  const { damage } = downloads
  const chunkBytesMax = () => settings.values.maxChunkSize
  const manifests = new Manifests({ database, root, log, owners: manifestOwners })
  const startCheck = new StartCheck({ database, storage, damage, clock, log })
  return {
    storage,
    traffic,
    downloads,
    uploads: new Uploads({
      database,
      storage,
      traffic,
      clock,
      log,
      chunkBytesMax,
      skipsSystemFiles: () => settings.values.skipSystemFiles,
      memory: memory.uploads,
    }),
    manifests,
    startCheck,
    verify: new Verify({
      database,
      storage,
      clock,
      log,
      takeJob,
      damage,
      manifests,
      daysBetween: () => settings.values.verifyDays,
      onFinished: () => void startCheck.run(),
    }),
  }
}

function memoryOf({ memoryLimit }: Config) {
  const budgets = budgetsOf(memoryLimit)
  return {
    uploads: {
      bytesMax: budgets.uploadBytes,
      heapGrowthBytes: budgets.heapGrowthBytes,
    },
    downloads: {
      bytesMax: budgets.downloadBytes,
      transfersMax: budgets.downloadsMax,
      layoutBytesMax: budgets.selectionBytes,
      archiveCacheBytesMax: budgets.archiveCacheBytes,
    },
  }
}

/** Emails the owners of damaged files. */
function tellOfDamage({
  recipientEmails,
  deliveryEmails,
  emails,
}: EmailServices): DownloadsDeps['damageWitness'] {
  return {
    async filesDamaged(sql, fileIds) {
      await recipientEmails.writeDamage(sql, fileIds)
      await deliveryEmails.filesDamaged(sql, fileIds)
    },
    send: () => emails.wake(),
  }
}

/** Owners of containers, for the manifests beside their bytes. */
const manifestOwners = [
  {
    listDue: shareManifests.listManifestsDue,
    markWritten: shareManifests.markManifestWritten,
    findWritten: shareManifests.findManifestWritten,
  },
  {
    listDue: deliveryManifests.listManifestsDue,
    markWritten: deliveryManifests.markManifestWritten,
    findWritten: deliveryManifests.findManifestWritten,
  },
]
