import { leaseStart } from '../bytes/send/counting.ts'
import type { Database } from '../database/connect.ts'
import type { Actor } from '../lib/actor.ts'
import type { Clock } from '../lib/clock.ts'
import { CodedError } from '../lib/errors.ts'
import type { SharedReads } from '../lib/shared-work.ts'
import { isExpired, isUsedUp } from './access.ts'
import { findForRecipient, hasBegunDownload, type FoundShare } from './admission-sql.ts'
import type { LinkMisses } from './link-misses.ts'
import type { LinkCookies } from './link-cookies.ts'
import type { Unlocking, UnlockProofs } from './link-password.ts'
import type { Share } from './sql.ts'

export interface AdmissionDeps {
  readonly database: Database
  readonly unlocking: Unlocking
  readonly linkMisses: LinkMisses
  readonly linkCookies: LinkCookies
  readonly clock: Clock
  /** By name, for clients without a lease: the first thing that everybody asks for. */
  readonly lookUps: SharedReads<FoundShare | null>
}

/** What a client sends along with the link. */
export interface Recipient {
  readonly ip: string
  /** What may unlock the share with this id. */
  readonly unlockProofs: (shareId: string) => UnlockProofs
  /** The secret that its leases belong to; null for a client without cookies. */
  readonly downloader: string | null
}

/** A share as a recipient may see it now. */
export interface VisibleShare {
  readonly share: Share
  readonly isUnlocked: boolean
}

export interface DownloadRequest {
  /** Id or slug from the link. */
  readonly name: string
  readonly recipient: Recipient
  /** The account that makes the request, if known. */
  readonly account: Actor | null
  /** Whether the request insists on acting as the owner (`?as=owner`). */
  readonly asOwner: boolean
  /**
   * For a range after the first byte: returns the target, as downloads are counted. Otherwise null.
   * Called only where the answer depends on it: a selection of files takes a while to read.
   */
  readonly resumed: (() => string) | null
}

/** A client that may read bytes of a share. */
export type Admitted =
  | { readonly kind: 'owner'; readonly share: Share }
  | {
      readonly kind: 'recipient'
      readonly share: Share
      /** Whether a download of the share was counted with a lease of the client. */
      readonly hasLease: boolean
      /** The download limit is reached, and no lease or address pays: see `requireWithinLimit`. */
      readonly isOverLimit: boolean
    }

/**
 * The one gate before every byte of a share: a file, an archive, a range, HEAD. The owner is
 * admitted by account as long as the link works, and with `asOwner` as long as the files exist.
 * Everyone else is admitted as a recipient: state and expiry, then the password, then the download
 * limit. A lease replaces the password, and the limit until it is used up; an address that resumes
 * replaces only the limit. `Counting` decides again, atomically, when the first bytes are ready.
 * @throws CodedError not_found, expired, password_required; rate_limited after many missed links
 */
export async function admitDownload(
  deps: AdmissionDeps,
  request: DownloadRequest,
): Promise<Admitted> {
  const { linkMisses, unlocking, clock } = deps
  const { name, recipient, account, asOwner, resumed } = request
  const found = await find(deps, name, recipient)
  const isOwn = account?.kind === 'user' && found?.share.ownerId === account.userId
  if (asOwner) return { kind: 'owner', share: requireFiles(isOwn ? found.share : null) }
  const isOpen = found?.share.state === 'complete' && !isExpired(found.share, clock.now())
  if (isOwn && isOpen) return { kind: 'owner', share: found.share }

  linkMisses.takeOnMiss(recipient.ip, name, found?.share.id ?? null)
  const { share, lease } = requireOpenLink(found, clock.now())
  const isUnlocked =
    lease !== null || (await unlocking.isUnlocked(share, recipient.unlockProofs(share.id)))
  if (!isUnlocked) throw new CodedError('password_required')
  const isPaid =
    !isUsedUp(share) ||
    lease === 'counted' ||
    (resumed !== null && (await mayResume(deps, share, resumed(), recipient.ip)))
  return { kind: 'recipient', share, hasLease: lease !== null, isOverLimit: !isPaid }
}

/**
 * The last step of `admitDownload`, kept apart so that an invalid request is refused first.
 * @throws CodedError download_limit
 */
export function requireWithinLimit(admitted: Admitted): void {
  if (admitted.kind === 'owner' || !admitted.isOverLimit) return
  throw over('download_limit', admitted.share)
}

/**
 * The gate before a share's page and its password. Also open while a published draft still receives
 * its files.
 * @throws CodedError not_found, expired, download_limit; rate_limited after many missed links
 */
export async function admitToView(
  deps: AdmissionDeps,
  name: string,
  recipient: Recipient,
): Promise<VisibleShare> {
  const { linkMisses, unlocking, clock } = deps
  const found = await find(deps, name, recipient)
  linkMisses.takeOnMiss(recipient.ip, name, found?.share.id ?? null)
  const isDraft = found?.share.state === 'draft'
  const isUploading = isDraft && found.share.published && !found.share.ownerDisabledAt
  const { share, lease } = isUploading ? found : requireOpenLink(found, clock.now())
  if (!isUploading && isUsedUp(share) && lease !== 'counted') throw over('download_limit', share)
  const isUnlocked =
    lease !== null || (await unlocking.isUnlocked(share, recipient.unlockProofs(share.id)))
  return { share, isUnlocked }
}

function find(
  { database, clock, lookUps }: AdmissionDeps,
  name: string,
  { downloader }: Recipient,
): Promise<FoundShare | null> {
  const since = leaseStart(clock)
  const read = () => findForRecipient(database.sql, { name, downloader, since })
  return downloader === null ? lookUps.read(name, read) : read()
}

function mayResume(
  { database, clock }: AdmissionDeps,
  share: Share,
  target: string,
  ip: string,
): Promise<boolean> {
  return hasBegunDownload(database.sql, share, { target, ip, since: leaseStart(clock) })
}

/**
 * For owners. Throws not_found for a draft and a share of another account, expired without files.
 */
function requireFiles(own: Share | null): Share {
  if (!own || own.state === 'draft') throw new CodedError('not_found')
  if (own.state === 'expired') throw new CodedError('expired')
  return own
}

/** @throws CodedError not_found, expired */
function requireOpenLink(found: FoundShare | null, now: number): FoundShare {
  if (!found || found.share.state === 'draft' || found.share.ownerDisabledAt) {
    throw new CodedError('not_found')
  }
  if (isExpired(found.share, now)) throw over('expired', found.share)
  return found
}

/** Names the moment of the end and the person to ask. */
function over(code: 'expired' | 'download_limit', share: Share): CodedError {
  const { ownerName, expiresAt } = share
  const since = code === 'expired' && expiresAt ? { since: expiresAt.toISOString() } : {}
  return new CodedError(code, { details: { ownerName, ...since } })
}
