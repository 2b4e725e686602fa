import type { Sql } from '../../database/connect.ts'
import { asciiAddress } from '../../lib/email-address.ts'
import { findAddresses, type FoundAddresses } from '../../email/addresses.ts'
import type { Sender } from '../../email/blocks.ts'
import { invalidInput } from '../../lib/errors.ts'
import type { LinkTemplateData } from '../../email/share-templates.ts'
import type { EmailRow } from '../../email/sql.ts'
import { isUsedUp } from '../access.ts'
import { downloadsTopicOf } from '../downloads/download-notices.ts'
import { listLinks } from '../personal-links/sql.ts'
import type { Share } from '../sql.ts'
import type { ResendToken } from './resend-token.ts'
import type { EmailOutcome } from '../sql.ts'
import { findDamagedFile, findEmailFacts, listEmailedFiles, type EmailFacts } from './sql.ts'
import type { ShareDeps } from '../deps.ts'

export interface QueuedEmails extends FoundAddresses {
  readonly outcome: EmailOutcome
  readonly queued: number
}

/** State of an email; unknown for one that was never queued, or long ago. */
export interface RecipientEmail {
  readonly to: string
  readonly state: EmailRow['state'] | null
  /** Why the last attempt failed; empty after a success. */
  readonly lastError: string
  readonly at: Date | null
  readonly createdAt: Date | null
}

/** Selects recipients to email; with neither field, all recipients of the share. */
export interface ChosenReaders {
  /** As typed, in place of the share's recipients. */
  readonly recipients?: string
  readonly only?: string
}

type WithoutUrl<T> = T extends unknown ? Omit<T, 'url'> : never

type LinkEmail = WithoutUrl<LinkTemplateData>

interface Readers {
  readonly more: EmailFacts | null
  readonly found: FoundAddresses
  /** The link in the email to this address. */
  readonly urlFor: (address: string) => string
}

type Deps = Pick<ShareDeps, 'emails' | 'log' | 'shareUrl' | 'baseUrl'>

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
    share: Share,
    facts: Pick<Share, 'totalSize' | 'expiresAt'>,
    { token, ...chosen }: ChosenReaders & { readonly token?: ResendToken } = {},
  ): Promise<QueuedEmails> {
    const readers = await this.#findReaders(sql, share, chosen)
    return this.#queue(sql, share, readers, token, (more) => shareEmail(sql, share, facts, more))
  }

  /**
   * Queues an email about added files to the same people, as part of the transaction that adds
   * them. Unsent emails stay, because they say something else.
   */
  async writeAdded(
    sql: Sql,
    share: Share,
    added: { readonly fileCount: number; readonly size: number },
    token: ResendToken,
  ): Promise<QueuedEmails> {
    const isProtected = share.passwordHash !== null
    const readers = await this.#findReaders(sql, share)
    return this.#queue(sql, share, readers, token, async (more) => ({
      kind: 'added_files',
      sender: senderOf(more),
      name: share.name,
      ...added,
      firstFiles: isProtected
        ? []
        : (await listEmailedFiles(sql, share.containerId, 'last')).slice(-added.fileCount),
      expiresAt: share.expiresAt,
      isProtected,
    }))
  }

  /** Corrects unsent emails, in the transaction that changes the share or removes files. */
  async rewrite(sql: Sql, share: Share) {
    const sent = { topic: topicOf(share.id), usefulUntil: share.expiresAt }
    await this.#deps.emails.rewrite(sql, sent, ['share', 'added_files'], async () => {
      const { more, urlFor } = await this.#findReaders(sql, share)
      if (!more) return null
      const email = await shareEmail(sql, share, share, more)
      const newest = await listEmailedFiles(sql, share.containerId, 'last')
      const names = new Set(email.isProtected ? [] : newest.map(({ name }) => name))
      return ({ recipient, added }) => {
        const url = urlFor(recipient)
        if (!added) return { ...email, url }
        const firstFiles = added.firstFiles.filter(({ name }) => names.has(name))
        return { ...email, ...added, kind: 'added_files', firstFiles, url }
      }
    })
  }

  /**
   * Why nothing should be queued, as far as that is known beforehand; otherwise takes the token.
   */
  #findObstacle(
    share: Share,
    { addresses }: FoundAddresses,
    token?: ResendToken,
  ): EmailOutcome | null {
    if (addresses.length === 0) return 'no recipients'
    if (isUsedUp(share)) return 'limit reached'
    return !token || !this.#deps.emails.isConfigured || token.take() ? null : 'too many'
  }

  /** @param write called unless something is in the way */
  async #queue(
    sql: Sql,
    share: Share,
    { more, found, urlFor }: Readers,
    token: ResendToken | undefined,
    write: (more: EmailFacts) => Promise<LinkEmail>,
  ): Promise<QueuedEmails> {
    const { emails } = this.#deps
    const obstacle = this.#findObstacle(share, found, token)
    if (!more || obstacle) return { ...found, outcome: obstacle ?? 'no recipients', queued: 0 }
    const email = await write(more)
    const { addresses } = found
    // Each address has a link of its own, or all have the same.
    const groups = share.audience === 'named' ? addresses.map((address) => [address]) : [addresses]
    let queued = 0
    for (const to of groups) {
      // Emails about added files stay beside those about the share.
      const isReplacing = email.kind === 'share'
      const addressing = { to, topic: topicOf(share.id), usefulUntil: email.expiresAt, isReplacing }
      queued += await emails.queue(sql, { ...email, url: urlFor(to[0]!) }, addressing)
    }
    if (queued > 0) return { ...found, outcome: 'queued', queued }
    token?.refund()
    return { ...found, outcome: emails.isConfigured ? 'queue full' : 'not configured', queued }
  }

  /**
   * The recipients with an email address, and the content of their email. Those of a share for
   * named people are these people, whatever its recipients say.
   */
  async #findReaders(
    sql: Sql,
    share: Share,
    { recipients, only }: ChosenReaders = {},
  ): Promise<Readers> {
    const { shareUrl, log } = this.#deps
    const { id, ownerId, audience } = share
    const more = await findEmailFacts(sql, id)
    const tokens = audience === 'named' ? await this.#findTokens(sql, id) : null
    const all = tokens
      ? { addresses: [...tokens.keys()], ignored: [] }
      : findAddresses(more?.recipients ?? '')
    const wanted = recipients === undefined ? all : findAddresses(recipients)
    const found = chosenOf(tokens ? namedOf(wanted, tokens) : wanted, only)
    const count = found.ignored.length
    if (count > 0) log.warn('recipients without address', { ownerId, count })
    const urlFor = (address: string) => {
      const token = tokens?.get(address)
      return shareUrl(token === undefined ? share : { id: token, slug: null })
    }
    return { more, found, urlFor }
  }

  /** The tokens of the live personal links of a share, by the address of their person. */
  async #findTokens(sql: Sql, shareId: string): Promise<ReadonlyMap<string, string>> {
    const links = await listLinks(sql, shareId)
    const live = links.filter(({ email, revokedAt }) => email !== '' && revokedAt === null)
    return new Map(live.map(({ email, token }) => [email, token]))
  }

  /**
   * The newest email to each recipient of a share, including recipients without any; then those to
   * other addresses.
   */
  async list(sql: Sql, shareId: string): Promise<RecipientEmail[]> {
    const more = await findEmailFacts(sql, shareId)
    const addresses =
      more?.audience === 'named'
        ? [...(await this.#findTokens(sql, shareId)).keys()]
        : findAddresses(more?.recipients ?? '').addresses
    const mails = await this.#deps.emails.listNewest(topicOf(shareId))
    const oldestFirst = [...mails].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
    const byKey = new Map(oldestFirst.map((mail) => [mail.recipient.toLowerCase(), mail]))
    // As the recipients are spelt now.
    const spelt = [...mails.map(({ recipient }) => recipient), ...addresses]
    const spelling = new Map(spelt.map((address) => [address.toLowerCase(), address]))
    const keys = new Set([...addresses.map((address) => address.toLowerCase()), ...byKey.keys()])
    return [...keys].map((key) => {
      const [to, email] = [spelling.get(key)!, byKey.get(key)]
      if (!email) return { to, state: null, lastError: '', at: null, createdAt: null }
      const { state, isRefused, sentAt, deadAt, createdAt } = email
      const lastError = isRefused ? email.lastError : ''
      return { to, state, lastError, at: sentAt ?? deadAt ?? createdAt, createdAt }
    })
  }

  /** Tells the owner of a share's files that they are damaged. No-op for other files. */
  async writeDamage(sql: Sql, fileIds: readonly number[]): Promise<void> {
    const { emails, baseUrl } = this.#deps
    const file = await findDamagedFile(sql, fileIds[0]!)
    if (!file) return
    const { fileName, shareId, shareName: name, ownerEmail } = file
    const url = `${baseUrl}/shares/${shareId}`
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
    const kept = new Set(findAddresses(after).addresses.map((address) => address.toLowerCase()))
    const removed = findAddresses(before).addresses.filter(
      (address) => !kept.has(address.toLowerCase()),
    )
    if (removed.length > 0) await this.withdrawFrom(sql, shareId, removed)
  }

  /** Withdraws the emails of a share to these addresses, in any case; without them to all. */
  async withdrawFrom(sql: Sql, shareId: string, addresses?: readonly string[]): Promise<void> {
    await this.#deps.emails.withdraw(sql, [topicOf(shareId)], addresses)
  }

  async withdraw(sql: Sql, shareIds: readonly string[]): Promise<void> {
    const topics = shareIds.flatMap((shareId) => [
      topicOf(shareId),
      damageTopicOf(shareId),
      downloadsTopicOf(shareId),
    ])
    await this.#deps.emails.withdraw(sql, topics)
  }
}

/** Without its link, which may be of one recipient. */
async function shareEmail(
  sql: Sql,
  share: Share,
  facts: Pick<Share, 'totalSize' | 'expiresAt'>,
  more: EmailFacts,
) {
  const isProtected = share.passwordHash !== null
  return {
    kind: 'share',
    sender: senderOf(more),
    name: share.name,
    // Only people who know the password may see it.
    message: isProtected ? '' : share.message,
    isMessageHidden: isProtected && share.message !== '',
    fileCount: more.fileCount,
    size: facts.totalSize,
    firstFiles: isProtected ? [] : await listEmailedFiles(sql, share.containerId, 'first'),
    maxDownloads: share.maxDownloads,
    expiresAt: facts.expiresAt,
    isProtected,
  } as const
}

function senderOf({ ownerId, ownerName, ownerEmail }: EmailFacts): Sender {
  return { userId: ownerId, name: ownerName, address: ownerEmail }
}

/** Spelt as in their links. Throws CodedError invalid_input for other people. */
function namedOf(wanted: FoundAddresses, tokens: ReadonlyMap<string, string>): FoundAddresses {
  const byKey = new Map([...tokens.keys()].map((address) => [address.toLowerCase(), address]))
  const addresses = wanted.addresses.map((address) => {
    const known = byKey.get(address.toLowerCase())
    if (known === undefined) throw invalidInput('recipients', 'must have personal links')
    return known
  })
  return { ...wanted, addresses }
}

function chosenOf(found: FoundAddresses, chosen: string | undefined): FoundAddresses {
  if (chosen === undefined) return found
  const key = asciiAddress(chosen).toLowerCase()
  const only = found.addresses.find((address) => address.toLowerCase() === key)
  if (only === undefined) throw invalidInput('to', 'must be among the recipients')
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
