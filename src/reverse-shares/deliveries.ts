import type { Tokens } from '../accounts/sign-in/tokens.ts'
import type { LinkMisses } from '../shares/link-misses.ts'
import type { Unlocked, Unlocking, UnlockProofs } from '../shares/link-password.ts'
import type { EventDetails, Audit, Target } from '../audit/audit.ts'
import type { Database, Sql } from '../database/connect.ts'
import type { Manifests } from '../blobs/manifests.ts'
import type { GuestActor } from '../lib/actor.ts'
import type { Clock } from '../lib/clock.ts'
import { CodedError } from '../lib/errors.ts'
import type { PackedList } from '../lib/packed-list.ts'
import { randomRowId } from '../lib/random-id.ts'
import type { Settings } from '../settings/settings.ts'
import type { Storage } from '../blobs/storage.ts'
import { assembleFiles } from '../blobs/receive/finalize.ts'
import type { ContainerGrowth, UploadTarget } from '../blobs/receive/commit.ts'
import {
  prepareFileList,
  type FileList,
  type ListedFileInput,
} from '../blobs/receive/finalize-body.ts'
import { requireExtension, requireExtensions } from '../blobs/receive/extensions.ts'
import { checkFiles, guestRules, refuseLargeShare } from '../blobs/receive/file-rules.ts'
import { lockContainer } from '../blobs/receive/sql.ts'
import type { Uploads } from '../blobs/receive/uploads.ts'
import { findExceededQuota } from '../accounts/users/quota.ts'
import { EntryNames } from '../blobs/archive/names.ts'
import * as rows from './deliveries-sql.ts'
import { readDeliveryProofs, signDelivery, type DeliveryProofs } from './delivery-proofs.ts'
import { requireFields, type Sender } from './required-fields.ts'
import { ended, requireLasting, requireOpen, requireTaking } from './gate.ts'
import { refuseFull } from './link-limit.ts'
import type { DeliveryEmails } from './delivery-emails.ts'
import {
  closeAfterDelivery,
  findReverseShare,
  lockForGrowth,
  lockForGuest,
  type ReverseShare,
} from './sql.ts'

export interface DeliveriesDeps {
  readonly database: Database
  readonly audit: Audit
  readonly storage: Storage
  readonly uploads: Uploads
  readonly manifests: Manifests
  readonly unlocking: Unlocking
  readonly linkMisses: LinkMisses
  readonly tokens: Tokens
  readonly settings: Settings
  readonly deliveryEmails: Pick<DeliveryEmails, 'deliveryReceived' | 'send'>
  readonly clock: Clock
}

/** What a guest sees of a complete delivery. */
export interface Completed {
  /** Message of the link's owner; may be empty. */
  readonly thankYouMessage: string
  readonly reference: string
  readonly renamed: FileList['renamed']
}

/** A delivery in progress, and its link. */
export interface OpenDelivery {
  readonly reverse: ReverseShare
  readonly delivery: rows.DeliveryRow
}

/**
 * Deliveries, as guests make them. Every step checks that the link exists and is open: before the
 * body is read, and in the transaction that writes.
 */
export class Deliveries {
  readonly #deps: DeliveriesDeps

  constructor(deps: DeliveriesDeps) {
    this.#deps = deps
  }

  /**
   * The link, for anyone who knows its id.
   * @throws CodedError not_found, expired, closed
   */
  async findLink(reverseId: string, ip: string): Promise<ReverseShare> {
    const { database, linkMisses } = this.#deps
    const found = await findReverseShare(database.sql, reverseId)
    linkMisses.takeOnMiss(ip, reverseId, found?.id ?? null)
    return this.#requireOpen(found)
  }

  async isUnlocked(reverse: ReverseShare, proofs: UnlockProofs): Promise<boolean> {
    return this.#deps.unlocking.isUnlocked(reverse, proofs)
  }

  /**
   * Returns what opens the link for an hour: enough to begin a delivery.
   * @throws CodedError wrong_password
   */
  async unlock(reverse: ReverseShare, password: string, ip: string): Promise<Unlocked> {
    return this.#deps.unlocking.unlock(reverse, password, ip)
  }

  /**
   * Begins a delivery, and returns its id with the token for its further requests. The owner may
   * share it only if the guest was told so: the page may have been opened before the request
   * allowed it.
   * @throws CodedError not_found, expired, closed, invalid_input for missing required fields
   */
  async init(
    reverseId: string,
    sender: Sender,
    wasTold: boolean,
  ): Promise<{ deliveryId: string; uploadToken: string }> {
    const { database, storage, tokens, clock } = this.#deps
    const id = randomRowId()
    const containerId = randomRowId()
    await database.begin(async (sql) => {
      const reverse = this.#requireOpen(await lockForGuest(sql, reverseId))
      requireFields(reverse.requiredFields, sender)
      await storage.createContainer(sql, containerId)
      await rows.insertDelivery(sql, {
        id,
        containerId,
        reverseShareId: reverse.id,
        ...sender,
        allowSharing: reverse.allowSharing && wasTold,
        createdAt: new Date(clock.now()),
      })
    })
    return { deliveryId: id, uploadToken: await signDelivery(tokens, id) }
  }

  /**
   * The delivery to this link that one of the proofs belongs to. Also finds the delivery that has
   * closed the link: its guest may not know yet that it is complete.
   * @throws CodedError not_found, expired, closed; unauthorized without a valid proof
   */
  async findDelivery(reverseId: string, proofs: DeliveryProofs): Promise<OpenDelivery> {
    const { database, tokens } = this.#deps
    const reverse = this.#requireLasting(await findReverseShare(database.sql, reverseId))
    const deliveryIds = await readDeliveryProofs(tokens, proofs)
    for (const deliveryId of deliveryIds) {
      const delivery = await rows.findDelivery(database.sql, deliveryId)
      if (delivery?.reverseShareId !== reverse.id) continue
      if (delivery.state === 'draft') requireTaking(reverse)
      return { reverse, delivery }
    }
    throw new CodedError(deliveryIds.length > 0 ? 'not_found' : 'unauthorized')
  }

  /** The same, while it takes chunks. Throws CodedError already_complete too. */
  async findDraft(reverseId: string, proofs: DeliveryProofs): Promise<OpenDelivery> {
    const found = await this.findDelivery(reverseId, proofs)
    requireDraft(found.delivery)
    return found
  }

  /** Where the chunks of a delivery go, and what is checked again at each commit. */
  uploadTarget({ reverse, delivery }: OpenDelivery): UploadTarget {
    const { settings } = this.#deps
    let { ownerQuota } = reverse
    return {
      containerId: delivery.containerId,
      round: null,
      sender: 'guest',
      get maxFileSize() {
        return settings.values.maxFileSize
      },
      checkFile: (file) => {
        checkFiles([file], guestRules(settings.values))
        requireExtension(file.originalName, reverse.allowedExtensions)
      },
      recheck: async (sql) => {
        const [nowReverse, nowDelivery] = await Promise.all([
          lockForGuest(sql, reverse.id),
          rows.lockDeliveryForChunk(sql, delivery.id),
        ])
        ownerQuota = this.#requireOpen(nowReverse).ownerQuota
        requireDraft(nowDelivery)
      },
      checkLimits: (sql, growth) =>
        this.#checkLimits(sql, { reverse: { ...reverse, ownerQuota }, delivery }, growth),
    }
  }

  /**
   * Completes a delivery with its list of files, once they are proved complete. The same list again
   * gets the same answer. If several complete a link for one delivery at the same time, the first
   * one succeeds and the others stay drafts.
   * @throws CodedError not_found, expired, closed, incomplete_upload, size_mismatch, unlisted,
   *   already_complete, blocked_extension, extension_not_allowed, file_too_large, share_too_large
   */
  async finalize(
    actor: GuestActor,
    found: OpenDelivery,
    input: { files: PackedList<ListedFileInput> | null; discardUnlisted: boolean },
  ): Promise<Completed> {
    const { storage, uploads, manifests, settings, deliveryEmails } = this.#deps
    const { containerId } = found.delivery
    const files = input.files ?? (await uploads.listReceived(containerId, input))
    const list = await prepareFileList(files, guestRules(settings.values))
    await uploads.checkReceived(containerId)
    const thanks = await uploads.begin(containerId, async (sql) => {
      await lockContainer(sql, containerId)
      const reverse = this.#requireLasting(await findReverseShare(sql, found.reverse.id))
      const delivery = await rows.findDelivery(sql, found.delivery.id)
      if (!delivery) throw new CodedError('not_found')
      const isRepeated = input.files
        ? (delivery.listHash?.equals(list.hash) ?? false)
        : delivery.listHash !== null
      if (isRepeated) return reverse.thankYouMessage
      requireDraft(delivery)
      await requireExtensions(list, reverse.allowedExtensions)
      requireTaking(reverse)
      await storage.databaseSpace.require()
      await uploads.syncContainer(containerId, sql)
      const createdAt = new Date(this.#deps.clock.now())
      const { discardUnlisted } = input
      const options = { discardUnlisted, createdAt, names: new EntryNames() }
      await assembleFiles(sql, containerId, list, options)
      return this.#complete(sql, actor, found, list, createdAt)
    })
    manifests.wake()
    deliveryEmails.send()
    const reference = referenceOf(found.delivery.id)
    return { thankYouMessage: thanks, reference, renamed: list.renamed }
  }

  /** The last and short part, under locks, with all read again. Returns the thank-you message. */
  async #complete(
    sql: Sql,
    actor: GuestActor,
    found: OpenDelivery,
    list: FileList,
    finalizedAt: Date,
  ): Promise<string> {
    const { audit, uploads } = this.#deps
    const reverse = this.#requireOpen(await lockForGuest(sql, found.reverse.id))
    const delivery = requireDraft(await rows.lockDeliveryForChange(sql, found.delivery.id))
    await this.#closeLink(sql, reverse, list)
    const revision = randomRowId()
    const { id } = delivery
    await rows.completeDelivery(sql, { id, listHash: list.hash, revision, finalizedAt })
    if (reverse.notify) await this.#notify(sql, { reverse, delivery }, list)
    const { target, details } = auditedDelivery(delivery)
    const sizes = { files: list.count, bytes: list.bytes }
    await audit.record(sql, actor, 'delivery.finalized', target, { ...details, ...sizes })
    uploads.countFinished()
    return reverse.thankYouMessage
  }

  /** Closes a link that is for one delivery. Of several simultaneous ones the first succeeds. */
  async #closeLink(sql: Sql, reverse: ReverseShare, list: FileList): Promise<void> {
    // An empty list does not close the link, and sends no email.
    if (!reverse.once || list.count === 0) return
    const now = new Date(this.#deps.clock.now())
    if (await closeAfterDelivery(sql, reverse.id, now)) return
    throw ended('closed', reverse, now)
  }

  async #notify(sql: Sql, { reverse, delivery }: OpenDelivery, list: FileList): Promise<void> {
    const { senderName, senderEmail, note } = delivery
    const [firstPage = []] = list.pages()
    await this.#deps.deliveryEmails.deliveryReceived(sql, {
      ownerId: reverse.ownerId,
      reverseShareId: reverse.id,
      reverseShareName: reverse.name,
      deliveryId: delivery.id,
      senderName,
      senderEmail,
      note,
      fileCount: list.count,
      size: list.bytes,
      firstFiles: firstPage.map((file) => ({ name: file.originalName, size: file.size })),
    })
  }

  /** Exact sums, under locks. A guest learns only that the link is full, not what others use. */
  async #checkLimits(
    sql: Sql,
    { reverse, delivery }: OpenDelivery,
    growth: ContainerGrowth,
  ): Promise<void> {
    const { maxShareSize, userQuota } = this.#deps.settings.values
    refuseLargeShare(growth.liveBytes, maxShareSize)
    const maxSize = await lockForGrowth(sql, reverse.id)
    if (maxSize !== null) {
      const { othersLive, used } = await rows.sumBytes(sql, reverse.id, delivery.id)
      refuseFull(maxSize, othersLive + growth.liveBytes, used + growth.addedBytes)
    }
    const account = { userId: reverse.ownerId, quota: reverse.ownerQuota }
    const exceeded = await findExceededQuota(sql, account, growth.addedBytes, userQuota)
    if (exceeded !== null) {
      const message = 'The account that receives these files has no space left.'
      throw new CodedError('quota_exceeded', { message })
    }
  }

  #requireOpen(found: ReverseShare | null): ReverseShare {
    return requireOpen(found, this.#deps.clock.now())
  }

  #requireLasting(found: ReverseShare | null): ReverseShare {
    return requireLasting(found, this.#deps.clock.now())
  }
}

/** The reference that guest and owner can quote: eight digits of its id, as in `7F3A-92C1`. */
export function referenceOf(deliveryId: string): string {
  return `${deliveryId.slice(0, 4)}-${deliveryId.slice(4, 8)}`.toUpperCase()
}

/** A delivery in the audit log: with its guest's name and its link. */
export function auditedDelivery(delivery: rows.DeliveryRow): {
  target: Target
  details: EventDetails
} {
  const { id, senderName, senderEmail, reverseShareId } = delivery
  return {
    target: { id, name: senderName || senderEmail },
    details: { reverse_share: reverseShareId },
  }
}

/** @throws CodedError not_found, already_complete */
function requireDraft(delivery: rows.DeliveryRow | null): rows.DeliveryRow {
  if (!delivery) throw new CodedError('not_found')
  if (delivery.state !== 'draft') throw new CodedError('already_complete')
  return delivery
}
