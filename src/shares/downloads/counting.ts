import { createHash } from 'node:crypto'
import type { Database, Sql } from '../../database/connect.ts'
import { requesterAt } from '../../http/client-ip.ts'
import { boundsOf } from '../../http/conditional-and-range.ts'
import type { Clock } from '../../lib/clock.ts'
import { CodedError } from '../../lib/errors.ts'
import { inTurns, oneOfEachKey, Permits } from '../../lib/permits.ts'
import { hashToken, randomRowId } from '../../lib/random-id.ts'
import {
  isStart,
  type AskedPart,
  type CountedDownload,
  type GrantedTransfer,
  type TransferEnd,
} from '../../bytes/send/transfer.ts'
import { asOf, isUsedUp } from '../access.ts'
import { findShare, type Share } from '../sql.ts'
import * as rows from './counting-sql.ts'
import { type ArchiveFormat, selectionKey } from '../../bytes/send/content.ts'

export const leaseLifeMs = 24 * 60 * 60_000
/**
 * A first transfer that ends after at most this much of a larger body was a link preview. Only the
 * kernel tells what was taken, and for a client on the same machine it takes megabytes at once.
 */
const previewBytesMax = 64 * 1024
/** Transfers that are counted or settled at once: fewer than there are database connections. */
const countsMax = 4

/** The fields of a share that counting needs; `totalSize` is of all its files. */
export type CountedShare = rows.OpenedShare & Pick<Share, 'maxDownloads' | 'totalSize'>

/** What a recipient asks for, apart from the part of it. */
export interface RecipientRequest {
  readonly share: CountedShare
  /** The requested target: the archive, a selection of it, or one file. */
  readonly target: string
  /** The token of the client's leases of the share; null for a client without cookies. */
  readonly leaseToken: string | null
  /** The same, or a new one: the token of the lease that this request opens if it has none. */
  readonly newLeaseToken: string
  readonly ip: string
  readonly userAgent: string
}

export type TransferRequest = RecipientRequest & AskedPart

/**
 * Counts downloads as people understand them. The first byte that a client takes, of a file or the
 * archive, counts once, atomically against the limit, and opens a lease: for 24 hours the client
 * may take each file and the archive, and resume anything, within twice the share's bytes, and
 * preview as many bytes. Clients without cookies open a lease with each download, and resume from
 * the same address: decisions/0017-leases.md.
 */
export class Counting {
  readonly #database: Database
  readonly #clock: Clock
  readonly #processId: string
  readonly #turns = new Permits(inTurns(countsMax))
  /** By the token of the client's leases. */
  readonly #clients = new Permits(oneOfEachKey())

  constructor(deps: { database: Database; clock: Clock; processId: string }) {
    this.#database = deps.database
    this.#clock = deps.clock
    this.#processId = deps.processId
  }

  /**
   * The download of one request.
   * @param takeToken called before it is counted; throws when the client has made too many
   */
  of(request: RecipientRequest, takeToken: () => void, leaseCookie: () => string): CountedDownload {
    return {
      begin: (asked) => this.begin({ ...request, ...asked }, takeToken),
      check: (asked) => this.check({ ...request, ...asked }),
      goesOnFromOther: (etag, start) => this.#goesOnFromOther(request, etag, start),
      settle: (asked, granted, ended) => this.settle({ ...request, ...asked }, granted, ended),
      leaseCookie,
    }
  }

  #goesOnFromOther(
    { share, target, leaseToken, ip }: RecipientRequest,
    etag: string,
    start: number,
  ): Promise<boolean> {
    const tokenHash = leaseToken === null ? null : hashToken(leaseToken)
    const rest = { target, etag, start, tokenHash, ip }
    return rows.hasOtherVersion(this.#database.sql, share.id, rest)
  }

  /**
   * Admits a transfer: free when a lease covers it, otherwise counted. Clients take turns, so that
   * a thousand transfers of one of them do not delay others. Transfers of one client begin one
   * after the other, so that the first one's lease covers the next.
   * @param takeToken called before a download is counted; throws when the client has made too many
   * @throws CodedError download_limit, rate_limited; not_found, expired or password_required when
   *   the share has changed since it was opened
   */
  begin(request: TransferRequest, takeToken: () => void): Promise<GrantedTransfer> {
    const { newLeaseToken, ip } = request
    const begin = () => this.#turns.run(() => this.#begin(request, takeToken), requesterAt(ip))
    return this.#clients.run(begin, newLeaseToken)
  }

  async #begin(request: TransferRequest, takeToken: () => void): Promise<GrantedTransfer> {
    const { share, range } = request
    const lease = await this.#findLease(request)
    let hasToken = false
    const takeOnce = () => {
      if (!hasToken) takeToken()
      hasToken = true
    }
    const downloadId = lease && (await this.#useLease(request, lease, takeOnce))
    if (downloadId) return { downloadId, range, newLease: null }
    // Uncounted ranges could add up to a download beyond the limit.
    const counted = share.maxDownloads > 0 ? { ...request, range: 'whole' as const } : request
    takeOnce()
    return this.#count(counted)
  }

  /**
   * For HEAD: refuses what `begin` would refuse at the limit, and counts nothing.
   * @throws CodedError download_limit
   */
  async check(request: TransferRequest): Promise<void> {
    const { share } = request
    if (share.maxDownloads === 0) return
    const lease = await this.#findLease(request)
    if (lease?.counted) return
    const now = await findShare(this.#database.sql, share.id)
    if (now && isUsedUp(now)) throw new CodedError('download_limit')
  }

  /**
   * Call when a transfer has ended, in any way. The count is given back after a link preview, when
   * nothing was sent, and when the service has aborted it: decisions/0011-counts-given-back.md.
   */
  settle(request: TransferRequest, granted: GrantedTransfer, ended: TransferEnd): Promise<void> {
    return this.#turns.run(() => this.#settle(request, granted, ended), requesterAt(request.ip))
  }

  async #settle(request: TransferRequest, granted: GrantedTransfer, ended: TransferEnd) {
    const { share, target, targetSize, firstFileSize, etag } = request
    const { covered, taken, sent, isFinished, isAbortedByService } = ended
    const { start, end } = boundsOf(granted.range, targetSize)
    // Its connection may have ended before the head of the answer, with the cookie of the lease.
    const isUntaken = granted.newLease !== null && start + taken === 0 && !isFinished
    const isPreview =
      mayBePreview(granted, targetSize) &&
      covered <= Math.min(previewBytesMax, targetSize / 2) &&
      // With the write that was cut off, it may have got a whole file: one that comes first in an
      // archive could otherwise be taken without end.
      taken < firstFileSize
    const finishedAt = isFinished ? new Date(this.#clock.now()) : null
    const unsent = end - start - (isPreview ? covered : taken)
    const budget = budgetOf(target)
    const sentTo = start + taken
    const settled = { id: granted.downloadId, budget, etag, sentTo, sent, unsent, finishedAt }
    if (!isPreview && !isUntaken && !isAbortedByService) {
      return rows.settleTransfer(this.#database.sql, settled)
    }
    await this.#database.begin(async (sql) => {
      await rows.settleTransfer(sql, settled)
      // Adds up all transfers of the download: one may have failed while others brought the rest.
      const previewMax = isPreview ? previewBytesMax + 1 : 1
      const coveredMax = isAbortedByService ? Math.max(targetSize, 1) : previewMax
      if (await rows.markUncounted(sql, granted.downloadId, coveredMax)) {
        await rows.uncountDownload(sql, share.id)
      }
    })
  }

  /** Call at start: marks transfers of dead processes as broken, so that they can be resumed. */
  async settleDead(isAlive: (processId: string) => Promise<boolean>): Promise<void> {
    const { sql } = this.#database
    for (const processId of await rows.listRunningProcesses(sql)) {
      if (processId !== this.#processId && !(await isAlive(processId))) {
        await rows.settleTransfersOf(sql, processId)
      }
    }
  }

  /** Begins the transfer in a lease; null when its bytes are not enough. */
  async #useLease(
    request: TransferRequest,
    lease: rows.FoundLease,
    takeToken: () => void,
  ): Promise<string | null> {
    const { share, target } = request
    const { sql } = this.#database
    const use = useOf(request)
    const download = this.#downloadOf(request)
    // Each selection is a row, and a client can request any number of them.
    if (!lease.hasTarget && kindOfTarget(target) === 'selection') takeToken()
    const begun = lease.counted && (await rows.useLease(sql, lease.id, use, download))
    if (begun) return begun
    // Its count was given back when it broke, perhaps just now, so going on counts it again.
    takeToken()
    return this.#database.begin(async (inner) => {
      const reopened = await rows.reopenLease(inner, lease.id, use, download)
      // Another transfer of the same lease may just have counted it again.
      if (!reopened) return rows.useLease(inner, lease.id, use, download)
      const { startedAt } = download
      if (!(await rows.countDownload(inner, share, startedAt)))
        await refuseUncounted(inner, share, startedAt)
      return reopened
    })
  }

  async #count(request: TransferRequest): Promise<GrantedTransfer> {
    const { share, range, leaseToken, newLeaseToken } = request
    const { sql } = this.#database
    const token = leaseToken ?? newLeaseToken
    const download = this.#downloadOf(request)
    const lease = { ...useOf(request), tokenHash: hashToken(token), download }
    if (!(await rows.openLease(sql, share, lease)))
      await refuseUncounted(sql, share, download.startedAt)
    return { downloadId: download.id, range, newLease: token }
  }

  #downloadOf(request: TransferRequest): rows.NewDownload {
    const { target, ip, userAgent } = request
    return {
      id: randomRowId(),
      target,
      etag: request.isRestart ? null : request.etag,
      isStart: isStart(request),
      ip,
      userAgent,
      startedAt: new Date(this.#clock.now()),
      processId: this.#processId,
    }
  }

  async #findLease(request: TransferRequest): Promise<rows.FoundLease | null> {
    const { share, target, leaseToken, ip } = request
    const resumes = !isStart(request)
    if (leaseToken === null && !resumes) return null
    const asked = {
      target,
      tokenHash: leaseToken === null ? null : hashToken(leaseToken),
      ip: resumes ? ip : null,
      since: leaseStart(this.#clock),
    }
    return rows.findLease(this.#database.sql, share, asked, useOf(request))
  }
}

/**
 * The token of a client's lease of a share. One secret is enough for all of its leases, and none of
 * them tells another. `findForRecipient` makes the same in SQL.
 * @param name of the link: the share's id, or the token of a personal link
 */
export function leaseTokenOf(downloader: string, name: string): string {
  return `${downloader}.${name}`
}

/** Whether a count is given back to a client that takes little of it: see `settle`. */
function mayBePreview({ newLease, range }: GrantedTransfer, targetSize: number): boolean {
  const { start } = boundsOf(range, targetSize)
  return newLease !== null && start === 0 && targetSize > previewBytesMax
}

/** Twice the share: enough to take each file and the archive, or one of them two times. */
function useOf({ share, target, range, targetSize }: TransferRequest): rows.LeaseUse {
  const { start, end } = boundsOf(range, targetSize)
  const bytesMax = 2 * Math.max(share.totalSize, targetSize)
  return { budget: budgetOf(target), bytes: end - start, bytesMax }
}

/** Looking at files takes nothing from what is left for downloads. */
function budgetOf(target: string): rows.Budget {
  return kindOfTarget(target) === 'preview' ? 'previews' : 'downloads'
}

/** Leases that were opened earlier are over. */
export function leaseStart(clock: Clock): Date {
  return new Date(clock.now() - leaseLifeMs)
}

/** Throws the reason why a share could not be counted. */
async function refuseUncounted(sql: Sql, share: CountedShare, at: Date): Promise<never> {
  const now = await findShare(sql, share.id)
  if (!now) throw new CodedError('not_found')
  if (asOf(now, at.getTime()).state !== 'complete') throw new CodedError('expired')
  if (now.passwordVersion !== share.passwordVersion) throw new CodedError('password_required')
  // What is left is the limit, or a link that was revoked.
  throw new CodedError(share.linkId === null || isUsedUp(now) ? 'download_limit' : 'not_found')
}

/** What downloads of a share are listed as. */
export const targetKinds = ['archive', 'selection', 'file', 'preview'] as const

export type TargetKind = (typeof targetKinds)[number]

export interface WantedArchive {
  readonly format: ArchiveFormat
  /** Ids of files; null for all. */
  readonly selection: readonly number[] | null
}

/**
 * Formats differ in size, and are listed apart. Selections are hashed, because targets are indexed
 * and a key can have thousands of characters.
 */
export function archiveTarget({ format, selection }: WantedArchive): string {
  const whole = format === 'zip' ? 'archive' : format
  if (!selection) return whole
  return `${whole}:${createHash('sha256').update(selectionKey(selection)).digest('hex')}`
}

/**
 * What is behind a link, be it the only file or the archive: a client that resumes has begun what
 * it was then. The archive of a share with one file is another target.
 */
export const linkTarget = 'link'

export function fileTarget(fileId: number, isPreview: boolean): string {
  return `${isPreview ? 'preview' : 'file'}:${fileId}`
}

export function kindOfTarget(target: string): TargetKind {
  const [kind, rest] = target.split(':')
  if (kind === 'file' || kind === 'preview') return kind
  return rest === undefined ? 'archive' : 'selection'
}
