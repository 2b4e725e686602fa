import { createHash } from 'node:crypto'
import type { ShareCopies } from '../shares/copies/copies.ts'
import { type ArchiveFormat, findFileContent, type FileWithContent } from '../bytes/send/content.ts'
import { EntryNames } from '../bytes/archive/names.ts'
import type { ArchivePart, ArchiveSource, Asking } from '../bytes/send/archives.ts'
import { filesOfEach } from '../bytes/file-listing.ts'
import type { ListedFileRow } from '../bytes/files-sql.ts'
import type { UserActor } from '../lib/actor.ts'
import { CodedError, requireFound, unavailable } from '../lib/errors.ts'
import { readPages, type Pages } from '../lib/pages.ts'
import type { Sql } from '../database/connect.ts'
import { removeDelivery } from './delivery-drafts.ts'
import * as deliveryRows from './deliveries-sql.ts'
import type { ReverseShare } from './sql.ts'
import type { RequestBasis } from './deps.ts'

const deliveriesPage = [50, 50] as const
const senderLengthMax = 60

type Deps = RequestBasis & { readonly shareCopies: ShareCopies }

export interface DeliveryWithFiles {
  readonly delivery: deliveryRows.DeliveryRow
  readonly files: Pages<ListedFileRow>
}

/** Deliveries, as the owner of the link sees them. */
export class Received {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Files of complete deliveries, those of the newest delivery first. */
  async *listFiles(reverse: ReverseShare): Pages<ListedFileRow> {
    for await (const deliveries of this.listDeliveries(reverse)) {
      for (const { files } of deliveries) yield* files
    }
  }

  async *listDeliveries(reverse: ReverseShare): Pages<DeliveryWithFiles> {
    const { sql } = this.#deps.database
    for await (const deliveries of this.#pages(reverse)) {
      const containerIds = deliveries.map((delivery) => delivery.containerId)
      const filesBy = await filesOfEach(sql, containerIds)
      yield deliveries.map((delivery) => ({ delivery, files: filesBy(delivery.containerId) }))
    }
  }

  #pages(reverse: ReverseShare, sql = this.#deps.database.sql): Pages<deliveryRows.DeliveryRow> {
    return readPages(
      (last, limit) => deliveryRows.listDeliveries(sql, reverse.id, last, limit),
      deliveriesPage,
    )
  }

  /**
   * A delivery to a link, in any state.
   * @throws CodedError not_found
   */
  async findDelivery(reverse: ReverseShare, deliveryId: string): Promise<deliveryRows.DeliveryRow> {
    const { sql } = this.#deps.database
    return requireOf(reverse.id, await deliveryRows.findDelivery(sql, deliveryId))
  }

  /** Marks deliveries to a link as seen; ignores others, and drafts. */
  async markSeen(reverse: ReverseShare, deliveryIds: readonly string[]): Promise<void> {
    const { database, clock } = this.#deps
    const now = new Date(clock.now())
    await deliveryRows.markSeen(database.sql, reverse.id, deliveryIds, now)
  }

  /**
   * Makes a share of a complete delivery, or of some of its files, and returns its id. Delivery and
   * share are independent from then on. When the signal aborts first, no share is made.
   * @throws CodedError conflict for a draft; sharing_not_allowed; errors of `ShareCopies.make`
   */
  async shareOn(
    actor: UserActor,
    reverse: ReverseShare,
    delivery: deliveryRows.DeliveryRow,
    wanted: { name: string | null; fileIds: readonly number[] | null; signal: AbortSignal },
  ): Promise<string> {
    if (delivery.state !== 'complete') {
      throw new CodedError('conflict', { message: 'The delivery is not complete yet.' })
    }
    if (!delivery.allowSharing) throw new CodedError('sharing_not_allowed')
    return this.#deps.shareCopies.make(actor, {
      containerId: delivery.containerId,
      fileIds: wanted.fileIds,
      name: wanted.name ?? (reverse.name || delivery.senderName),
      signal: wanted.signal,
      origin: { delivery: delivery.id },
    })
  }

  /**
   * Deletes one delivery, finished or not, which frees space for others; aborts its running
   * downloads.
   * @throws CodedError not_found
   */
  async deleteDelivery(actor: UserActor, reverse: ReverseShare, deliveryId: string): Promise<void> {
    const { database, storage, downloads } = this.#deps
    const { containerId, aborts } = await database.begin(async (sql) => {
      const locked = await deliveryRows.lockWithLink(sql, deliveryId)
      const delivery = requireOf(reverse.id, locked)
      await removeDelivery(sql, this.#deps, actor, delivery, 'delivery.deleted')
      const aborts = [
        await downloads.abortAfter(sql, [deliveryId]),
        // Archives of all deliveries; clients may retry, because other deliveries may remain.
        await downloads.abortAfter(sql, [reverse.id], 'unavailable'),
      ]
      return { containerId: delivery.containerId, aborts }
    })
    for (const abort of aborts) abort()
    await storage.removeNow([containerId])
  }

  /**
   * One file in a delivery to the actor.
   * @throws CodedError not_found
   */
  async findFile(
    actor: UserActor,
    fileId: number,
  ): Promise<FileWithContent & { delivery: deliveryRows.DeliveryRow }> {
    const delivery = await this.findDeliveryOf(actor, fileId)
    const { sql } = this.#deps.database
    const found = requireFound(await findFileContent(sql, delivery.containerId, fileId))
    return { delivery, ...found }
  }

  /**
   * The delivery to the actor that has this file.
   * @throws CodedError not_found
   */
  async findDeliveryOf(actor: UserActor, fileId: number): Promise<deliveryRows.DeliveryRow> {
    const { sql } = this.#deps.database
    return requireFound(await deliveryRows.findDeliveryOfFile(sql, actor.userId, fileId))
  }

  /** The archive of a complete delivery. Throws CodedError not_found for a draft, or once gone. */
  async deliveryContent(
    { id, containerId, revision, finalizedAt, createdAt }: deliveryRows.DeliveryRow,
    format: ArchiveFormat,
    asking: Asking,
  ) {
    if (revision === null) throw new CodedError('not_found')
    const parts = [{ containerId, prefix: '' }]
    const modifiedAt = finalizedAt ?? createdAt
    const findRevision = async (sql: Sql) => {
      requireFound(await deliveryRows.findDelivery(sql, id))
      return { revision, modifiedAt }
    }
    const source = { format, parts, revision, modifiedAt, selection: null, findRevision }
    return this.#deps.downloads.archives.content(source, asking)
  }

  /** A folder for each complete delivery. Throws CodedError unavailable if one comes or goes. */
  async wholeContent(reverse: ReverseShare, format: ArchiveFormat, asking: Asking) {
    const readFolders = async (sql?: Sql) => {
      const deliveries: deliveryRows.DeliveryRow[] = []
      for await (const page of this.#pages(reverse, sql)) deliveries.push(...page)
      return archiveFolders(reverse, deliveries)
    }
    const folders = await readFolders()
    const findRevision = async (sql: Sql) => {
      const now = await readFolders(sql)
      if (now.revision === folders.revision) return now
      throw unavailable(1)
    }
    const source = { format, selection: null, ...folders, findRevision }
    return this.#deps.downloads.archives.content(source, asking)
  }
}

function requireOf(
  reverseShareId: string,
  delivery: deliveryRows.DeliveryRow | null,
): deliveryRows.DeliveryRow {
  if (delivery?.reverseShareId !== reverseShareId) throw new CodedError('not_found')
  return delivery
}

/**
 * A folder for each complete delivery, for example `2026-11-20 Ada`, in the order of completion: a
 * later delivery changes neither the place nor the name of an earlier one.
 */
function archiveFolders(
  reverse: ReverseShare,
  deliveries: readonly deliveryRows.DeliveryRow[],
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

function inOrder(
  deliveries: readonly deliveryRows.DeliveryRow[],
): (deliveryRows.DeliveryRow & { finalizedAt: Date })[] {
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
