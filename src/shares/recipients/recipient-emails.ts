import type { Sql } from '../../database/connect.ts'
import type { Log } from '../../lib/log.ts'
import { findAddresses, type FoundAddresses } from '../../email/addresses.ts'
import { invalidInput } from '../../lib/errors.ts'
import type { TemplateData } from '../../email/templates.ts'
import type { Emails } from '../../email/emails.ts'
import type { MailRow } from '../../email/sql.ts'
import { isUsedUp } from '../access.ts'
import type { LinkedShare, ShareRow } from '../sql.ts'
import type { ResendToken } from './resend-token.ts'
import type { MailOutcome } from './outcomes.ts'
import { findDamagedFile, findEmailFacts, type EmailFacts } from './sql.ts'

/** A share as emails speak of it. */
type WrittenShare = LinkedShare &
  Pick<ShareRow, 'ownerId' | 'name' | 'message' | 'passwordHash' | 'maxDownloads' | 'downloadCount'>

/** What came of writing to a share's recipients. */
export interface QueuedEmails extends FoundAddresses {
  readonly outcome: MailOutcome
  /** Letters now in the queue. */
  readonly queued: number
}

/** What became of an email; nothing is known of one that was never written, or long ago. */
export interface RecipientEmail {
  readonly to: string
  readonly state: MailRow['state'] | null
  /** Why it was not taken the last time; empty when it was. */
  readonly lastError: string
  readonly at: Date | null
}

/** Who of all recipients is written to; everybody the share names when both are absent. */
export interface ChosenReaders {
  /** As people write them, in place of those of the share. */
  readonly recipients?: string
  /** The one of them. */
  readonly only?: string
}

export interface RecipientEmailsDeps {
  readonly emails: Emails
  readonly log: Log
  /** The address people open a share at. */
  readonly shareUrl: (share: LinkedShare) => string
}

/** Tells a share's recipients that there is something for them, and its owner what broke. */
export class RecipientEmails {
  readonly #deps: RecipientEmailsDeps

  constructor(deps: RecipientEmailsDeps) {
    this.#deps = deps
  }

  /**
   * Writes to everybody whose address is found in the share's recipients, as part of the caller's
   * transaction; what still waits from before is replaced. Call `send` once it is committed.
   * @param options.token absent where writing is not counted
   * @throws CodedError invalid_input when the one that is meant is none of them
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
    // What waits for others says what they are to know still.
    await emails.withdraw(sql, [topicOf(share.id)], found.addresses)
    const isProtected = share.passwordHash !== null
    const email = {
      kind: 'share',
      sender: { name: more.ownerName, address: more.ownerEmail },
      name: share.name,
      // Behind a password it is shown to those alone who know it.
      message: isProtected ? '' : share.message,
      url: shareUrl(share),
      fileCount: more.fileCount,
      size: facts.totalSize,
      expiresAt: facts.expiresAt,
      isProtected,
    } as const
    return this.#queue(sql, share.id, email, found, token)
  }

  /**
   * Tells the same people of files that were added, as part of the transaction that adds them.
   * What still waits from before stays: it says something else.
   */
  async writeAdded(
    sql: Sql,
    share: WrittenShare & Pick<ShareRow, 'expiresAt'>,
    added: { readonly fileCount: number; readonly size: number },
    token: ResendToken,
  ): Promise<QueuedEmails> {
    const { more, found } = await this.#findReaders(sql, share)
    const obstacle = this.#findObstacle(share, found, token)
    if (!more || obstacle) return { ...found, outcome: obstacle ?? 'no recipients', queued: 0 }
    const email = {
      kind: 'added_files',
      sender: { name: more.ownerName, address: more.ownerEmail },
      name: share.name,
      url: this.#deps.shareUrl(share),
      ...added,
      expiresAt: share.expiresAt,
      isProtected: share.passwordHash !== null,
    } as const
    return this.#queue(sql, share.id, email, found, token)
  }

  /** Why nothing is to be written, as far as that is known beforehand; else takes the token. */
  #findObstacle(
    share: WrittenShare,
    { addresses }: FoundAddresses,
    token?: ResendToken,
  ): MailOutcome | null {
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

  /** Those whose addresses are found in the recipients, and what they are told. */
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
   * What became of the newest email to each recipient of a share, and who has got none; then of
   * those to others.
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

  /** Tells the owner of files of one share that they are damaged. No-op for other files. */
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

  /** Sends what was written, in the background. */
  send(): void {
    this.#deps.emails.wake()
  }

  /** Takes back the emails to those who are recipients no more. */
  async withdrawRemoved(sql: Sql, shareId: string, before: string, after: string): Promise<void> {
    const kept = new Set(findAddresses(after).addresses)
    const removed = findAddresses(before).addresses.filter((address) => !kept.has(address))
    if (removed.length > 0) await this.#deps.emails.withdraw(sql, [topicOf(shareId)], removed)
  }

  /** Takes back the emails of shares that go. */
  async withdraw(sql: Sql, shareIds: readonly string[]): Promise<void> {
    const topics = shareIds.flatMap((shareId) => [topicOf(shareId), damageTopicOf(shareId)])
    await this.#deps.emails.withdraw(sql, topics)
  }
}

function chosenOf(found: FoundAddresses, only: string | undefined): FoundAddresses {
  if (only === undefined) return found
  if (!found.addresses.includes(only)) throw invalidInput('to', 'must be among the recipients')
  return { addresses: [only], ignored: [] }
}

function topicOf(shareId: string): string {
  return `share:${shareId}`
}

/** Not that of the emails to recipients: new ones replace those, and must not replace this. */
function damageTopicOf(shareId: string): string {
  return `damage:${shareId}`
}
