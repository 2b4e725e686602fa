import type { AuditActor } from '../audit/audit.ts'
import type { Sql } from '../database/connect.ts'
import type { Actor } from '../lib/actor.ts'
import { invalidInput } from '../lib/errors.ts'
import { randomRowId } from '../lib/random-id.ts'
import { endFrom } from '../settings/expiry.ts'
import { assembleFiles } from '../bytes/receive/finalize.ts'
import { refuseLargeShare } from '../bytes/receive/file-rules.ts'
import { setLiveBytes } from '../bytes/receive/sql.ts'
import type { FileList } from '../bytes/receive/finalize-body.ts'
import type { FinalizeInput as ReceivedInput } from '../bytes/receive/uploads.ts'
import { EntryNames } from '../bytes/archive/names.ts'
import { endAdditions, readNames } from './additions/additions.ts'
import type { ResendToken } from './recipients/resend-token.ts'
import type { EmailOutcome } from './sql.ts'
import { keepEmailOutcome } from './additions/sql.ts'
import { completeShare, type Share } from './sql.ts'
import type { ShareBasis } from './deps.ts'

export interface FinalizeInput extends ReceivedInput {
  /** For telling recipients about added files; null when that was not requested. */
  readonly token: ResendToken | null
}

/** Context of finalizing a share with a locked container. */
interface Finalizing {
  readonly actor: Actor
  /** As it was before the files were proved. */
  readonly share: Share
  readonly list: FileList
  readonly input: FinalizeInput
  /**
   * Locks the share in its present state, for the last and short part: downloads wait for it.
   * @throws CodedError when it no longer takes files
   */
  readonly lock: () => Promise<Share>
}

/** Completes a draft and emails its recipients. */
export async function completeDraft(
  sql: Sql,
  { audit, clock, recipientEmails, uploads }: ShareBasis,
  { actor, share: { containerId }, list, input, lock }: Finalizing,
): Promise<void> {
  const finalizedAt = new Date(clock.now())
  const { discardUnlisted } = input
  const options = { discardUnlisted, createdAt: finalizedAt, names: new EntryNames() }
  await assembleFiles(sql, containerId, list, options)
  const share = await lock()
  await setLiveBytes(sql, containerId, list.bytes)
  const totalSize = list.bytes
  const end = endOf(share, finalizedAt)
  await completeShare(sql, {
    id: share.id,
    listHash: list.hash,
    revision: randomRowId(),
    totalSize,
    expiresAt: end,
    finalizedAt,
  })
  const { queued: mails } = await recipientEmails.write(sql, share, { totalSize, expiresAt: end })
  const details = { ...doerDetails(actor), files: list.count, bytes: totalSize, mails }
  await audit.record(sql, doerOf(actor, share), 'share.finalized', share, details)
  uploads.countFinished()
}

/**
 * A chosen moment may have passed while the files came. Once complete, such a share would be over:
 * its files deleted, and nothing left to change.
 * @throws CodedError invalid_input
 */
function endOf(share: Share, finalizedAt: Date): Date | null {
  const end = endFrom(finalizedAt, share)
  if (end === null || end > finalizedAt) return end
  throw invalidInput('expiresAt', 'has passed; change it first, then complete the share again')
}

/** Adds files to a share and, if requested, emails its recipients. */
export async function addFiles(
  sql: Sql,
  { audit, clock, recipientEmails, settings, uploads }: ShareBasis,
  { actor, share: { containerId, totalSize }, list, input, lock }: Finalizing,
): Promise<EmailOutcome | null> {
  const { discardUnlisted, token } = input
  const at = new Date(clock.now())
  refuseLargeShare(totalSize + list.bytes, settings.values.maxShareSize)
  // The other files keep their ids, names and places in the archive.
  const names = list.count === 0 ? new EntryNames() : await readNames(sql, containerId)
  await assembleFiles(sql, containerId, list, { discardUnlisted, createdAt: at, names })
  const share = await lock()
  await endAdditions(sql, share, list, at)
  const { count: files, bytes } = list
  const added = { fileCount: files, size: bytes }
  const written =
    token && files > 0 ? await recipientEmails.writeAdded(sql, share, added, token) : null
  const mails = written ? { mails: written.queued } : {}
  const details = { ...doerDetails(actor), files, bytes, ...mails }
  await audit.record(sql, doerOf(actor, share), 'share.files_added', share, details)
  uploads.countFinished()
  if (!written) return null
  await keepEmailOutcome(sql, share.id, written.outcome)
  return written.outcome
}

/** For the audit log: an upload token acts for the owner of its draft. */
function doerOf(actor: Actor, share: Share): AuditActor {
  return actor.kind === 'user' ? actor : { kind: 'user', userId: share.ownerId, ip: actor.ip }
}

function doerDetails(actor: Actor): { by?: string } {
  return actor.kind === 'user' ? {} : { by: 'upload_token' }
}
