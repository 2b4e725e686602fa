import type { Sql } from '../../database/connect.ts'
import { lockContainer } from '../../bytes/receive/sql.ts'
import * as rows from '../../bytes/thumbnails-sql.ts'
import type { Actor } from '../../lib/actor.ts'
import { ByteBudget, type Transfer } from '../../lib/byte-budget.ts'
import { CodedError, requireFound } from '../../lib/errors.ts'
import { isExpired, requireOwn } from '../access.ts'
import { findShare, type Share } from '../sql.ts'
import { requireSmallJpeg } from './jpeg.ts'
import type { ShareDeps } from '../deps.ts'

/** Enough for 320 pixels at the quality that senders use. */
export const thumbnailBytesMax = 16 * 1024
/** Per share: with the bytes of each, at most 32 MiB of the database. */
export const thumbnailsMax = 2_000
/** Files of a complete share, from the last one, among which a client's id is searched. */
const searchedMax = 20_000

/** Bodies in memory at once; the others wait unread. */
const bodies = {
  bytesMax: 64 * thumbnailBytesMax,
  shareBytesMin: thumbnailBytesMax,
  shareBytesMax: thumbnailBytesMax,
  permitsPerClientMax: 8,
  permitsPerNetworkMax: 24,
  permitsKept: 16,
  waitersMax: 500,
  waitMsMax: 30_000,
}

/** A request with a thumbnail whose body has not been read. */
export interface IncomingThumbnail {
  readonly contentType: string | null
  readonly transfer: Transfer
  readonly read: (bytesMax: number) => Promise<Buffer>
}

type Deps = Pick<ShareDeps, 'database' | 'storage' | 'uploads' | 'shares' | 'clock'>

/**
 * Thumbnails of the files in shares. Senders make them, and the service never decodes an image:
 * it only reads their size. They live in rows, beside the files they belong to (see
 * docs/decisions/0018-thumbnails-in-rows.md).
 */
export class ShareThumbnails {
  readonly #deps: Deps
  readonly #bodies: ByteBudget

  constructor(deps: Deps) {
    this.#deps = deps
    this.#bodies = new ByteBudget({ ...bodies, clock: deps.clock })
  }

  /**
   * The actor's share, if it takes thumbnails.
   * @throws CodedError not_found, expired, already_complete
   */
  async findShare(actor: Actor, shareId: string): Promise<Share> {
    const share = await this.#deps.shares.findOwn(actor, shareId)
    this.#requireState(actor, share)
    return share
  }

  /**
   * Searches up to 20,000 files.
   * @param fileKey the id that the sender of the file chose
   * @throws CodedError not_found, expired, already_complete
   */
  async requireFile(actor: Actor, share: Share, fileKey: string): Promise<void> {
    await this.#placeOf(this.#deps.database.sql, actor, share, fileKey)
  }

  /**
   * Reads a thumbnail and stores it in place of an earlier one of the file.
   * @throws CodedError payload_too_large, not_a_jpeg, too_many_thumbnails, disk_full, unavailable;
   *   errors of `requireFile`
   */
  async receive(
    incoming: IncomingThumbnail,
    actor: Actor,
    { id, containerId }: Share,
    fileKey: string,
  ): Promise<void> {
    const { storage, uploads } = this.#deps
    requireJpegType(incoming.contentType)
    const permit = await this.#bodies.enter(incoming.transfer)
    try {
      await storage.databaseSpace.require()
      const jpeg = await incoming.read(thumbnailBytesMax)
      requireSmallJpeg(jpeg)
      await uploads.begin(containerId, async (sql) => {
        if (!(await lockContainer(sql, containerId))) throw new CodedError('not_found')
        const share = requireOwn(actor, id, await findShare(sql, id, 'chunk'))
        const place = await this.#placeOf(sql, actor, share, fileKey)
        const isStored = await rows.storeThumbnail(sql, containerId, place, jpeg, thumbnailsMax)
        if (!isStored) throw new CodedError('too_many_thumbnails')
      })
    } finally {
      permit.leave()
    }
  }

  /** @throws CodedError not_found without one */
  async find(share: Share, fileId: number): Promise<Buffer> {
    return requireFound(
      await rows.findThumbnail(this.#deps.database.sql, share.containerId, fileId),
    )
  }

  /**
   * The file that an id of its sender names: one that is being uploaded, or for the owner a
   * complete one. Upload tokens change nothing that is complete.
   */
  async #placeOf(
    sql: Sql,
    actor: Actor,
    share: Share,
    fileKey: string,
  ): Promise<rows.ThumbnailPlace> {
    const { containerId } = share
    const takesChunks = this.#requireState(actor, share)
    if (takesChunks && (await rows.isReceived(sql, containerId, fileKey))) return { fileKey }
    // Also of what was a draft when its row was read: finalize may have committed since.
    if (actor.kind === 'user') {
      const fileId = await rows.findFileByKey(sql, containerId, fileKey, searchedMax)
      if (fileId !== null) return { fileId }
    }
    throw new CodedError('not_found')
  }

  /** Returns whether the share takes chunks. */
  #requireState(actor: Actor, share: Share): boolean {
    if (isExpired(share, this.#deps.clock.now())) throw new CodedError('expired')
    const takesChunks = share.state === 'draft' || share.addingSince !== null
    if (!takesChunks && actor.kind !== 'user') throw new CodedError('already_complete')
    return takesChunks
  }
}

/** @throws CodedError not_a_jpeg */
function requireJpegType(contentType: string | null): void {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'image/jpeg') throw new CodedError('not_a_jpeg')
}
