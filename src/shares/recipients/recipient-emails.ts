import type { Sql } from '../../database/connect.ts'
import { asciiAddress } from '../../lib/email-address.ts'
import { findAddresses, type FoundAddresses } from '../../email/addresses.ts'
import { invalidInput } from '../../lib/errors.ts'
import type { TemplateData } from '../../email/templates.ts'
import type { EmailRow } from '../../email/sql.ts'
import { isUsedUp } from '../access.ts'
import { downloadsTopicOf } from '../activity/download-notices.ts'
import type { LinkedShare, Share } from '../sql.ts'
import type { ResendToken } from './resend-token.ts'
import type { EmailOutcome } from './outcomes.ts'
import { findDamagedFile, findEmailFacts, listEmailedFiles, type EmailFacts } from './sql.ts'
import type { ShareDeps } from '../deps.ts'

/** The fields of a share that emails use. */
type WrittenShare = LinkedShare &
  Pick<
    Share,
    | 'ownerId'
    | 'containerId'
    | 'name'
    | 'message'
    | 'passwordHash'
    | 'maxDownloads'
    | 'downloadCount'
  >

/** The outcome of emailing a share's recipients. */
export interface QueuedEmails extends FoundAddresses {
  readonly outcome: EmailOutcome
  /** Emails now in the queue. */
  readonly queued: number
}

/** State of an email; unknown for one that was never queued, or long ago. */
export interface RecipientEmail {
  readonly to: string
  readonly state: EmailRow['state'] | null
  /** Why the last attempt failed; empty after a success. */
  readonly lastError: string
  readonly at: Date | null
}

/** Selects recipients to email; with neither field, all recipients of the share. */
export interface ChosenReaders {
  /** As typed, in place of the share's recipients. */
  readonly recipients?: string
  /** Only this recipient. */
  readonly only?: string
}

type Deps = Pick<ShareDeps, 'emails' | 'log' | 'shareUrl'>

/** Emails a share's recipients, and tells its owner about damaged files. */
export class RecipientEmails {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * Queues an email to each address in the share's recipients, as part of the caller's transaction.
   * Replaces unsent ones. Call `send` after the commit.
   * @param options.token absent where emails are not limited
   * @throws CodedError invalid_input when the chosen recipient is not in the list
   */
  async write(
    sql: Sql,
    share: WrittenShare,
    facts: { readonly totalSize: number; readonly expiresAt: Date | null },
    { token, ...chosen }: ChosenReaders & { readonly token?: ResendToken } = {},
  ): Promise<QueuedEmails> {
    const { emails, shareUrl } = this.#deps
    const { more, found } = await this.#findReaders(sql, share, chosen)
    const obstacle = this.#findObstacle(share, found, token)
    if (!more || obstacle) return { ...found, outcome: obstacle ?? 'no recipients', queued: 0 }
    // Unsent emails to other recipients are still right.
    await emails.withdraw(sql, [topicOf(share.id)], found.addresses)
    const isProtected = share.passwordHash !== null
    const email = {
      kind: 'share',
      sender: { name: more.ownerName, address: more.ownerEmail },
      name: share.name,
      // Only people who know the password may see it.
      message: isProtected ? '' : share.message,
      url: shareUrl(share),
      fileCount: more.fileCount,
      size: facts.totalSize,
      firstFiles: isProtected ? [] : await listEmailedFiles(sql, share.containerId, 'first'),
      maxDownloads: share.maxDownloads,
      expiresAt: facts.expiresAt,
      isProtected,
    } as const
    return this.#queue(sql, share.id, email, found, token)
  }

  /**
   * Queues an email about added files to the same people, as part of the transaction that adds
   * them. Unsent emails stay, because they say something else.
   */
  async writeAdded(
    sql: Sql,
    share: WrittenShare & Pick<Share, 'expiresAt'>,
    added: { readonly fileCount: number; readonly size: number },
    token: ResendToken,
  ): Promise<QueuedEmails> {
    const { more, found } = await this.#findReaders(sql, share)
    const obstacle = this.#findObstacle(share, found, token)
    if (!more || obstacle) return { ...found, outcome: obstacle ?? 'no recipients', queued: 0 }
    const isProtected = share.passwordHash !== null
    const email = {
      kind: 'added_files',
      sender: { name: more.ownerName, address: more.ownerEmail },
      name: share.name,
      url: this.#deps.shareUrl(share),
      ...added,
      firstFiles: isProtected
        ? []
        : (await listEmailedFiles(sql, share.containerId, 'last')).slice(-added.fileCount),
      expiresAt: share.expiresAt,
      isProtected,
    } as const
    return this.#queue(sql, share.id, email, found, token)
  }

  /**
   * Why nothing should be queued, as far as that is known beforehand; otherwise takes the token.
   */
  #findObstacle(
    share: WrittenShare,
    { addresses }: FoundAddresses,
    token?: ResendToken,
  ): EmailOutcome | null {
    if (addresses.length === 0) return 'no recipients'
    if (isUsedUp(share)) return 'limit reached'
    return !token || !this.#deps.emails.isConfigured || token.take() ? null : 'too many'
  }

  async #queue(
    sql: Sql,
    shareId: string,
    email: TemplateData & { readonly expiresAt: Date | null },
    found: FoundAddresses,
    token: ResendToken | undefined,
  ): Promise<QueuedEmails> {
    const delivery = { to: found.addresses, topic: topicOf(shareId), usefulUntil: email.expiresAt }
    const { emails } = this.#deps
    const queued = await emails.queue(sql, email, delivery)
    if (queued > 0) return { ...found, outcome: 'queued', queued }
    token?.refund()
    return { ...found, outcome: emails.isConfigured ? 'queue full' : 'not configured', queued }
  }

  /** The recipients with an email address, and the content of their email. */
  async #findReaders(
    sql: Sql,
    { id, ownerId }: WrittenShare,
    { recipients, only }: ChosenReaders = {},
  ): Promise<{ more: EmailFacts | null; found: FoundAddresses }> {
    const more = await findEmailFacts(sql, id)
    const found = chosenOf(findAddresses(recipients ?? more?.recipients ?? ''), only)
    const count = found.ignored.length
    if (count > 0) this.#deps.log.warn('recipients without address', { ownerId, count })
    return { more, found }
  }

  /**
   * The newest email to each recipient of a share, including recipients without any; then those to
   * other addresses.
   */
  async list(sql: Sql, shareId: string): Promise<RecipientEmail[]> {
    const more = await findEmailFacts(sql, shareId)
    const { addresses } = findAddresses(more?.recipients ?? '')
    const mails = await this.#deps.emails.listNewest(topicOf(shareId))
    const byAddress = new Map(mails.map((mail) => [mail.recipient, mail]))
    return [...new Set([...addresses, ...byAddress.keys()])].map((to) => {
      const email = byAddress.get(to)
      if (!email) return { to, state: null, lastError: '', at: null }
      const { state, isRefused, sentAt, deadAt, createdAt } = email
      const lastError = isRefused ? email.lastError : ''
      return { to, state, lastError, at: sentAt ?? deadAt ?? createdAt }
    })
  }

  /** Tells the owner of a share's files that they are damaged. No-op for other files. */
  async writeDamage(sql: Sql, fileIds: readonly number[]): Promise<void> {
    const { emails, shareUrl } = this.#deps
    const file = await findDamagedFile(sql, fileIds[0]!)
    if (!file) return
    const { fileName, shareId, shareSlug, shareName: name, ownerEmail } = file
    const url = shareUrl({ id: shareId, slug: shareSlug })
    await emails.queue(
      sql,
      { kind: 'damaged_file', fileName, others: fileIds.length - 1, name, isDelivery: false, url },
      { to: [ownerEmail], topic: damageTopicOf(shareId), usefulUntil: null },
    )
  }

  /** Sends queued emails in the background. */
  send(): void {
    this.#deps.emails.wake()
  }

  /** Withdraws the emails to people who are no longer recipients. */
  async withdrawRemoved(sql: Sql, shareId: string, before: string, after: string): Promise<void> {
    const kept = new Set(findAddresses(after).addresses)
    const removed = findAddresses(before).addresses.filter((address) => !kept.has(address))
    if (removed.length > 0) await this.#deps.emails.withdraw(sql, [topicOf(shareId)], removed)
  }

  /** Withdraws the emails of removed shares. */
  async withdraw(sql: Sql, shareIds: readonly string[]): Promise<void> {
    const topics = shareIds.flatMap((shareId) => [
      topicOf(shareId),
      damageTopicOf(shareId),
      downloadsTopicOf(shareId),
    ])
    await this.#deps.emails.withdraw(sql, topics)
  }
}

function chosenOf(found: FoundAddresses, chosen: string | undefined): FoundAddresses {
  if (chosen === undefined) return found
  const only = asciiAddress(chosen)
  if (!found.addresses.includes(only)) throw invalidInput('to', 'must be among the recipients')
  return { addresses: [only], ignored: [] }
}

function topicOf(shareId: string): string {
  return `share:${shareId}`
}

/**
 * A topic apart from that of emails to recipients: new ones replace those, and must not replace
 * this.
 */
function damageTopicOf(shareId: string): string {
  return `damage:${shareId}`
}
