import type { Sql } from '../../database/connect.ts'
import { lockContainer } from '../../bytes/receive/sql.ts'
import * as rows from '../../bytes/thumbnails-sql.ts'
import type { Actor } from '../../lib/actor.ts'
import { readBody } from '../../http/body.ts'
import type { Call } from '../../http/operation.ts'
import { lookMsMax } from '../../http/run.ts'
import { transferOf } from '../../http/watchdog.ts'
import { ByteBudget } from '../../lib/byte-budget.ts'
import { CodedError, requireFound } from '../../lib/errors.ts'
import { isExpired, requireOwn } from '../access.ts'
import { findShare, type Share } from '../sql.ts'
import { requireSmallJpeg } from './jpeg.ts'
import type { ShareBasis, ShareDeps } from '../deps.ts'

/** Enough for 320 pixels at the quality that senders use. */
export const thumbnailBytesMax = 16 * 1024
/** Per share or delivery: with the bytes of each, at most 32 MiB of the database. */
export const thumbnailsMax = 2_000
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

/** The upload whose file gets a thumbnail. */
export interface ThumbnailTarget {
  readonly containerId: string
  /** Whether another thumbnail of a file takes the place of the first one. */
  readonly replaces: boolean
  /**
   * The file that the sender's id names; asked before the body is read, and under the lock of the
   * container.
   * @param bytes of the thumbnail; 0 while they are unknown, and nothing is locked
   * @throws CodedError if it takes no thumbnail (now)
   */
  place(sql: Sql, bytes: number): Promise<rows.ThumbnailPlace>
}

/**
 * Thumbnails of files. Senders make them, and the service never decodes an image: it only reads
 * their size. They live in rows, beside the files they belong to (see
 * docs/decisions/0018-thumbnails-in-rows.md).
 */
export class Thumbnails {
  readonly #deps: ShareBasis
  readonly #bodies: ByteBudget

  constructor(deps: ShareBasis) {
    this.#deps = deps
    this.#bodies = new ByteBudget({ ...bodies, clock: deps.clock })
  }

  /**
   * Reads a thumbnail and stores it in place of an earlier one of the file.
   * @throws CodedError payload_too_large, not_a_jpeg, too_many_thumbnails, disk_full, unavailable;
   *   errors of the target
   */
  async receive(
    { context, lookAgain }: Pick<Call, 'context' | 'lookAgain'>,
    target: ThumbnailTarget,
  ): Promise<void> {
    const { database, storage, uploads } = this.#deps
    const { containerId, replaces } = target
    await target.place(database.sql, 0)
    requireJpegType(context.header('content-type'))
    const permit = await this.#bodies.enter(transferOf(context))
    try {
      await storage.databaseSpace.require()
      const jpeg = await readBody(context, thumbnailBytesMax)
      // A session may have ended meanwhile.
      await lookAgain(lookMsMax)
      requireSmallJpeg(jpeg)
      await uploads.begin(containerId, async (sql) => {
        if (!(await lockContainer(sql, containerId))) throw new CodedError('not_found')
        const place = await target.place(sql, jpeg.length)
        const options = { max: thumbnailsMax, replaces }
        const isStored = await rows.storeThumbnail(sql, containerId, place, jpeg, options)
        if (!isStored) throw new CodedError('too_many_thumbnails')
      })
    } finally {
      permit.leave()
    }
  }

  /** @throws CodedError not_found without one */
  async find(containerId: string, fileId: number): Promise<Buffer> {
    return requireFound(await rows.findThumbnail(this.#deps.database.sql, containerId, fileId))
  }
}

/**
 * A file of the actor's share: one that is being uploaded, or for the owner a complete one. Upload
 * tokens change nothing that is complete.
 */
export function thumbnailOfShare(
  { clock }: Pick<ShareDeps, 'clock'>,
  actor: Actor,
  { id, containerId }: Share,
  fileKey: string,
): ThumbnailTarget {
  return {
    containerId,
    replaces: true,
    async place(sql, bytes) {
      const found = await findShare(sql, id, bytes === 0 ? 'none' : 'chunk')
      const share = requireOwn(actor, id, found)
      if (isExpired(share, clock.now())) throw new CodedError('expired')
      const takesChunks = share.state === 'draft' || share.addingSince !== null
      const isOwner = actor.kind === 'user'
      if (!takesChunks && !isOwner) throw new CodedError('already_complete')
      if (takesChunks && (await rows.isReceived(sql, containerId, fileKey))) return { fileKey }
      // Also of what was a draft when its row was read: finalize may have committed since.
      return requireFound(isOwner ? await rows.findFileByKey(sql, containerId, fileKey) : null)
    },
  }
}

/** @throws CodedError not_a_jpeg */
function requireJpegType(contentType = ''): void {
  const type = contentType.split(';')[0]?.trim().toLowerCase()
  if (type !== 'image/jpeg') throw new CodedError('not_a_jpeg')
}
