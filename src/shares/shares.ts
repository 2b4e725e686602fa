import { requesterOf } from '../accounts/passwords/passwords.ts'
import { requireLiveSession } from '../accounts/own-account/own-account.ts'
import type { Sql } from '../database/connect.ts'
import { filesOfEach } from '../bytes/file-listing.ts'
import type { ListedFileRow } from '../bytes/files-sql.ts'
import type { Actor, Manager, UserActor } from '../lib/actor.ts'
import { CodedError, requireFound } from '../lib/errors.ts'
import type { Clock } from '../lib/clock.ts'
import { OnePage, readPages, type Pages } from '../lib/pages.ts'
import { randomPublicId, randomRowId } from '../lib/random-id.ts'
import { chooseLife, type ExpirationInput } from '../settings/expiry.ts'
import type { UploadTarget, ContainerGrowth } from '../bytes/receive/commit.ts'
import type { FileList } from '../bytes/receive/finalize-body.ts'
import * as access from './access.ts'
import { countPreviewers } from './activity/sql.ts'
import { listAllShares, type ShareFilter } from './all-sql.ts'
import { addFiles, completeDraft, type FinalizeInput } from './finalize.ts'
import type { ResendToken } from './recipients/resend-token.ts'
import type { EmailOutcome } from './sql.ts'
import type { ChosenReaders, QueuedEmails } from './recipients/recipient-emails.ts'
import { listDraftProgress, type DraftProgress } from './draft-progress-sql.ts'
import { noSlug, refuseTaken, requireNoId, type ChosenSlug } from './slug.ts'
import * as rows from './sql.ts'
import { findShare, type Share } from './sql.ts'
import type { ShareBasis, ShareDeps } from './deps.ts'
import type { Settings } from '../settings/settings.ts'
import { checkFiles, refuseLargeShare } from '../bytes/receive/file-rules.ts'
import { findExceededQuota } from '../accounts/users/quota.ts'

type Deps = ShareBasis & Pick<ShareDeps, 'personalLinks'>

export interface NewShare extends ExpirationInput {
  readonly name: string
  readonly message: string
  readonly recipients: string
  readonly audience?: rows.Audience
  readonly recipientProof?: rows.RecipientProof
  readonly password: string
  readonly maxDownloads: number
  readonly chosenSlug?: ChosenSlug
}

export interface ShareWithFiles {
  readonly share: rows.ListedShare
  /** Files of a complete share; empty for others. */
  readonly files: Pages<ListedFileRow>
  /** Only for drafts. */
  readonly received: DraftProgress | null
  /** How many clients have only previewed files. */
  readonly previewCount: number
}

/** The outcome of a list that completed a share or was added to it. */
export interface Finalized {
  /** Outcome of the email about added files; null when none was requested. */
  readonly emailOutcome: EmailOutcome | null
  readonly renamed: FileList['renamed']
}

/** Shares, as their owners see them. */
export class Shares {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * Makes a draft. The upload token admits chunks even after the owner's session has ended.
   * @throws CodedError invalid_input, slug_taken
   */
  async init(actor: UserActor, input: NewShare): Promise<{ shareId: string; uploadToken: string }> {
    const { database, audit, storage, passwords, personalLinks, tokens, clock, settings } =
      this.#deps
    const createdAt = new Date(clock.now())
    const life = chooseLife(input, settings.values, createdAt)
    const hash = (password: string) => passwords.hash(password, requesterOf(actor))
    const passwordHash = input.password === '' ? null : await hash(input.password)
    const id = randomPublicId(settings.values.linkIdLength)
    const containerId = randomRowId()
    const { slug, field } = input.chosenSlug ?? noSlug
    requireNoId(slug, field)
    const inserting = database.begin(async (sql) => {
      await storage.createContainer(sql, containerId)
      const chosen = { audience: 'anyone', recipientProof: 'none', ...input } as const
      const ownerId = actor.userId
      const made = { ...chosen, id, containerId, ownerId, passwordHash, slug, ...life, createdAt }
      const share = await rows.insertShare(sql, made)
      await audit.record(sql, actor, 'share.created', share)
      await personalLinks.follow(sql, actor, share, { before: null, after: chosen })
      // Checked last: a session that has ended meanwhile must not get a token that outlives it.
      await requireLiveSession(sql, actor)
      return access.uploadTokenVersion(access.requireOwn(actor, id, share))
    })
    const version = await refuseTaken(inserting, 'shares_slug', field)
    const claims = { subject: id, version }
    const uploadToken = await tokens.sign('upload', claims, access.uploadTokenLifeMs)
    return { shareId: id, uploadToken }
  }

  /**
   * The actor's share that takes chunks: a draft, or one with pending additions.
   * @throws CodedError not_found, expired, already_complete
   */
  async findUnfinished(actor: Actor, shareId: string): Promise<rows.Share> {
    const share = await this.findOwn(actor, shareId)
    access.requireTakesChunks(share, this.#deps.clock.now())
    return share
  }

  /**
   * The actor's share in any state. Throws CodedError not_found, also for shares of other accounts.
   */
  async findOwn(actor: Actor, shareId: string): Promise<rows.Share> {
    const share = await rows.findShare(this.#deps.database.sql, shareId)
    return access.requireOwn(actor, shareId, share)
  }

  /** Where the chunks of a share go. `open` begins additions, where a chunk may do that. */
  uploadTarget(actor: Actor, share: rows.Share): UploadTarget {
    return chunkTarget(this.#deps, actor, share)
  }

  /**
   * Completes a draft with its list of files, once they are proved complete, and emails its
   * recipients. For a complete share, adds the files and emails recipients only if requested. The
   * same list again gets the same answer, without another email.
   * @throws CodedError one of finalizeErrors, expired
   */
  async finalize(actor: Actor, found: rows.Share, input: FinalizeInput): Promise<Finalized> {
    const { id: shareId, containerId } = found
    const { storage, uploads, clock, manifests, recipientEmails, settings } = this.#deps
    const rules = settings.values
    const { list, completed } = await uploads.finalize(
      containerId,
      input,
      rules,
      async (sql, list) => {
        const share = access.requireOwn(actor, shareId, await rows.findShare(sql, shareId))
        const isSame = share.listHash?.equals(list.hash) ?? false
        const isRepeated = input.files ? isSame : share.state !== 'draft'
        if (isRepeated && share.addingSince === null) return share.emailOutcome
        access.requireTakesChunks(share, clock.now())
        await storage.databaseSpace.require()
        const act = {
          actor,
          share,
          list,
          input,
          lock: () => lockUnchanged(sql, clock, actor, share, 'change'),
        }
        if (share.state !== 'draft') return addFiles(sql, this.#deps, act)
        await completeDraft(sql, this.#deps, act)
        return null
      },
    )
    manifests.wake()
    recipientEmails.send()
    return { emailOutcome: completed, renamed: list.renamed }
  }

  /**
   * Emails the recipients of a complete share again, one of them, or other addresses once.
   * @throws CodedError not_found, conflict for a draft, expired, invalid_input, rate_limited
   */
  async resend(
    actor: UserActor,
    shareId: string,
    options: ChosenReaders & { readonly token: ResendToken },
  ): Promise<QueuedEmails> {
    const { database, audit, clock, recipientEmails } = this.#deps
    const written = await database.begin(async (sql) => {
      const share = access.requireOwn(actor, shareId, await rows.findShare(sql, shareId, 'change'))
      access.requireOpen(share, clock.now())
      const result = await recipientEmails.write(sql, share, share, options)
      options.token.requireTaken()
      await audit.record(sql, actor, 'share.resent', share, { mails: result.queued })
      return result
    })
    recipientEmails.send()
    return written
  }

  /** All shares of the actor, newest first. */
  async *list(actor: UserActor): Pages<ShareWithFiles> {
    const { sql } = this.#deps.database
    const read = (last: rows.PagePlace | null, limit: number) =>
      rows.listSharesOf(sql, actor.userId, last, limit)
    for await (const page of readPages(read, [50, 300])) yield this.#withFiles(page)
  }

  /** The shares behind one of the list, at most `limit`, and whether more come behind them. */
  async listPage(
    actor: UserActor,
    behind: rows.PagePlace | null,
    limit: number,
  ): Promise<{ shares: ShareWithFiles[]; hasMore: boolean }> {
    const { sql } = this.#deps.database
    const found = await rows.listSharesOf(sql, actor.userId, behind, limit + 1)
    const shares = await this.#withFiles(found.slice(0, limit))
    return { shares, hasMore: found.length > limit }
  }

  async #withFiles(page: readonly rows.ListedShare[]): Promise<ShareWithFiles[]> {
    const { database, clock, uploads } = this.#deps
    const { sql } = database
    const now = clock.now()
    const shares = page.map((share) => access.asOf(share, now))
    const complete = shares.filter((share) => share.state === 'complete')
    const containerIds = complete.map((share) => share.containerId)
    const [filesBy, drafts, previewCounts] = await Promise.all([
      filesOfEach(sql, containerIds),
      listDraftProgress(sql, shares, now, uploads.open),
      countPreviewers(sql, shares),
    ])
    return shares.map((share) => ({
      share,
      files: share.state === 'complete' ? filesBy(share.containerId) : new OnePage([]),
      received: drafts.get(share.containerId) ?? null,
      previewCount: previewCounts.get(share.id) ?? 0,
    }))
  }

  /**
   * Deletes a share and aborts its running downloads. Frees as many of its rows and bytes as time
   * allows; the job frees the rest.
   * @throws CodedError not_found
   */
  async delete(actor: UserActor, shareId: string): Promise<void> {
    await this.deleteAny(actor, shareId, (share) => access.requireOwn(actor, shareId, share))
  }

  /**
   * The same for a share of any account, including disabled ones.
   * @throws CodedError not_found
   */
  async deleteAny(actor: Manager, shareId: string, require = requireFound<rows.Share>) {
    const finish = await this.#deps.database.begin(async (sql) => {
      const share = require(await rows.findShare(sql, shareId, 'change'))
      await rows.deleteShareRow(sql, share.id)
      return this.#tombstone(sql, actor, [share])
    })
    await finish()
  }

  /** The shares of all accounts, newest first, without their files. */
  async listAll(filter: ShareFilter) {
    const { database, clock, uploads } = this.#deps
    const now = clock.now()
    const found = await listAllShares(database.sql, filter, new Date(now))
    const shares = found.map(({ share }) => share)
    const drafts = await listDraftProgress(database.sql, shares, now, uploads.open)
    return found.map(({ share, ...owned }) => {
      const received = drafts.get(share.containerId) ?? null
      return { ...owned, share: access.asOf(share, now), received }
    })
  }

  /** The shares of an account, transferred or deleted with it: see accounts/users/users.ts. */
  async lock(sql: Sql, userId: number): Promise<void> {
    await rows.lockSharesOf(sql, userId)
  }

  async transfer(sql: Sql, fromId: number, toId: number): Promise<void> {
    await rows.transferShares(sql, fromId, toId)
  }

  async tombstone(sql: Sql, actor: Manager, userId: number): Promise<() => Promise<void>> {
    return this.#tombstone(sql, actor, await rows.deleteSharesOf(sql, userId))
  }

  /** For shares whose rows are deleted. Returns a function to call after the commit. */
  async #tombstone(
    sql: Sql,
    actor: Manager,
    deleted: readonly Pick<Share, 'id' | 'name' | 'containerId'>[],
  ): Promise<() => Promise<void>> {
    const { audit, storage, downloads, recipientEmails } = this.#deps
    await audit.recordEach(sql, actor, 'share.deleted', deleted)
    const keys = deleted.map(({ id }) => id)
    await recipientEmails.withdraw(sql, keys)
    const containers = deleted.map(({ id, containerId }) => ({ containerId, shareId: id }))
    await storage.tombstone(sql, containers)
    const abort = await downloads.abortAfter(sql, keys)
    return async () => {
      abort()
      await storage.removeNow(containers.map(({ containerId }) => containerId))
    }
  }
}

/** Where the chunks of a share go, and what is checked again at each commit. */
function chunkTarget({ settings, clock }: ShareBasis, actor: Actor, share: Share): UploadTarget {
  let { ownerQuota } = share
  return {
    containerId: share.containerId,
    sender: actor.kind === 'user' ? `user ${actor.userId}` : `uploader ${actor.version}`,
    round: share.additionsId,
    get maxFileSize() {
      return settings.values.maxFileSize
    },
    checkFile: (file) => checkFiles([file], settings.values),
    recheck: async (sql) => {
      const locked = await lockUnchanged(sql, clock, actor, share, 'chunk')
      ownerQuota = locked.ownerQuota
    },
    checkLimits: (sql, growth) => checkLimits(sql, settings, { ...share, ownerQuota }, growth),
  }
}

/**
 * Locks a share that was read without a lock, if it still takes the same chunks.
 * @throws CodedError not_found, expired, already_complete
 */
async function lockUnchanged(
  sql: Sql,
  clock: Clock,
  actor: Actor,
  { id, additionsId }: Share,
  lock: 'chunk' | 'change',
): Promise<Share> {
  const locked = access.requireOwn(actor, id, await findShare(sql, id, lock))
  access.requireTakesChunks(locked, clock.now())
  // A chunk of ended additions belongs to no later ones.
  if (locked.additionsId !== additionsId) throw new CodedError('already_complete')
  return locked
}

/** Exact sums, under locks: claimed sizes and concurrent chunks cannot exceed the limits. */
async function checkLimits(sql: Sql, settings: Settings, share: Share, growth: ContainerGrowth) {
  const { maxShareSize, userQuota } = settings.values
  refuseLargeShare(growth.liveBytes, maxShareSize)
  const account = { userId: share.ownerId, quota: share.ownerQuota }
  const exceeded = await findExceededQuota(sql, account, growth, userQuota)
  if (exceeded === null) return
  const { quota, used } = exceeded
  throw new CodedError('quota_exceeded', {
    message: `The quota of ${quota} bytes is used up (${used} bytes used).`,
    details: { quota, used },
  })
}
