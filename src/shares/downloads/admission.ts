import { leaseStart } from './counting.ts'
import { hasVerifiedEmail } from '../../accounts/users/sql.ts'
import type { Actor, UserActor } from '../../lib/actor.ts'
import { minuteMs } from '../../lib/clock.ts'
import { CodedError } from '../../lib/errors.ts'
import { ended, isExpired, isUsedUp } from '../access.ts'
import * as rows from '../sql.ts'
import type { ShareDeps } from '../deps.ts'
import type { LockedLink, UnlockProofs } from '../link-proofs.ts'
import { markOpened } from '../personal-links/sql.ts'

export type AdmissionDeps = Pick<
  ShareDeps,
  'database' | 'unlocking' | 'linkMisses' | 'clock' | 'lookUps'
>

/** What a client sends along with the link. */
export interface Recipient {
  readonly ip: string
  /** What may unlock the share that recipients know by this name. */
  readonly unlockProofs: (name: string) => UnlockProofs
  /** The secret that its leases belong to; null for a client without cookies. */
  readonly downloader: string | null
  /** Whether it has shown a code of the personal link with this id, under this version. */
  readonly hasProof: (linkId: string, version: number) => boolean
  /** The account that it is signed in to; null for none. */
  readonly account: () => Promise<UserActor | null>
  /** Only looks, as previews of links do: HEAD. */
  readonly isLook: boolean
}

/** What the holder of a personal link has yet to show; null for nothing. */
export type MissingProof = Exclude<rows.RecipientProof, 'none'> | null

/** A share as a recipient may see it now. */
export interface VisibleShare {
  readonly share: rows.Share
  /** The personal link that opened it; null for its own. */
  readonly link: rows.OpenedLink | null
  readonly isUnlocked: boolean
  /** It is locked until this is shown, and then by its password. */
  readonly missing: MissingProof
}

export interface DownloadRequest {
  /** Id or slug from the link, or the token of a personal one. */
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
  | { readonly kind: 'owner'; readonly share: rows.Share }
  | {
      readonly kind: 'recipient'
      readonly share: rows.Share
      readonly link: rows.OpenedLink | null
      /** The download limit is reached, and no lease or address pays: see `requireWithinLimit`. */
      readonly isOverLimit: boolean
    }

/**
 * The one gate before every byte of a share: a file, an archive, a range, HEAD. The owner is
 * admitted by account as long as the link works, and with `asOwner` as long as the files exist.
 * Everyone else is admitted as a recipient: state and expiry, then the proof of a personal link and
 * the password, then the download limit. A lease replaces the password, and the limit until it is
 * used up; an address that resumes replaces only the limit. `Counting` decides again, atomically,
 * when the first bytes are ready.
 * @throws CodedError not_found, expired, proof_required, password_required; rate_limited after many
 *   missed links
 */
export async function admitDownload(
  deps: AdmissionDeps,
  request: DownloadRequest,
): Promise<Admitted> {
  const { clock } = deps
  const { name, recipient, account, asOwner, resumed } = request
  const found = await find(deps, name, recipient)
  const isOwn = account?.kind === 'user' && found?.share.ownerId === account.userId
  if (asOwner) return { kind: 'owner', share: requireFiles(isOwn ? found.share : null) }
  const isOpen = found?.share.state === 'complete' && !isExpired(found.share, clock.now())
  if (isOwn && isOpen) return { kind: 'owner', share: found.share }

  const { share, link, lease } = requireOpenLink(
    openable(deps, found, name, recipient),
    clock.now(),
  )
  const visible = await look(deps, { share, link, lease }, recipient)
  requireProof(visible)
  if (!visible.isUnlocked) throw new CodedError('password_required')
  const isPaid =
    !isUsedUp(share) ||
    lease === 'counted' ||
    (resumed !== null && (await mayResume(deps, visible, resumed(), recipient.ip)))
  return { kind: 'recipient', share, link, isOverLimit: !isPaid }
}

/** @throws CodedError proof_required, which says what is missing */
export function requireProof({ missing, link }: Pick<VisibleShare, 'missing' | 'link'>): void {
  if (missing === null || link === null) return
  const details = { proof: missing, address: maskAddress(link.email) }
  throw new CodedError('proof_required', { details })
}

/** `c•••@example.org`: its holder recognises it, and others learn little. */
export function maskAddress(email: string): string {
  const at = email.lastIndexOf('@')
  return `${Array.from(email)[0] ?? ''}•••${email.slice(at)}`
}

/** A share, and the personal link that opened it. */
type OpenedShare = Pick<rows.FoundShare, 'share' | 'link'>

/** The share as its password locks it. */
export function lockedLinkOf(found: OpenedShare): LockedLink {
  const { id, passwordHash, passwordVersion } = found.share
  return { id, passwordHash, passwordVersion, linkName: linkNameOf(found) }
}

/** What recipients call the share: its id never shows behind a personal link. */
export function linkNameOf({ share, link }: OpenedShare): string {
  return link?.token ?? share.id
}

/** For `shareUrl`: the link that they have followed. */
export function linkedShareOf({ share, link }: OpenedShare): rows.LinkedShare {
  return link ? { id: link.token, slug: null } : share
}

/**
 * The last step of `admitDownload`, kept apart so that an invalid request is refused first.
 * @throws CodedError download_limit
 */
export function requireWithinLimit(admitted: Admitted): void {
  if (admitted.kind === 'owner' || !admitted.isOverLimit) return
  throw ended('download_limit', admitted.share, null)
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
  const found = openable(deps, await find(deps, name, recipient), name, recipient)
  const isDraft = found?.share.state === 'draft'
  const isUploading = isDraft && found.share.published && !found.share.ownerDisabledAt
  const opened = isUploading ? found : requireOpenLink(found, deps.clock.now())
  const { share, lease } = opened
  if (!isUploading && isUsedUp(share) && lease !== 'counted')
    throw ended('download_limit', share, null)
  return look(deps, opened, recipient)
}

/** Null where the link has ended for this recipient, or never was: the answer is the same. */
function openable(
  { linkMisses }: AdmissionDeps,
  found: rows.FoundShare | null,
  name: string,
  { ip }: Recipient,
): rows.FoundShare | null {
  const isOpen = found !== null && (found.link !== null || found.share.audience === 'anyone')
  linkMisses.takeOnMiss(ip, name, isOpen ? linkNameOf(found) : null)
  return isOpen ? found : null
}

async function look(
  deps: AdmissionDeps,
  { share, link, lease }: rows.FoundShare,
  recipient: Recipient,
): Promise<VisibleShare> {
  const missing = link && (await findMissingProof(deps, share, link, recipient))
  const proofs = recipient.unlockProofs(linkNameOf({ share, link }))
  const isUnlocked =
    missing === null &&
    (lease !== null || (await deps.unlocking.isUnlocked(lockedLinkOf({ share, link }), proofs)))
  if (link && isUnlocked && !recipient.isLook) await noteOpened(deps, link)
  return { share, link, isUnlocked, missing }
}

async function findMissingProof(
  { database }: AdmissionDeps,
  { audience, recipientProof, passwordVersion }: rows.Share,
  { id, email }: rows.OpenedLink,
  { hasProof, account }: Recipient,
): Promise<MissingProof> {
  if (audience === 'anyone' || recipientProof === 'none') return null
  if (recipientProof === 'code') return hasProof(id, passwordVersion) ? null : 'code'
  const holder = await account()
  const isHolder = holder && (await hasVerifiedEmail(database.sql, holder.userId, email))
  return isHolder ? null : 'account'
}

/** Every look opens the link again; one a minute is enough for its owner. */
async function noteOpened({ database, clock }: AdmissionDeps, link: rows.OpenedLink) {
  const now = clock.now()
  const sinceMs = now - (link.lastOpenedAt?.getTime() ?? -Infinity)
  if (sinceMs >= 0 && sinceMs < minuteMs) return
  await markOpened(database.sql, link.id, new Date(now))
}

function find(
  { database, clock, lookUps }: AdmissionDeps,
  name: string,
  { downloader }: Recipient,
): Promise<rows.FoundShare | null> {
  const since = leaseStart(clock)
  const read = () => rows.findForRecipient(database.sql, { name, downloader, since })
  return downloader === null ? lookUps.read(name, read) : read()
}

function mayResume(
  { database, clock }: AdmissionDeps,
  { share, link }: VisibleShare,
  target: string,
  ip: string,
): Promise<boolean> {
  const linkId = link?.id ?? null
  return rows.hasBegunDownload(database.sql, share, {
    linkId,
    target,
    ip,
    since: leaseStart(clock),
  })
}

/**
 * For owners. Throws not_found for a draft and a share of another account, expired without files.
 */
function requireFiles(own: rows.Share | null): rows.Share {
  if (!own || own.state === 'draft') throw new CodedError('not_found')
  if (own.state === 'expired') throw new CodedError('expired')
  return own
}

/** @throws CodedError not_found, expired */
function requireOpenLink(found: rows.FoundShare | null, now: number): rows.FoundShare {
  if (!found || found.share.state === 'draft' || found.share.ownerDisabledAt) {
    throw new CodedError('not_found')
  }
  if (isExpired(found.share, now)) throw ended('expired', found.share, found.share.expiresAt)
  return found
}
