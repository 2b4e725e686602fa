import type { Database, Sql } from '../../database/connect.ts'
import { boundsOf } from '../../http/range.ts'
import type { Clock } from '../../lib/clock.ts'
import { CodedError } from '../../lib/errors.ts'
import { hashToken, randomRowId, randomToken } from '../../lib/random-id.ts'
import * as rows from './sql.ts'

export const leaseLifeMs = 24 * 60 * 60_000
/** A first transfer that dies before this much of a larger body was a link preview. */
const previewBytesMax = 64 * 1024

/** A share as far as its downloads are counted. */
export interface CountedShare {
  readonly id: string
  /** Of the password it was opened with: what was paid under another counts for nothing. */
  readonly passwordVersion: number
  readonly maxDownloads: number
  /** Bytes of all its files. */
  readonly totalSize: number
}

export interface TransferRequest {
  readonly share: CountedShare
  /** What is asked for: the archive, a selection of it, one file. */
  readonly target: string
  /** Bytes of the whole target. */
  readonly targetSize: number
  readonly range: { readonly start: number; readonly end: number } | 'whole'
  readonly leaseToken: string | null
  readonly ip: string
  readonly userAgent: string
}

/** A transfer that may begin. */
export interface Admission {
  readonly downloadId: string
  /** What to send: a range asked for is answered whole when nothing was paid for it before. */
  readonly range: { readonly start: number; readonly end: number } | 'whole'
  /** Set when this request was counted: the token for the lease cookie. */
  readonly newLease: string | null
}

/** How a transfer ended. */
export interface TransferEnd {
  /** Bytes of those asked for that have left. */
  readonly covered: number
  /** Bytes that it took, which are others when they were compressed. */
  readonly sent: number
  /** The service could not send the rest, and the client was still there for it. */
  readonly isAbortedByService: boolean
}

/**
 * Counts downloads: once each, at the first byte asked for, atomically against the limit. A counted
 * answer comes with a lease that pays for twice the share's bytes: resuming is free, downloading
 * again is not. Clients without cookies resume from the same address.
 */
export class Counting {
  readonly #database: Database
  readonly #clock: Clock
  readonly #processId: string

  constructor(deps: { database: Database; clock: Clock; processId: string }) {
    this.#database = deps.database
    this.#clock = deps.clock
    this.#processId = deps.processId
  }

  /** Whether the token stands for a download of the share in the last 24 hours. */
  async holdsLease(share: CountedShare, leaseToken: string | null): Promise<boolean> {
    return (await this.#listLeased(share, leaseToken)).length > 0
  }

  /** Whether clients at this address may go on with the target without a cookie. */
  async mayResume(share: CountedShare, target: string, ip: string): Promise<boolean> {
    return (await this.#findByAddress(share, target, ip)) !== null
  }

  /**
   * Lets a transfer begin: free when a lease covers it, else counted.
   * @param takeToken called before a download is counted; throws when the client made too many
   * @throws CodedError download_limit, rate_limited; not_found, expired or password_required when
   *   the share has changed since it was opened
   */
  async admit(request: TransferRequest, takeToken: () => void): Promise<Admission> {
    const { share, target, range, leaseToken, ip } = request
    const leased = await this.#listLeased(share, leaseToken)
    const isResume = range !== 'whole' && range.start > 0
    const paid =
      leased.find((download) => download.target === target) ??
      (isResume ? await this.#findByAddress(share, target, ip) : null)
    if (paid && (await this.#charge(request, paid, takeToken))) {
      return { downloadId: paid.id, range, newLease: null }
    }
    // Uncounted ranges would add up to a download beyond the limit.
    const counted = share.maxDownloads > 0 ? { ...request, range: 'whole' as const } : request
    takeToken()
    return this.#count(counted, leased.length > 0 ? leaseToken : null)
  }

  /**
   * A transfer has ended, however it went. Its count is given back after a link preview, and when
   * the service has cut it: decisions/0011-counts-given-back.md.
   */
  async settle(request: TransferRequest, admission: Admission, ended: TransferEnd): Promise<void> {
    const { share, targetSize } = request
    const { covered, sent, isAbortedByService } = ended
    const { start, end } = boundsOf(admission.range, targetSize)
    const unsent = end - start - covered
    const isFinished = unsent === 0 && end === targetSize
    const isFirst = admission.newLease !== null && start === 0
    const isPreview = isFirst && covered < previewBytesMax && targetSize > previewBytesMax
    await this.#database.begin(async (sql) => {
      await rows.settleTransfer(sql, {
        id: admission.downloadId,
        sent,
        unsent,
        finishedAt: isFinished ? new Date(this.#clock.now()) : null,
      })
      if (!isPreview && !isAbortedByService) return
      // All transfers of the download together: one may have failed, and others brought the rest.
      const coveredMax = isAbortedByService ? targetSize : previewBytesMax
      if (await rows.markUncounted(sql, admission.downloadId, coveredMax)) {
        await rows.uncountDownload(sql, share.id)
      }
    })
  }

  /** At start: transfers of processes that are gone have broken, and may be resumed. */
  async settleDead(isAlive: (processId: string) => Promise<boolean>): Promise<void> {
    const { sql } = this.#database
    for (const processId of await rows.listRunningProcesses(sql)) {
      if (processId !== this.#processId && !(await isAlive(processId))) {
        await rows.settleTransfersOf(sql, processId)
      }
    }
  }

  /** Takes the transfer from what was paid; false when that does not cover it. */
  async #charge(
    request: TransferRequest,
    paid: rows.DownloadRow,
    takeToken: () => void,
  ): Promise<boolean> {
    const { share, range, targetSize } = request
    const { start, end } = boundsOf(range, targetSize)
    const charge = {
      id: paid.id,
      bytes: end - start,
      bytesMax: 2 * Math.max(share.totalSize, targetSize),
      processId: this.#processId,
      onlyBroken: start === 0,
    }
    if (paid.isCounted) return rows.chargeDownload(this.#database.sql, charge)
    // Its count was given back when it broke; going on with it counts it again.
    takeToken()
    return this.#database.begin(async (sql) => {
      if (!(await rows.recountDownload(sql, charge))) return false
      await requireCounted(sql, share)
      return true
    })
  }

  async #count(request: TransferRequest, leaseToken: string | null): Promise<Admission> {
    const { share, target, targetSize, range, ip, userAgent } = request
    const { start, end } = boundsOf(range, targetSize)
    const token = leaseToken ?? randomToken()
    const id = randomRowId()
    await this.#database.begin(async (sql) => {
      await requireCounted(sql, share)
      await rows.insertDownload(sql, {
        id,
        shareId: share.id,
        passwordVersion: share.passwordVersion,
        target,
        leaseHash: hashToken(token),
        ip,
        userAgent,
        startedAt: new Date(this.#clock.now()),
        processId: this.#processId,
        bytes: end - start,
      })
    })
    return { downloadId: id, range, newLease: token }
  }

  async #listLeased(share: CountedShare, token: string | null): Promise<rows.DownloadRow[]> {
    if (token === null) return []
    return rows.listLeased(this.#database.sql, share, hashToken(token), this.#leaseStart())
  }

  #findByAddress(
    share: CountedShare,
    target: string,
    ip: string,
  ): Promise<rows.DownloadRow | null> {
    return rows.findByAddress(this.#database.sql, share, target, ip, this.#leaseStart())
  }

  #leaseStart(): Date {
    return new Date(this.#clock.now() - leaseLifeMs)
  }
}

/** @throws CodedError not_found, expired, password_required, download_limit */
async function requireCounted(sql: Sql, share: CountedShare): Promise<void> {
  if (await rows.countDownload(sql, share)) return
  const now = await rows.findCountedShare(sql, share.id)
  if (!now) throw new CodedError('not_found')
  if (now.state !== 'complete') throw new CodedError('expired')
  const isCurrent = now.passwordVersion === share.passwordVersion
  throw new CodedError(isCurrent ? 'download_limit' : 'password_required')
}
