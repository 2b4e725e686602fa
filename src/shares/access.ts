import type { Actor } from '../lib/actor.ts'
import { CodedError } from '../lib/errors.ts'
import type { Share } from './sql.ts'

/**
 * Longer than any draft is kept. In practice an upload token ends with its draft or additions, or
 * when its owner's sessions are ended.
 */
export const uploadTokenLifeMs = 400 * 24 * 60 * 60_000

/** Expiry takes effect at once, before the clean-up has run. */
export function isExpired(share: Pick<Share, 'state' | 'expiresAt'>, now: number): boolean {
  if (share.state === 'expired') return true
  return share.state === 'complete' && share.expiresAt !== null && share.expiresAt.getTime() <= now
}

/** The share in its present state, before the clean-up has run. */
export function asOf<S extends Pick<Share, 'state' | 'expiresAt'>>(share: S, now: number): S {
  return isExpired(share, now) ? { ...share, state: 'expired' } : share
}

/** How many more clients can download; null without a limit. */
export function downloadsLeft({
  maxDownloads,
  downloadCount,
}: Pick<Share, 'maxDownloads' | 'downloadCount'>): number | null {
  return maxDownloads === 0 ? null : Math.max(0, maxDownloads - downloadCount)
}

/** Whether the download limit is reached, so that no new download can begin. */
export function isUsedUp(share: Pick<Share, 'maxDownloads' | 'downloadCount'>): boolean {
  return downloadsLeft(share) === 0
}

/**
 * Refuses shares of other accounts as if they did not exist. An upload token opens only its draft,
 * or its round of additions.
 * @throws CodedError not_found; unauthorized for an upload token ended with its owner's sessions
 */
export function requireOwn<S extends Share>(actor: Actor, shareId: string, share: S | null): S {
  if (!share || share.ownerDisabledAt) throw new CodedError('not_found')
  const isOwn =
    actor.kind === 'user'
      ? share.ownerId === actor.userId
      : actor.shareId === shareId && isForRound(actor.version, share)
  if (!isOwn) throw new CodedError('not_found')
  const hasEnded = actor.kind === 'uploader' && actor.version !== uploadTokenVersion(share)
  if (hasEnded) throw new CodedError('unauthorized')
  return share
}

/**
 * Ties an upload token to the draft, or one round of additions, and to its owner's sessions: it
 * ends when they are all ended.
 */
export function uploadTokenVersion(share: Share): string {
  return `${share.additionsId ?? ''}#${share.ownerId}.${share.ownerUploadVersion}`
}

function isForRound(version: string | null, share: Share): boolean {
  return (version ?? '').split('#')[0] === (share.additionsId ?? '')
}

/** Names the moment of the end of a link, and the person to ask. */
export function ended(
  code: 'expired' | 'closed' | 'download_limit',
  { ownerName }: Pick<Share, 'ownerName'>,
  end: Date | null,
): CodedError {
  const since = end ? { since: end.toISOString() } : {}
  return new CodedError(code, { details: { ownerName, ...since } })
}

/** @throws CodedError conflict for a draft, expired */
export function requireOpen(share: Share, now: number): void {
  if (share.state === 'draft') {
    throw new CodedError('conflict', { message: 'The share is not complete yet.' })
  }
  if (isExpired(share, now)) throw new CodedError('expired')
}

/**
 * Drafts take chunks, and so do complete shares with pending additions.
 * @throws CodedError expired, already_complete
 */
export function requireTakesChunks(share: Share, now: number): void {
  if (share.state === 'draft') return
  if (isExpired(share, now)) throw new CodedError('expired')
  if (share.addingSince === null) throw new CodedError('already_complete')
}

/** For `downloads.abortAfter`: selects the transfers of one link. */
export function withdrawalVersionOf(
  { passwordVersion }: Pick<Share, 'passwordVersion'>,
  linkId: string | null,
): string {
  return linkId === null ? String(passwordVersion) : `${passwordVersion} ${linkId}`
}
