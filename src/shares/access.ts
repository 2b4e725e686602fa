import type { Actor, UserActor } from '../lib/actor.ts'
import { CodedError } from '../lib/errors.ts'
import type { ShareRow } from './sql.ts'

/**
 * Longer than any draft is kept: what ends an upload token is the end of what it was given for, or
 * of its owner's logins.
 */
export const uploadTokenLifeMs = 400 * 24 * 60 * 60_000

/** Expired is expired at once, before the clean-up runs too. */
export function isExpired(share: ShareRow, now: number): boolean {
  if (share.state === 'expired') return true
  return share.state === 'complete' && share.expiresAt !== null && share.expiresAt.getTime() <= now
}

/** The share in the state that it is in now, before the clean-up runs too. */
export function asOf(share: ShareRow, now: number): ShareRow {
  return isExpired(share, now) ? { ...share, state: 'expired' } : share
}

/** Whether its download limit is reached: nobody can begin to download any more. */
export function isUsedUp(share: Pick<ShareRow, 'maxDownloads' | 'downloadCount'>): boolean {
  return share.maxDownloads > 0 && share.downloadCount >= share.maxDownloads
}

/**
 * Somebody else's share does not exist, and an upload token opens one draft, or one round of
 * additions, only.
 * @throws CodedError not_found; unauthorized for an upload token that ended with its owner's logins
 */
export function requireOwn(actor: Actor, shareId: string, share: ShareRow | null): ShareRow {
  if (!share || share.ownerDisabledAt) throw new CodedError('not_found')
  const isOwn =
    actor.kind === 'user'
      ? share.ownerId === actor.userId
      : actor.shareId === shareId && isForRound(actor.version, share)
  if (!isOwn) throw new CodedError('not_found')
  const hasEnded = actor.kind === 'uploader' && !hangsOnLogins(actor.version, share)
  if (hasEnded) throw new CodedError('unauthorized')
  return share
}

/**
 * Ties an upload token to one round of additions, or the draft, and to the logins of its owner: it
 * ends when they are ended everywhere.
 */
export function uploadTokenVersion(share: ShareRow): string {
  return `${share.additionsId ?? ''}#${share.ownerId}.${share.ownerUploadVersion}`
}

function isForRound(version: string | null, share: ShareRow): boolean {
  return (version ?? '').split('#')[0] === (share.additionsId ?? '')
}

/** Tokens of before say nothing of logins: they are of the first. */
function hangsOnLogins(version: string | null, share: ShareRow): boolean {
  if (!version?.includes('#')) return share.ownerUploadVersion === 0
  return version === uploadTokenVersion(share)
}

/** Whether a chunk of this actor opens a complete share for more files. */
export function opensByChunk(actor: Actor, share: ShareRow, now: number): actor is UserActor {
  const isClosed = share.state === 'complete' && share.addingSince === null
  return actor.kind === 'user' && isClosed && !isExpired(share, now)
}

/** @throws CodedError conflict for a draft, expired */
export function requireOpen(share: ShareRow, now: number): void {
  if (share.state === 'draft') {
    throw new CodedError('conflict', { message: 'The share is not complete yet.' })
  }
  if (isExpired(share, now)) throw new CodedError('expired')
}

/**
 * Chunks come to drafts, and to complete shares that files are being added to.
 * @throws CodedError expired, already_complete
 */
export function requireTakesChunks(share: ShareRow, now: number): void {
  if (share.state === 'draft') return
  if (isExpired(share, now)) throw new CodedError('expired')
  if (share.addingSince === null) throw new CodedError('already_complete')
}
