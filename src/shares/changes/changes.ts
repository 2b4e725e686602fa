import type * as v from 'valibot'
import { changedFields } from '../../audit/changed-fields.ts'
import type { Sql } from '../../database/connect.ts'
import { emptyFoldersOf, filesOf } from '../../bytes/file-listing.ts'
import type { UserActor } from '../../lib/actor.ts'
import { CodedError } from '../../lib/errors.ts'
import { OnePage, type Pages } from '../../lib/pages.ts'
import { chooseLife, givesExpiration, type Life } from '../../settings/expiry.ts'
import { requesterOf } from '../../accounts/passwords/passwords.ts'
import { asOf, isExpired, requireOwn } from '../access.ts'
import type { ShareWithFiles } from '../shares.ts'
import { countPreviewers } from '../activity/sql.ts'
import { listDraftProgress } from '../draft-progress-sql.ts'
import { refuseTaken, requireNoId } from '../slug.ts'
import { findShare, type Share } from '../sql.ts'
import * as rows from './sql.ts'
import type { ShareBasis, ShareDeps } from '../deps.ts'
import type { shareChangeSchema } from './operations.ts'

type Deps = ShareBasis & Pick<ShareDeps, 'personalLinks'>

/** What an owner may change. Null and absent fields stay as they are. */
type ShareChange = v.InferOutput<typeof shareChangeSchema>

export interface ShareDetails extends ShareWithFiles {
  readonly share: rows.DetailedShare
  /** Null for a draft, and for a share without any. */
  readonly emptyFolders: Pages<string> | null
}

/** The names of the fields in the audit log. */
const fieldNames = {
  passwordHash: 'password',
  expirationValue: 'expiration',
  expirationUnit: 'expiration',
  isEndFixed: 'expiration',
  expiresAt: 'expires_at',
  recipientProof: 'recipient_proof',
  maxDownloads: 'max_downloads',
  notifyDownloads: 'notify_downloads',
}

/** One share in full, and its later changes by its owner. */
export class ShareChanges {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * The actor's share, in any state.
   * @throws CodedError not_found, also for a share of another account
   */
  async find(actor: UserActor, shareId: string): Promise<ShareDetails> {
    const { sql } = this.#deps.database
    const share = await rows.findDetailedShare(sql, shareId)
    return this.#describe(sql, requireOwn(actor, shareId, share))
  }

  /**
   * The actor's share while it can still be changed.
   * @throws CodedError not_found, expired
   */
  async findOpen(actor: UserActor, shareId: string): Promise<Share> {
    return this.#requireOpen(actor, shareId, await findShare(this.#deps.database.sql, shareId))
  }

  /**
   * Changes a share, all or nothing. A new or removed password ends what the old one had opened:
   * running downloads, unlocks and leases. So does another audience or proof.
   * @throws CodedError not_found, expired, invalid_input, already_complete, slug_taken
   */
  async update(actor: UserActor, shareId: string, change: ShareChange): Promise<ShareDetails> {
    const { database, audit, downloads, passwords, personalLinks, recipientEmails, clock } =
      this.#deps
    // Slow on purpose, so it runs outside of the lock.
    const hash = (password: string) => passwords.hash(password, requesterOf(actor))
    const passwordHash = change.password ? await hash(change.password) : null
    let abortOpened = () => {}
    let abortRemoved = () => {}
    const details = await refuseTaken(
      database.begin(async (sql) => {
        const locked = await rows.findDetailedShare(sql, shareId, true)
        const old = this.#requireOpen(actor, shareId, locked)
        requireNoId(change.slug, 'slug')
        const hasNewPassword = changesPassword(old, change)
        const next = {
          name: change.name ?? old.name,
          message: change.message ?? old.message,
          recipients: change.recipients ?? old.recipients,
          audience: change.audience ?? old.audience,
          recipientProof: change.recipientProof ?? old.recipientProof,
          passwordHash: hasNewPassword ? passwordHash : old.passwordHash,
          maxDownloads: change.maxDownloads ?? old.maxDownloads,
          ...this.#lifeOf(old, change),
          slug: (change.slug ?? old.slug) || null,
          published: publishedOf(old, change),
          notifyDownloads: change.notifyDownloads ?? old.notifyDownloads,
        }
        const endsOpened =
          hasNewPassword ||
          next.audience !== old.audience ||
          next.recipientProof !== old.recipientProof
        if (endsOpened) abortOpened = await downloads.abortAfter(sql, [shareId], 'unavailable')
        const passwordVersion = old.passwordVersion + (endsOpened ? 1 : 0)
        const expectedBytes = expectedBytesOf(old, change)
        abortRemoved = await personalLinks.follow(sql, actor, old, { before: old, after: next })
        // Unsent emails have a link that is not found then, or that is no longer the person's own.
        if (next.audience !== old.audience) await recipientEmails.withdrawFrom(sql, shareId)
        else await recipientEmails.withdrawRemoved(sql, shareId, old.recipients, next.recipients)
        const values = { ...old, ...next, passwordVersion, expectedBytes }
        const updated = await rows.updateShare(sql, values, new Date(clock.now()))
        if (updated?.state === 'complete') await recipientEmails.rewrite(sql, updated)
        // No decision worth an audit event: the expected size, and a draft that has no link yet.
        const fields = changedFields(old, next, fieldNames)
        const isSeen = updated?.state !== 'draft' || updated.published
        if (isSeen && fields.length > 0)
          await audit.record(sql, actor, 'share.changed', old, { fields })
        return this.#describe(sql, requireOwn(actor, shareId, updated))
      }),
      'shares_slug',
      'slug',
    )
    abortOpened()
    abortRemoved()
    return details
  }

  /**
   * Ends a complete share now, as if it had expired: also its running downloads and unsent emails.
   * @throws CodedError not_found, expired; conflict for a draft
   */
  async stop(actor: UserActor, shareId: string): Promise<ShareDetails> {
    const { database, audit, downloads, recipientEmails, clock } = this.#deps
    let abort = () => {}
    const details = await database.begin(async (sql) => {
      const locked = await rows.findDetailedShare(sql, shareId, true)
      const share = this.#requireOpen(actor, shareId, locked)
      if (share.state === 'draft') throw new CodedError('conflict')
      abort = await downloads.abortAfter(sql, [shareId], 'expired')
      const at = new Date(clock.now())
      const stopped = await rows.updateShare(sql, { ...share, expiresAt: at }, at)
      await recipientEmails.withdraw(sql, [share.id])
      const what = { fields: ['expires_at'], stopped: true }
      await audit.record(sql, actor, 'share.changed', share, what)
      return this.#describe(sql, requireOwn(actor, shareId, stopped))
    })
    abort()
    return details
  }

  async #describe(sql: Sql, found: rows.DetailedShare): Promise<ShareDetails> {
    const now = this.#deps.clock.now()
    const share = asOf(found, now)
    const { state, containerId } = share
    // Pages are read after the transaction.
    const later = this.#deps.database.sql
    const isListed = state === 'complete'
    const files = isListed ? filesOf(later, containerId) : new OnePage([])
    const emptyFolders = isListed ? await emptyFoldersOf(sql, containerId, later) : null
    const drafts = await listDraftProgress(sql, [share], now, this.#deps.uploads.open)
    const received = drafts.get(containerId) ?? null
    const previewCount = (await countPreviewers(sql, [share])).get(share.id) ?? 0
    return { share, files, emptyFolders, received, previewCount }
  }

  /** @throws CodedError not_found; expired, even before the clean-up has run */
  #requireOpen<S extends Share>(actor: UserActor, shareId: string, found: S | null): S {
    const share = requireOwn(actor, shareId, found)
    if (isExpired(share, this.#deps.clock.now())) throw new CodedError('expired')
    return share
  }

  /**
   * A new life counts from now. For a draft it counts from its creation until finalize restarts it.
   * @throws CodedError invalid_input
   */
  #lifeOf(old: Share, change: ShareChange): Life {
    if (!givesExpiration(change)) {
      const { expirationValue, expirationUnit, isEndFixed, expiresAt } = old
      return { expirationValue, expirationUnit, isEndFixed, expiresAt }
    }
    const { settings, clock } = this.#deps
    const now = new Date(clock.now())
    const from = old.state === 'draft' ? old.createdAt : now
    return chooseLife(change, settings.values, from, now)
  }
}

/**
 * Setting the same password again is a change: hashes cannot be compared, and it may be intended.
 */
function changesPassword(old: Share, { password }: ShareChange): boolean {
  if (password === null || password === undefined) return false
  return password !== '' || old.passwordHash !== null
}

/** Ignored once the share is complete. */
function expectedBytesOf(old: Share, { expectedBytes }: ShareChange): number {
  return old.state === 'draft' ? (expectedBytes ?? old.expectedBytes) : 0
}

/** @throws CodedError already_complete, because complete shares are public */
function publishedOf(old: Share, { published }: ShareChange): boolean {
  if (old.state === 'draft') return published ?? old.published
  if (published === false) throw new CodedError('already_complete')
  return old.published
}
