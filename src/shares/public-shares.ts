import type { LinkMisses } from './link-misses.ts'
import type { Unlocking } from './link-password.ts'
import type { Database } from '../database/connect.ts'
import type { ArchiveSource } from '../blobs/send/archives.ts'
import { findFileContent, type Content, type FileWithContent } from '../blobs/send/content.ts'
import type { Downloads } from '../blobs/send/downloads.ts'
import { filesOf } from '../blobs/file-listing.ts'
import { listFiles, listWholeIds, sumFiles, type ListedFileRow } from '../blobs/files-sql.ts'
import type { Actor, UserActor } from '../lib/actor.ts'
import type { Clock } from '../lib/clock.ts'
import { CodedError } from '../lib/errors.ts'
import type { Pages } from '../lib/pages.ts'
import { isExpired, isUsedUp } from './access.ts'
import { progressOf } from './progress.ts'
import { listArrivals } from './arrivals-sql.ts'
import * as rows from './sql.ts'

/** As many as a selection can name. */
const wholeIdsMax = 100_000

/** What a client brings along beside the link. */
export interface Recipient {
  readonly ip: string
  /** Unlock tokens, from the cookie and from the Authorization header. */
  readonly unlockTokens: readonly string[]
  readonly leaseToken: string | null
}

/** What a recipient brings for the share with this id, whatever name the link had. */
export type Introduce = (shareId: string) => Recipient

/** A share as a recipient may see it now. */
export interface VisibleShare {
  readonly share: rows.ShareRow
  readonly isUnlocked: boolean
}

/** A share whose bytes a recipient may ask for. */
export interface OpenedShare {
  readonly share: rows.ShareRow
  readonly recipient: Recipient
  readonly holdsLease: boolean
}

/** What a page tells of files, however many there are. */
export interface FilesSummary {
  readonly first: readonly ListedFileRow[]
  readonly count: number
  readonly damaged: number
  /** Of those that are not damaged. */
  readonly wholeBytes: number
  /** The same ones' ids; null when none is damaged, and as many as can be chosen otherwise. */
  readonly wholeIds: readonly number[] | null
}

export interface PublicSharesDeps {
  readonly database: Database
  readonly downloads: Downloads
  readonly unlocking: Unlocking
  readonly linkMisses: LinkMisses
  readonly clock: Clock
}

/**
 * Shares as recipients with the link meet them: by id or by slug. There is one gate on every way
 * in: state, then expiry, then whether it is unlocked, then the download limit.
 */
export class PublicShares {
  readonly #deps: PublicSharesDeps

  constructor(deps: PublicSharesDeps) {
    this.#deps = deps
  }

  /**
   * The gate for looking at a share and for its password; open also while a published draft still
   * takes its files.
   * @throws CodedError not_found, expired, download_limit
   */
  async findVisible(name: string, introduce: Introduce): Promise<VisibleShare> {
    const share = await this.#findByName(name, introduce)
    if (share?.state === 'draft' && share.published && !share.ownerDisabledAt) {
      const { unlockTokens } = introduce(share.id)
      const isUnlocked = await this.#deps.unlocking.isUnlocked(share, unlockTokens)
      return { share, isUnlocked }
    }
    const opened = await this.#open(share, introduce)
    this.#checkLimit(opened.share, opened.holdsLease)
    return { share: opened.share, isUnlocked: await this.#isUnlocked(opened) }
  }

  /**
   * The gate on every way to a byte: a file, an archive, a range of one, HEAD. The limit is checked
   * by `checkLimit`, once it is known what is asked for.
   * @throws CodedError not_found, expired, password_required
   */
  async findForBytes(name: string, introduce: Introduce): Promise<OpenedShare> {
    const found = await this.#findByName(name, introduce)
    const opened = await this.#open(found, introduce)
    if (!(await this.#isUnlocked(opened))) throw new CodedError('password_required')
    return opened
  }

  /**
   * The share of a link for its owner, who is known by account, at any limit and password.
   * @throws CodedError not_found, for a draft and for anybody else's share too; expired, once its
   * files are gone
   */
  async findForOwner(name: string, actor: Actor): Promise<rows.ShareRow> {
    const share = await rows.findShareByName(this.#deps.database.sql, name)
    const isOwn = actor.kind === 'user' && share?.ownerId === actor.userId
    if (!isOwn || share.state === 'draft') throw new CodedError('not_found')
    if (share.state === 'expired') throw new CodedError('expired')
    return share
  }

  /** The same while its link works; null for what is not the actor's, or for visitors is over. */
  async findOwnOpen(name: string, actor: UserActor): Promise<rows.ShareRow | null> {
    const share = await rows.findShareByName(this.#deps.database.sql, name)
    const isOpen = share?.state === 'complete' && !isExpired(share, this.#deps.clock.now())
    return isOpen && share.ownerId === actor.userId ? share : null
  }

  /**
   * The end of the gate on every way to a byte.
   * @param target what is asked for, as downloads are counted
   * @param resumes whether it is a range after the first byte
   * @throws CodedError download_limit
   */
  async checkLimit(opened: OpenedShare, target: string, resumes: boolean): Promise<void> {
    const { share, recipient, holdsLease } = opened
    const { counting } = this.#deps.downloads
    const isPaid =
      holdsLease || (resumes && (await counting.mayResume(share, target, recipient.ip)))
    this.#checkLimit(share, isPaid)
  }

  /**
   * Checks the password and gives a token that opens the share for an hour.
   * @throws CodedError wrong_password
   */
  async unlock(share: rows.ShareRow, password: string, ip: string): Promise<string> {
    return this.#deps.unlocking.unlock(share, password, ip)
  }

  /**
   * The archive of a share, or of some of its files.
   * @param beforeBuild called when its layout is not there yet: may refuse to have it made
   * @throws CodedError not_found, file_damaged; StaleContent when the share has changed meanwhile
   */
  async archive(
    share: rows.ShareRow,
    selection: readonly number[] | null,
    beforeBuild?: () => void,
  ): Promise<Content> {
    return this.#deps.downloads.archives.content(this.#sourceOf(share, selection), beforeBuild)
  }

  /** One file of a share. Throws CodedError not_found, file_damaged. */
  async findFile(share: rows.ShareRow, fileId: number): Promise<FileWithContent> {
    const found = await findFileContent(this.#deps.database.sql, share.containerId, fileId)
    if (!found) throw new CodedError('not_found')
    return found
  }

  /** How far a published draft is, in percent; null when that is not known, or not to be shown. */
  async progress({ share, isUnlocked }: VisibleShare): Promise<number | null> {
    if (!isUnlocked || share.state !== 'draft' || share.expectedBytes === 0) return null
    const { database, clock } = this.#deps
    const arrivals = await listArrivals(database.sql, [share], clock.now())
    return progressOf(share, arrivals.get(share.containerId) ?? null)
  }

  /** The files of a complete share. */
  listFiles(share: rows.ShareRow): Pages<ListedFileRow> {
    return filesOf(this.#deps.database.sql, share.containerId)
  }

  /** The first files of a complete share, and what there is in whole. */
  async summarize(share: rows.ShareRow, limit: number): Promise<FilesSummary> {
    const { sql } = this.#deps.database
    const first = await listFiles(sql, share.containerId, 0, limit)
    const { count, damaged, wholeBytes } = await sumFiles(sql, share.containerId)
    const wholeIds = damaged > 0 ? await listWholeIds(sql, share.containerId, wholeIdsMax) : null
    return { first, count, damaged, wholeBytes, wholeIds }
  }

  #sourceOf(share: rows.ShareRow, selection: readonly number[] | null): ArchiveSource {
    const { id, containerId, generation } = share
    const isCurrent = async () =>
      (await rows.findGeneration(this.#deps.database.sql, id)) === generation
    return {
      containerId,
      revision: share.revision ?? '',
      modifiedAt: share.revisedAt ?? share.finalizedAt ?? share.createdAt,
      selection,
      state: { generation, isCurrent },
    }
  }

  /**
   * The share as it is now, for a client that was admitted before.
   * @throws CodedError not_found once its files are gone
   */
  async findAgain({ id }: rows.ShareRow): Promise<rows.ShareRow> {
    const share = await rows.findShare(this.#deps.database.sql, id)
    if (share?.state !== 'complete') throw new CodedError('not_found')
    return share
  }

  /** @throws CodedError rate_limited for a link that may have been guessed, after many misses */
  async #findByName(name: string, introduce: Introduce): Promise<rows.ShareRow | null> {
    const { database, linkMisses } = this.#deps
    const found = await rows.findShareByName(database.sql, name)
    linkMisses.check(introduce(name).ip, name, found?.id ?? null)
    return found
  }

  async #open(share: rows.ShareRow | null, introduce: Introduce): Promise<OpenedShare> {
    const { downloads, clock } = this.#deps
    if (!share || share.state === 'draft' || share.ownerDisabledAt) {
      throw new CodedError('not_found')
    }
    if (isExpired(share, clock.now())) throw over('expired', share)
    const recipient = introduce(share.id)
    const holdsLease = await downloads.counting.holdsLease(share, recipient.leaseToken)
    return { share, recipient, holdsLease }
  }

  #checkLimit(share: rows.ShareRow, isPaid: boolean): void {
    if (isUsedUp(share) && !isPaid) throw over('download_limit', share)
  }

  async #isUnlocked({ share, recipient, holdsLease }: OpenedShare): Promise<boolean> {
    return holdsLease || this.#deps.unlocking.isUnlocked(share, recipient.unlockTokens)
  }
}

/** Says enough to tell a recipient since when, and whom to ask. */
function over(code: 'expired' | 'download_limit', share: rows.ShareRow): CodedError {
  const { ownerName, expiresAt } = share
  const since = code === 'expired' && expiresAt ? { since: expiresAt.toISOString() } : {}
  return new CodedError(code, { details: { ownerName, ...since } })
}
