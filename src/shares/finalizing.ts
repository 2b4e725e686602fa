import type { Audit, AuditActor } from '../audit/audit.ts'
import type { Sql } from '../db/connect.ts'
import type { Actor } from '../lib/actor.ts'
import type { Clock } from '../lib/clock.ts'
import { randomRowId } from '../lib/random-id.ts'
import { expiresAt } from '../settings/expiry.ts'
import type { Settings } from '../settings/settings.ts'
import { assembleFiles } from '../uploads/assemble.ts'
import type { FileList, ListedFileInput } from '../uploads/file-list.ts'
import { finalizeAdditions } from './additions/additions.ts'
import type { LetterToken } from './letters/letter-token.ts'
import type { MailOutcome } from './letters/outcomes.ts'
import type { ShareLetters } from './letters/share-letters.ts'
import { keepTold } from './additions/sql.ts'
import { completeShare, type ShareRow } from './sql.ts'

export interface FinalizeInput {
  readonly files: readonly ListedFileInput[]
  readonly discardUnlisted: boolean
  /** For telling recipients of added files; null when nobody asked for that. */
  readonly token: LetterToken | null
}

interface Parts {
  readonly audit: Audit
  readonly letters: ShareLetters
  readonly settings: Settings
  readonly clock: Clock
}

/** What is done to a share that is locked. */
interface Finalizing {
  readonly actor: Actor
  readonly share: ShareRow
  readonly list: FileList
  readonly input: FinalizeInput
}

/** Makes a draft a share, and writes to its recipients. */
export async function completeDraft(
  sql: Sql,
  { audit, clock, letters }: Parts,
  { actor, share, list, input }: Finalizing,
): Promise<void> {
  const finalizedAt = new Date(clock.now())
  const options = { discardUnlisted: input.discardUnlisted, createdAt: finalizedAt }
  const totalSize = await assembleFiles(sql, share.parcelId, list.files, options)
  const expiration = { value: share.expirationValue, unit: share.expirationUnit }
  const end = expiresAt(finalizedAt, expiration)
  await completeShare(sql, {
    id: share.id,
    listHash: list.hash,
    revision: randomRowId(),
    totalSize,
    expiresAt: end,
    finalizedAt,
  })
  const { queued: mails } = await letters.write(sql, share, { totalSize, expiresAt: end })
  const files = list.files.length
  const details = { ...doerDetails(actor), files, bytes: totalSize, mails }
  await audit.record(sql, doerOf(actor, share), 'share.finalized', share, details)
}

/** Adds files to a share, and tells its recipients when that is asked for. */
export async function addFiles(
  sql: Sql,
  { audit, clock, letters, settings }: Parts,
  { actor, share, list, input }: Finalizing,
): Promise<MailOutcome | null> {
  const { discardUnlisted, token } = input
  const { maxShareSize } = settings.values
  const rules = { discardUnlisted, maxShareSize, now: clock.now() }
  const bytes = await finalizeAdditions(sql, share, list, rules)
  const files = list.files.length
  const added = { fileCount: files, size: bytes }
  const written = token && files > 0 ? await letters.writeAdded(sql, share, added, token) : null
  const mails = written ? { mails: written.queued } : {}
  const details = { ...doerDetails(actor), files, bytes, ...mails }
  await audit.record(sql, doerOf(actor, share), 'share.files_added', share, details)
  if (!written) return null
  await keepTold(sql, share.id, written.outcome)
  return written.outcome
}

/** As the audit log tells it: an upload token acts for the owner of its draft. */
function doerOf(actor: Actor, share: ShareRow): AuditActor {
  return actor.kind === 'user' ? actor : { kind: 'user', userId: share.ownerId, ip: actor.ip }
}

function doerDetails(actor: Actor): { by?: string } {
  return actor.kind === 'user' ? {} : { by: 'upload_token' }
}
