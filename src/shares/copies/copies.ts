import * as rows from './sql.ts'
import { createHash } from 'node:crypto'
import type { UserActor } from '../../lib/actor.ts'
import { CodedError, invalidInput, isSystemError, unavailable } from '../../lib/errors.ts'
import { randomRowId } from '../../lib/random-id.ts'
import { inOrder, Permits } from '../../lib/permits.ts'
import { endFrom } from '../../settings/expiry.ts'
import { copyFolders } from '../../bytes/files-sql.ts'
import { writeFailure } from '../../bytes/storage.ts'
import { requireMounted } from '../../bytes/storage-root.ts'
import type { SegmentLinks } from '../../bytes/store/store.ts'
import { checkFiles } from '../../bytes/receive/file-rules.ts'
import { accountBytes, setLiveBytes } from '../../bytes/receive/sql.ts'
import { findExceededQuota } from '../../accounts/users/quota.ts'
import { findQuota } from '../../accounts/users/sql.ts'
import { requireOwn } from '../access.ts'
import { completeShare, findShare, lockShareWithFiles, type Share } from '../sql.ts'
import type { ShareBasis, ShareDeps } from '../deps.ts'
import type { Sql } from '../../database/connect.ts'

/** Hard links are instant; only disks without them make others wait. */
const atOnceMax = 2
const waitersMax = 20

type Deps = ShareBasis & Pick<ShareDeps, 'shares'>

/** The source of a share: files of a container that no longer changes. */
export interface NewCopy extends rows.CopySource {
  readonly name: string
  /** The request's signal: no client would learn of the share once it has aborted. */
  readonly signal: AbortSignal
  /** For the audit log: where the files come from. */
  readonly origin: Readonly<Record<string, string>>
}

/**
 * Makes shares of files that are stored in another container, without sending a byte again. The
 * share gets its own container, with segments that are hard links to the same bytes: deleting one
 * leaves the other whole. Quotas count the files of both. In this order, so that a crash at any
 * point loses nothing:
 *
 * 1. a draft, and in one transaction with the quota's count the rows of its segments; these have no
 * owner and a known end from the start, so that no start after a crash truncates them;
 * 2. the names on disk, synced;
 * 3. one transaction copies the rows of the files, while the other container is held, and completes
 * the share.
 *
 * A crash leaves a draft without files, which is removed with other abandoned drafts.
 *
 * An account makes one copy at a time, and an aborted request leaves nothing behind: a client that
 * repeats it gets one share, which counts once.
 */
export class ShareCopies {
  readonly #deps: Deps
  readonly #turns = new Permits(inOrder(atOnceMax), { waitersMax })
  /** Accounts with a running or queued copy; bounded by the permits and the queue. */
  readonly #accounts = new Set<number>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * Returns the id of the complete share, made with the settings for new shares.
   * @throws CodedError conflict while another is made for the account, invalid_input, not_found
   *   when the files are gone, blocked_extension, file_too_large, share_too_large, quota_exceeded,
   *   disk_full, unavailable; the signal's reason
   */
  async make(actor: UserActor, copy: NewCopy): Promise<string> {
    if (this.#accounts.has(actor.userId)) {
      throw new CodedError('conflict', {
        message: 'Another share is being created from a delivery. Try again when it is complete.',
      })
    }
    this.#accounts.add(actor.userId)
    try {
      return await this.#turns.run(() => this.#make(actor, copy), undefined, copy.signal)
    } finally {
      this.#accounts.delete(actor.userId)
    }
  }

  async #listFiles(copy: NewCopy): Promise<{ ids: number[]; bytes: number }> {
    const { database, settings } = this.#deps
    const files = await rows.listCopied(database.sql, copy)
    if (copy.fileIds && files.length !== new Set(copy.fileIds).size) {
      throw invalidInput('files', 'must be file ids of this delivery')
    }
    checkFiles(files, settings.values)
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    return { ids: files.map(({ id }) => id), bytes }
  }

  async #make(actor: UserActor, copy: NewCopy): Promise<string> {
    const { database, shares, manifests } = this.#deps
    const { signal } = copy
    const { ids: fileIds, bytes } = await this.#listFiles(copy)
    signal.throwIfAborted()
    const { shareId } = await shares.init(actor, {
      name: copy.name,
      message: '',
      recipients: '',
      password: '',
      maxDownloads: 0,
    })
    const { containerId } = (await findShare(database.sql, shareId))!
    try {
      const segments = await this.#reserve(actor, copy, { shareId, bytes })
      await this.#link({
        fromContainerId: copy.containerId,
        toContainerId: containerId,
        segments,
        signal,
      })
      await this.#complete(actor, copy, { shareId, segments, fileIds })
    } catch (error) {
      await this.#undo(actor, shareId, containerId)
      throw error
    }
    manifests.wake()
    return shareId
  }

  async #reserve(
    actor: UserActor,
    copy: NewCopy,
    { shareId, bytes }: { shareId: string; bytes: number },
  ): Promise<readonly rows.LinkedSegment[]> {
    const { database, settings } = this.#deps
    const { userQuota } = settings.values
    return database.begin(async (sql) => {
      const { containerId } = await this.#lockDraft(sql, actor, shareId)
      const found = await rows.listSegmentsOf(sql, copy)
      const usedBytes = found.reduce((sum, segment) => sum + segment.bytes, 0)
      const account = { userId: actor.userId, quota: await findQuota(sql, actor.userId) }
      const added = { addedLiveBytes: bytes, addedBytes: usedBytes }
      const exceeded = await findExceededQuota(sql, account, added, userQuota)
      if (exceeded) {
        throw new CodedError('quota_exceeded', {
          message: `The quota of ${exceeded.quota} bytes has no space for ${bytes} more.`,
          details: { ...exceeded },
        })
      }
      const segments = found.map(({ id, ...segment }) => {
        return { fromId: id, toId: randomRowId(), ...segment }
      })
      await rows.insertLinkedSegments(sql, containerId, segments)
      await accountBytes(sql, containerId, usedBytes, bytes)
      return segments
    })
  }

  async #link(links: SegmentLinks): Promise<void> {
    const { root, space } = this.#deps.storage
    await requireMounted(root)
    try {
      await root.link(links, space)
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) throw new CodedError('not_found', { cause: error })
      throw writeFailure(error)
    }
  }

  async #complete(
    actor: UserActor,
    copy: NewCopy,
    made: {
      shareId: string
      segments: readonly rows.LinkedSegment[]
      fileIds: readonly number[]
    },
  ): Promise<void> {
    const { database, audit, clock } = this.#deps
    const finalizedAt = new Date(clock.now())
    await database.begin(async (sql) => {
      const share = await this.#lockDraft(sql, actor, made.shareId)
      if (!(await rows.holdContainer(sql, copy.containerId))) throw new CodedError('not_found')
      // A move of all files to another place may have looked for these before they were linked.
      if (!(await rows.holdSegments(sql, made.segments))) throw unavailable(10)
      const bytes = await copyFiles(sql, made.fileIds, {
        containerId: share.containerId,
        segments: made.segments,
        createdAt: finalizedAt,
        signal: copy.signal,
      })
      if (copy.fileIds === null) {
        const { containerId } = share
        await copyFolders(sql, copy.containerId, { containerId, createdAt: finalizedAt })
      }
      await setLiveBytes(sql, share.containerId, bytes)
      const revision = randomRowId()
      await completeShare(sql, {
        id: share.id,
        // No list was sent, so no later list equals it.
        listHash: createHash('sha256').update(revision).digest(),
        revision,
        totalSize: bytes,
        expiresAt: endFrom(finalizedAt, share),
        finalizedAt,
      })
      const details = { ...copy.origin, files: made.fileIds.length, bytes }
      await audit.record(sql, actor, 'share.finalized', share, details)
      // The last moment at which everything can be undone.
      copy.signal.throwIfAborted()
    })
  }

  async #lockDraft(sql: Sql, actor: UserActor, shareId: string): Promise<Share> {
    const share = requireOwn(actor, shareId, await lockShareWithFiles(sql, shareId))
    if (share.state !== 'draft') throw new CodedError('not_found')
    return share
  }

  /** The draft may have been deleted meanwhile, so names that were made since are removed too. */
  async #undo(actor: UserActor, shareId: string, containerId: string): Promise<void> {
    const { shares, storage } = this.#deps
    try {
      await shares.delete(actor, shareId)
    } catch (error) {
      if (!(error instanceof CodedError) || error.code !== 'not_found') return
      await storage.freeing.removeFolder(containerId)
    }
  }
}

/** Keeps each statement well below statement_timeout. */
const pageRows = 1000
const extentRows = pageRows * 5

export interface CopyTarget {
  readonly containerId: string
  readonly segments: readonly rows.LinkedSegment[]
  readonly createdAt: Date
  /** Checked before each page. */
  readonly signal: AbortSignal
}

/**
 * Gives a container the files with these ids, in that order, and their extents in the segments that
 * both containers have. Returns the sum of their bytes.
 * @throws CodedError not_found when one of them is gone; the signal's reason
 */
async function copyFiles(sql: Sql, fileIds: readonly number[], to: CopyTarget): Promise<number> {
  let bytes = 0
  for (let start = 0; start < fileIds.length; start += pageRows) {
    to.signal.throwIfAborted()
    const fromIds = fileIds.slice(start, start + pageRows)
    const copied = await rows.insertCopiedFiles(sql, fromIds, to)
    if (copied.length !== fromIds.length) throw new CodedError('not_found')
    bytes += copied.reduce((sum, { size }) => sum + size, 0)
    const toIds = copied.map(({ id }) => id)
    await rows.copyThumbnails(sql, { fromIds, toIds })
    let after: rows.ExtentPlace | null = { fileId: 0, position: 0 }
    while (after) {
      const page = { after, limit: extentRows }
      after = await rows.insertCopiedExtents(sql, { fromIds, toIds }, to.segments, page)
    }
  }
  return bytes
}
