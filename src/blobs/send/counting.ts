import type { Database, Sql } from '../../database/connect.ts'
import { boundsOf } from '../../http/range.ts'
import type { Clock } from '../../lib/clock.ts'
import { CodedError } from '../../lib/errors.ts'
import { hashToken, randomRowId, randomToken } from '../../lib/random-id.ts'
import * as rows from './sql.ts'

export const leaseLifeMs = 24 * 60 * 60_000
/** A first transfer that ends before this much of a larger body was a link preview. */
const previewBytesMax = 64 * 1024

/** The fields of a share that counting needs. */
export interface CountedShare {
  readonly id: string
  /** Version of the password that opened it: downloads paid under another one do not count. */
  readonly passwordVersion: number
  readonly maxDownloads: number
  /** Bytes of all its files. */
  readonly totalSize: number
}

export interface TransferRequest {
  readonly share: CountedShare
  /** The requested target: the archive, a selection of it, or one file. */
  readonly target: string
  /** Bytes of the whole target. */
  readonly targetSize: number
  readonly range: { readonly start: number; readonly end: number } | 'whole'
  /** The lease that has paid for downloads of the share: see `findForRecipient`. */
  readonly leaseToken: string | null
  readonly ip: string
  readonly userAgent: string
}

/** A counted download, regardless of the range. */
export interface CountedDownload {
  readonly request: Omit<TransferRequest, 'range' | 'targetSize'>
  /** Called before a download is counted; throws when the client has made too many. */
  readonly takeToken: () => void
}

/** Permission to begin a transfer. */
export interface GrantedTransfer {
  readonly downloadId: string
  /** What to send: an unpaid range is answered with the whole target. */
  readonly range: { readonly start: number; readonly end: number } | 'whole'
  /** Set when this request was counted: the token for the lease cookie. */
  readonly newLease: string | null
}

/** How a transfer ended. */
export interface TransferEnd {
  /** Requested bytes that were sent. */
  readonly covered: number
  /** Bytes on the wire, which differ when they were compressed. */
  readonly sent: number
  /** The service could not send the rest, while the client was still connected. */
  readonly isAbortedByService: boolean
}

/**
 * Counts downloads: each once, at the first requested byte, atomically against the limit. A counted
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

  /**
   * Admits a transfer: free when a lease covers it, otherwise counted.
   * @param takeToken called before a download is counted; throws when the client has made too many
   * @throws CodedError download_limit, rate_limited; not_found, expired or password_required when
   *   the share has changed since it was opened
   */
  async begin(request: TransferRequest, takeToken: () => void): Promise<GrantedTransfer> {
    const { share, range } = request
    const paid = await this.#findPaid(request)
    let hasToken = false
    const takeOnce = () => {
      if (!hasToken) takeToken()
      hasToken = true
    }
    if (paid && (await this.#charge(request, paid, takeOnce))) {
      return { downloadId: paid.id, range, newLease: null }
    }
    // Uncounted ranges could add up to a download beyond the limit.
    const counted = share.maxDownloads > 0 ? { ...request, range: 'whole' as const } : request
    takeOnce()
    return this.#count(counted)
  }

  /**
   * Call when a transfer has ended, in any way. The count is given back after a link preview, and
   * when the service has aborted it: decisions/0011-counts-given-back.md.
   */
  async settle(
    request: TransferRequest,
    granted: GrantedTransfer,
    ended: TransferEnd,
  ): Promise<void> {
    const { share, targetSize } = request
    const { covered, sent, isAbortedByService } = ended
    const { start, end } = boundsOf(granted.range, targetSize)
    const unsent = end - start - covered
    const isFinished = unsent === 0 && end === targetSize
    const isFirst = granted.newLease !== null && start === 0
    const isPreview = isFirst && covered < previewBytesMax && targetSize > previewBytesMax
    const finishedAt = isFinished ? new Date(this.#clock.now()) : null
    const settled = { id: granted.downloadId, sent, unsent, finishedAt }
    if (!isPreview && !isAbortedByService) {
      return rows.settleTransfer(this.#database.sql, settled)
    }
    await this.#database.begin(async (sql) => {
      await rows.settleTransfer(sql, settled)
      // Adds up all transfers of the download: one may have failed while others brought the rest.
      const coveredMax = isAbortedByService ? targetSize : previewBytesMax
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

  /** Takes the transfer from the paid bytes; false when these are not enough. */
  async #charge(
    request: TransferRequest,
    paid: rows.PaidDownload,
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
    if (paid.counted) return rows.chargeDownload(this.#database.sql, charge)
    // Its count was given back when it broke, so resuming counts it again.
    takeToken()
    return this.#database.begin(async (sql) => {
      // Another range of the same download may just have counted it again.
      if (!(await rows.recountDownload(sql, charge))) return rows.chargeDownload(sql, charge)
      if (!(await rows.countDownload(sql, share))) await refuseUncounted(sql, share)
      return true
    })
  }

  async #count(request: TransferRequest): Promise<GrantedTransfer> {
    const { share, target, targetSize, range, leaseToken, ip, userAgent } = request
    const { sql } = this.#database
    const { start, end } = boundsOf(range, targetSize)
    const token = leaseToken ?? randomToken()
    const id = randomRowId()
    const isCounted = await rows.insertCountedDownload(sql, share, {
      id,
      target,
      leaseHash: hashToken(token),
      ip,
      userAgent,
      startedAt: new Date(this.#clock.now()),
      processId: this.#processId,
      bytes: end - start,
    })
    if (!isCounted) await refuseUncounted(sql, share)
    return { downloadId: id, range, newLease: token }
  }

  async #findPaid(request: TransferRequest): Promise<rows.PaidDownload | null> {
    const { share, target, range, leaseToken, ip } = request
    const resumes = range !== 'whole' && range.start > 0
    if (leaseToken === null && !resumes) return null
    return rows.findPaidDownload(this.#database.sql, share, {
      target,
      leaseHash: leaseToken === null ? null : hashToken(leaseToken),
      ip: resumes ? ip : null,
      since: leaseStart(this.#clock),
    })
  }
}

/** Downloads that began earlier can no longer be resumed. */
export function leaseStart(clock: Clock): Date {
  return new Date(clock.now() - leaseLifeMs)
}

/** Throws the reason why a share could not be counted. */
async function refuseUncounted(sql: Sql, share: CountedShare): Promise<never> {
  const now = await rows.findCountedShare(sql, share.id)
  if (!now) throw new CodedError('not_found')
  if (now.state !== 'complete') throw new CodedError('expired')
  const isCurrent = now.passwordVersion === share.passwordVersion
  throw new CodedError(isCurrent ? 'download_limit' : 'password_required')
}
