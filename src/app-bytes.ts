// What the storage of bytes asks of the rest of the service, and whom it tells of damage.
import type { DownloadsDeps } from './blobs/send/downloads.ts'
import type { Emails } from './email/emails.ts'
import type { DeliveryEmails } from './reverse-shares/delivery-emails.ts'
import type { Settings } from './settings/settings.ts'
import type { RecipientEmails } from './shares/recipients/recipient-emails.ts'
import { Storage, type StorageOptions } from './blobs/storage.ts'
import * as deliveryManifests from './reverse-shares/manifests-sql.ts'
import * as shareManifests from './shares/manifests-sql.ts'

/** What the storage gets from the process it runs in. */
type StorageSurroundings = Omit<StorageOptions, 'diskFloorBytes' | 'isRead'>

export function createStorage(
  options: StorageSurroundings,
  settings: Settings,
  isRead: (shareId: string) => boolean,
): Storage {
  return new Storage({
    ...options,
    diskFloorBytes: () => settings.values.diskFloor,
    isRead,
  })
}

/** Who is told that a file is damaged. */
export function createDamageWitness({
  recipientEmails,
  deliveryEmails,
  emails,
}: {
  recipientEmails: RecipientEmails
  deliveryEmails: DeliveryEmails
  emails: Emails
}): DownloadsDeps['damageWitness'] {
  return {
    async filesDamaged(sql, fileIds) {
      await recipientEmails.writeDamage(sql, fileIds)
      await deliveryEmails.filesDamaged(sql, fileIds)
    },
    send: () => emails.wake(),
  }
}

/** Who keeps containers whose files are described beside their bytes. */
export const manifestOwners = [
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
