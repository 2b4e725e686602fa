import { createHash } from 'node:crypto'
import type { ArchivePart, ArchiveSource } from '../bytes/send/archives.ts'
import { EntryNames } from '../bytes/archive/names.ts'
import type { DeliveryRow } from './deliveries-sql.ts'
import type { ReverseShare } from './sql.ts'

const senderLengthMax = 60

/**
 * A folder for each complete delivery, for example `2026-11-20 Ada`, in the order of completion: a
 * later delivery changes neither the place nor the name of an earlier one.
 */
export function archiveFolders(
  reverse: ReverseShare,
  deliveries: readonly DeliveryRow[],
): Pick<ArchiveSource, 'revision' | 'modifiedAt' | 'parts'> {
  const names = new EntryNames()
  const hash = createHash('sha256')
  let modifiedAt = reverse.createdAt
  const parts: ArchivePart[] = []
  for (const { containerId, revision, senderName, finalizedAt } of inOrder(deliveries)) {
    const name = names.assign(labelOf(finalizedAt, senderName))
    hash.update(JSON.stringify([containerId, revision, name]))
    parts.push({ containerId, prefix: `${name}/` })
    if (finalizedAt > modifiedAt) modifiedAt = finalizedAt
  }
  return { revision: `${reverse.id} ${hash.digest('hex')}`, modifiedAt, parts }
}

function inOrder(deliveries: readonly DeliveryRow[]): (DeliveryRow & { finalizedAt: Date })[] {
  return deliveries
    .flatMap((delivery) => {
      const { finalizedAt } = delivery
      return finalizedAt ? [{ ...delivery, finalizedAt }] : []
    })
    .toSorted((a, b) => a.finalizedAt.getTime() - b.finalizedAt.getTime() || (a.id < b.id ? -1 : 1))
}

/** A single path segment, for any name of a guest. */
function labelOf(finalizedAt: Date, senderName: string): string {
  const date = finalizedAt.toISOString().slice(0, 10)
  const sender = senderName
    .replaceAll(/[\\/\p{Cc}]/gu, '_')
    .slice(0, senderLengthMax)
    // The first half of a surrogate pair that was split.
    .replace(/[\uD800-\uDBFF]$/, '')
  return `${date} ${sender.trim() || 'guest'}`
}
