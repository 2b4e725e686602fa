import type { Unlocking } from '../auth/unlocking.ts'
import type { Database } from '../db/connect.ts'
import type { Downloads } from '../downloads/downloads.ts'
import { listFiles, type ListedFileRow } from '../files/sql.ts'
import type { Clock } from '../lib/clock.ts'
import { CodedError } from '../lib/errors.ts'
import * as rows from './sql.ts'

/** What a stranger brings along beside the link. */
export interface Visitor {
  readonly ip: string
  /** Unlock tokens, from the cookie and from the Authorization header. */
  readonly unlockTokens: readonly string[]
  readonly leaseToken: string | null
}

/** A share as a visitor may see it now. */
export interface VisibleShare {
  readonly share: rows.ShareRow
  readonly isUnlocked: boolean
}

export interface PublicSharesParts {
  readonly database: Database
  readonly downloads: Downloads
  readonly unlocking: Unlocking
  readonly clock: Clock
}

/**
 * Shares as strangers with the link meet them. `find` is the one gate on every way in: state, then
 * expiry, then whether it is unlocked, then the download limit.
 */
export class PublicShares {
  readonly #parts: PublicSharesParts

  constructor(parts: PublicSharesParts) {
    this.#parts = parts
  }

  /**
   * The gate for everything that does not need the password: metadata, verify.
   * @throws CodedError not_found, expired, download_limit
   */
  async find(shareId: string, visitor: Visitor): Promise<VisibleShare> {
    const { share, holdsLease } = await this.#open(shareId, visitor)
    this.#checkLimit(share, holdsLease)
    return { share, isUnlocked: await this.#isUnlocked(share, visitor, holdsLease) }
  }

  /**
   * The gate on every way to a byte: a file, an archive, a range of one, HEAD. The limit is checked
   * by `checkLimit`, once it is known what is asked for.
   * @throws CodedError not_found, expired, password_required
   */
  async findForBytes(
    shareId: string,
    visitor: Visitor,
  ): Promise<{ share: rows.ShareRow; holdsLease: boolean }> {
    const { share, holdsLease } = await this.#open(shareId, visitor)
    if (!(await this.#isUnlocked(share, visitor, holdsLease))) {
      throw new CodedError('password_required')
    }
    return { share, holdsLease }
  }

  /**
   * The end of the gate on every way to a byte.
   * @param target what is asked for, as downloads are counted
   * @param resumes whether it is a range after the first byte
   * @throws CodedError download_limit
   */
  async checkLimit(
    { share, holdsLease }: { share: rows.ShareRow; holdsLease: boolean },
    visitor: Visitor,
    target: string,
    resumes: boolean,
  ): Promise<void> {
    const { counting } = this.#parts.downloads
    const isPaid =
      holdsLease || (resumes && (await counting.mayResume(share.id, target, visitor.ip)))
    this.#checkLimit(share, isPaid)
  }

  /**
   * Checks the password and gives a token that opens the share for an hour.
   * @throws CodedError wrong_password
   */
  async unlock(share: rows.ShareRow, password: string): Promise<string> {
    return this.#parts.unlocking.unlock(share, password)
  }

  async listFiles(share: rows.ShareRow): Promise<ListedFileRow[]> {
    return listFiles(this.#parts.database.sql, [share.parcelId])
  }

  async #open(
    shareId: string,
    visitor: Visitor,
  ): Promise<{ share: rows.ShareRow; holdsLease: boolean }> {
    const { database, downloads, clock } = this.#parts
    const share = await rows.findShare(database.sql, shareId)
    if (!share || share.state === 'draft' || share.ownerDisabledAt)
      throw new CodedError('not_found')
    if (isExpired(share, clock.now())) throw new CodedError('expired')
    const holdsLease = await downloads.counting.holdsLease(share.id, visitor.leaseToken)
    return { share, holdsLease }
  }

  #checkLimit(share: rows.ShareRow, isPaid: boolean): void {
    const isReached = share.maxDownloads > 0 && share.downloadCount >= share.maxDownloads
    if (isReached && !isPaid) throw new CodedError('download_limit')
  }

  async #isUnlocked(share: rows.ShareRow, visitor: Visitor, holdsLease: boolean): Promise<boolean> {
    return holdsLease || this.#parts.unlocking.isUnlocked(share, visitor.unlockTokens)
  }
}

/** Expired is expired at once, whether the sweep has been there or not. */
export function isExpired(share: rows.ShareRow, now: number): boolean {
  if (share.state === 'expired') return true
  return share.state === 'complete' && share.expiresAt !== null && share.expiresAt.getTime() <= now
}
