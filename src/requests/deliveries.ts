import { ended } from '../shares/access.ts'
import type { Unlocking } from '../shares/link-proofs.ts'
import type { Sql } from '../database/connect.ts'
import type { GuestActor } from '../lib/actor.ts'
import { CodedError, requireFound } from '../lib/errors.ts'
import { randomRowId } from '../lib/random-id.ts'
import { assembleFiles } from '../bytes/receive/finalize.ts'
import type { UploadTarget } from '../bytes/receive/commit.ts'
import type { FileList } from '../bytes/receive/finalize-body.ts'
import type { FinalizeInput } from '../bytes/receive/uploads.ts'
import {
  requireExtension,
  requireExtensions,
  checkFiles,
  guestRules,
} from '../bytes/receive/file-rules.ts'
import { setLiveBytes } from '../bytes/receive/sql.ts'
import { findFileByKey, isReceived } from '../bytes/thumbnails-sql.ts'
import type { ThumbnailTarget } from '../shares/thumbnails/thumbnails.ts'
import { hourMs } from '../lib/clock.ts'
import { EntryNames } from '../bytes/archive/names.ts'
import * as rows from './deliveries-sql.ts'
import { readDeliveryProofs, signDelivery, findLinkOfGuest } from './link-of-guest.ts'
import type { DeliveryProofs, OpenDelivery } from './link-of-guest.ts'
import { requireFields, type Sender } from './required-fields.ts'
import * as gate from './gate.ts'
import { auditedDelivery, referenceOf, removeDelivery, requireDraft } from './delivery-drafts.ts'
import { checkLimits, checkSize, networkHashOf } from './delivery-limits.ts'
import { closeAfterDelivery, findReverseShare, findReverseShareByName } from './sql.ts'
import type { ReverseShare } from './sql.ts'
import type { RequestBasis } from './deps.ts'

type Deps = RequestBasis & { readonly unlocking: Unlocking }

/** What a guest sees of a complete delivery. */
export interface Completed {
  /** Message of the link's owner; may be empty. */
  readonly thankYouMessage: string
  readonly reference: string
  readonly renamed: FileList['renamed']
}

/**
 * Deliveries, as guests make them. Every step checks that the link exists and is open: before the
 * body is read, and in the transaction that writes.
 */
export class Deliveries {
  /** Opens protected links for an hour: enough to begin a delivery. */
  readonly unlocking: Unlocking
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.unlocking = deps.unlocking
    this.#deps = deps
  }

  /**
   * The link, for anyone who knows its id.
   * @throws CodedError not_found, expired, closed
   */
  async findLink(reverseId: string, ip: string): Promise<ReverseShare> {
    return gate.requireOpen(await this.#findByName(reverseId, ip), this.#now)
  }

  /**
   * The same for a guest who may continue: also finds an expired link while this guest has an
   * unfinished delivery that began in time.
   * @param proofsFor proofs of this guest's deliveries to the link with this id
   * @throws CodedError not_found, expired, closed
   */
  async findLinkFor(
    name: string,
    ip: string,
    proofsFor: (reverseId: string) => DeliveryProofs,
  ): Promise<{ reverse: ReverseShare; hasExpired: boolean }> {
    const found = await this.#findByName(name, ip)
    const hasExpired = found !== null && gate.isExpired(found, this.#deps.clock.now())
    if (hasExpired && (await this.#hasDraft(found.id, proofsFor(found.id)))) {
      return { reverse: found, hasExpired }
    }
    return { reverse: gate.requireOpen(found, this.#now), hasExpired }
  }

  async #findByName(name: string, ip: string): Promise<ReverseShare | null> {
    const { database, linkMisses } = this.#deps
    const found = await findReverseShareByName(database.sql, name)
    linkMisses.takeOnMiss(ip, name, found?.id ?? null)
    return found
  }

  async #hasDraft(reverseId: string, proofs: DeliveryProofs): Promise<boolean> {
    try {
      await this.findDraft(reverseId, proofs)
      return true
    } catch (error) {
      if (error instanceof CodedError) return false
      throw error
    }
  }

  /**
   * Begins a delivery, and returns its id with the token for its further requests. The owner may
   * share it only if the guest was told so: the page may have been opened before the request
   * allowed it.
   * @throws CodedError not_found, expired, closed, invalid_input for missing required fields
   */
  async init(
    ip: string,
    reverseId: string,
    sender: Sender,
    wasTold: boolean,
  ): Promise<{ deliveryId: string; uploadToken: string }> {
    const { database, storage, tokens, clock } = this.#deps
    const id = randomRowId()
    const containerId = randomRowId()
    await database.begin(async (sql) => {
      const reverse = gate.requireOpen(await findReverseShare(sql, reverseId, 'guest'), this.#now)
      requireFields(reverse.requiredFields, sender)
      await storage.createContainer(sql, containerId)
      await rows.insertDelivery(sql, {
        id,
        containerId,
        reverseShareId: reverse.id,
        ...sender,
        allowSharing: reverse.allowSharing && wasTold,
        createdAt: new Date(clock.now()),
        networkHash: networkHashOf(reverse.id, ip),
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
    const found = await this.#findOwn(reverseId, proofs)
    const reverse = gate.requireLastingFor(found.reverse, found.delivery, this.#now)
    if (found.delivery.state === 'draft') gate.requireTaking(reverse)
    return found
  }

  /** The same, whether or not the link has ended. */
  async #findOwn(reverseId: string, proofs: DeliveryProofs): Promise<OpenDelivery> {
    const { database, tokens } = this.#deps
    const deliveryIds = await readDeliveryProofs(tokens, proofs)
    const found = await findLinkOfGuest(database, reverseId, deliveryIds)
    if (found.delivery) return found
    gate.requireLasting(found.reverse, this.#now)
    throw new CodedError(deliveryIds.length > 0 ? 'not_found' : 'unauthorized')
  }

  /** The same, while it takes chunks. Throws CodedError already_complete too. */
  async findDraft(reverseId: string, proofs: DeliveryProofs): Promise<OpenDelivery> {
    const found = await this.findDelivery(reverseId, proofs)
    requireDraft(found.delivery)
    return found
  }

  /**
   * The unfinished delivery that its guest gives up, also when the link has ended.
   * @throws CodedError not_found, already_complete; unauthorized without a valid token
   */
  async findAbandonable(reverseId: string, proofs: DeliveryProofs): Promise<OpenDelivery> {
    const found = await this.#findOwn(reverseId, proofs)
    requireDraft(found.delivery)
    return found
  }

  /**
   * Removes an unfinished delivery with its chunks, which frees its space in the link.
   * @throws CodedError not_found, already_complete
   */
  async giveUp(actor: GuestActor, { delivery: { id } }: OpenDelivery): Promise<void> {
    const { database, storage } = this.#deps
    const containerId = await database.begin(async (sql) => {
      const delivery = requireDraft(await rows.lockWithLink(sql, id))
      await removeDelivery(sql, this.#deps, actor, delivery, 'delivery.draft_removed')
      return delivery.containerId
    })
    await storage.removeNow([containerId])
  }

  /** Where the chunks of a delivery go, and what is checked again at each commit. */
  uploadTarget({ reverse, delivery }: OpenDelivery): UploadTarget {
    const { settings } = this.#deps
    let { ownerQuota } = reverse
    let present = delivery
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
          findReverseShare(sql, reverse.id, 'guest'),
          rows.findDelivery(sql, delivery.id, 'chunk'),
        ])
        const taking = gate.requireTaking(gate.requireLastingFor(nowReverse, delivery, this.#now))
        ownerQuota = taking.ownerQuota
        present = requireDraft(nowDelivery)
      },
      checkLimits: (sql, growth) => {
        const found = { reverse: { ...reverse, ownerQuota }, delivery: present }
        return checkLimits(sql, this.#deps, found, growth)
      },
    }
  }

  /**
   * A file of this delivery, also for an hour after it was completed: then its guest's browser may
   * still be drawing. No thumbnail is larger than what has come of its file, and the first one
   * stays, because the quota counts neither.
   */
  thumbnailTarget({ reverse, delivery }: OpenDelivery, fileKey: string): ThumbnailTarget {
    const { containerId } = delivery
    return {
      containerId,
      replaces: false,
      place: async (sql, bytes) => {
        const isLocking = bytes > 0
        const nowReverse = await findReverseShare(sql, reverse.id, isLocking ? 'guest' : 'none')
        const taking = gate.requireLastingFor(nowReverse, delivery, this.#now)
        const found = await rows.findDelivery(sql, delivery.id, isLocking ? 'chunk' : 'none')
        const { finalizedAt } = requireFound(found)
        const isOver = finalizedAt && finalizedAt.getTime() + hourMs < this.#now
        if (isOver) throw new CodedError('already_complete')
        if (!finalizedAt) gate.requireTaking(taking)
        const find = async (bytesMin: number) =>
          finalizedAt
            ? findFileByKey(sql, containerId, fileKey, bytesMin)
            : (await isReceived(sql, containerId, fileKey, bytesMin)) && { fileKey }
        const place = await find(bytes)
        if (place) return place
        if (!(await find(0))) throw new CodedError('not_found')
        const message = 'A thumbnail cannot be larger than what has been received of its file.'
        throw new CodedError('payload_too_large', { message })
      },
    }
  }

  /**
   * Completes a delivery with its list of files, once they are proved complete. The same list again
   * gets the same answer. If several complete a link for one delivery at the same time, the first
   * one succeeds and the others stay drafts.
   * @throws CodedError not_found, expired, closed, incomplete_upload, size_mismatch, unlisted,
   *   already_complete, blocked_extension, extension_not_allowed, file_too_large, share_too_large
   */
  async finalize(actor: GuestActor, found: OpenDelivery, input: FinalizeInput): Promise<Completed> {
    const { storage, uploads, manifests, settings, deliveryEmails } = this.#deps
    const { containerId } = found.delivery
    const rules = guestRules(settings.values)
    const { list, completed } = await uploads.finalize(
      containerId,
      input,
      rules,
      async (sql, list) => {
        const nowReverse = await findReverseShare(sql, found.reverse.id)
        const reverse = gate.requireLastingFor(nowReverse, found.delivery, this.#now)
        const delivery = requireFound(await rows.findDelivery(sql, found.delivery.id))
        const isRepeated = input.files
          ? (delivery.listHash?.equals(list.hash) ?? false)
          : delivery.listHash !== null
        if (isRepeated) return reverse.thankYouMessage
        requireDraft(delivery)
        await requireExtensions(list, reverse.allowedExtensions)
        gate.requireTaking(reverse)
        await storage.databaseSpace.require()
        const createdAt = new Date(this.#deps.clock.now())
        const { discardUnlisted } = input
        const options = { discardUnlisted, createdAt, names: new EntryNames() }
        await assembleFiles(sql, containerId, list, options)
        return this.#complete(sql, actor, found, list, createdAt)
      },
    )
    manifests.wake()
    deliveryEmails.send()
    const reference = referenceOf(found.delivery.id)
    return { thankYouMessage: completed, reference, renamed: list.renamed }
  }

  /** The last and short part, under locks, with all read again. Returns the thank-you message. */
  async #complete(
    sql: Sql,
    actor: GuestActor,
    found: OpenDelivery,
    list: FileList,
    finalizedAt: Date,
  ): Promise<string> {
    const { audit, uploads, deliveryEmails } = this.#deps
    const link = await findReverseShare(sql, found.reverse.id, 'guest')
    const reverse = gate.requireTaking(gate.requireLastingFor(link, found.delivery, this.#now))
    const delivery = requireDraft(await rows.findDelivery(sql, found.delivery.id, 'change'))
    // It may have paused for so long that it did not count while others delivered.
    const growth = { liveBytes: list.bytes, addedBytes: 0, quota: 0 }
    await checkSize(sql, this.#deps, { reverse, delivery }, growth)
    await setLiveBytes(sql, delivery.containerId, list.bytes)
    await this.#closeLink(sql, reverse, list)
    const revision = randomRowId()
    const { id } = delivery
    await rows.completeDelivery(sql, { id, listHash: list.hash, revision, finalizedAt })
    if (reverse.notify) await deliveryEmails.deliveryReceived(sql, { reverse, delivery }, list)
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

  get #now(): number {
    return this.#deps.clock.now()
  }
}
