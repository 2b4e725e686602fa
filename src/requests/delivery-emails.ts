import type { Sql } from '../database/connect.ts'
import { findSender, findUser } from '../accounts/users/sql.ts'
import { findDamagedFile } from './deliveries-sql.ts'
import type { RequestDeps } from './deps.ts'
import type { FileList } from '../bytes/receive/finalize-body.ts'
import type { OpenDelivery } from './link-of-guest.ts'
import type { NewReverseShare } from './sql.ts'

type Deps = Pick<RequestDeps, 'emails' | 'reverseShareUrl' | 'deliveryUrl'>

/** Emails about reverse shares, each queued in the transaction of its cause. */
export class DeliveryEmails {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Notifies the owner about a delivery, as part of the transaction that completes it. */
  async deliveryReceived(sql: Sql, { reverse, delivery }: OpenDelivery, list: FileList) {
    const owner = await findUser(sql, reverse.ownerId)
    if (!owner || list.count === 0) return
    const [firstPage = []] = list.pages()
    await this.#deps.emails.queueGathered(
      sql,
      {
        kind: 'delivery',
        name: reverse.name,
        guestName: delivery.senderName,
        guestEmail: delivery.senderEmail,
        note: delivery.note,
        fileCount: list.count,
        size: list.bytes,
        firstFiles: firstPage.map(({ originalName: name, size }) => ({ name, size })),
        url: this.#deps.deliveryUrl(reverse.id, delivery.id),
      },
      { to: [owner.email], topic: topicOf(reverse.id), usefulUntil: null },
    )
  }

  /** Sends a new link to the person who is asked for files, as part of its transaction. */
  async invitation(sql: Sql, reverse: NewReverseShare, to: string): Promise<boolean> {
    const email = await this.#invitation(sql, reverse)
    if (!email) return false
    const addressing = { to: [to], topic: topicOf(reverse.id), usefulUntil: reverse.expiresAt }
    return (await this.#deps.emails.queue(sql, email, addressing)) > 0
  }

  /** Corrects an invitation that is not sent yet, in the transaction that changes the link. */
  async rewriteInvitation(sql: Sql, reverse: NewReverseShare): Promise<void> {
    const sent = { topic: topicOf(reverse.id), usefulUntil: reverse.expiresAt }
    await this.#deps.emails.rewrite(sql, sent, ['drop_off'], async () => {
      const email = await this.#invitation(sql, reverse)
      return email && (() => email)
    })
  }

  async #invitation(sql: Sql, reverse: NewReverseShare) {
    const { ownerId, name, maxSize: sizeMax, expiresAt, passwordHash } = reverse
    const sender = await findSender(sql, ownerId)
    if (!sender) return null
    const url = this.#deps.reverseShareUrl(reverse)
    const isProtected = passwordHash !== null
    const instructions = isProtected ? '' : reverse.instructions
    const kind = 'drop_off'
    return { kind, sender, name, url, instructions, sizeMax, expiresAt, isProtected } as const
  }

  /** Tells the owner of a delivery's files that they are damaged. No-op for other files. */
  async filesDamaged(sql: Sql, fileIds: readonly number[]): Promise<void> {
    const file = await findDamagedFile(sql, fileIds[0]!)
    if (!file) return
    const { fileName, deliveryId, reverseShareId, reverseShareName: name, ownerEmail } = file
    const url = this.#deps.deliveryUrl(reverseShareId, deliveryId)
    await this.#deps.emails.queue(
      sql,
      { kind: 'damaged_file', fileName, others: fileIds.length - 1, name, isDelivery: true, url },
      { to: [ownerEmail], topic: topicOf(reverseShareId), usefulUntil: null },
    )
  }

  async withdraw(sql: Sql, reverseIds: readonly string[]): Promise<void> {
    await this.#deps.emails.withdraw(sql, reverseIds.map(topicOf))
  }

  send(): void {
    this.#deps.emails.wake()
  }
}

function topicOf(reverseId: string): string {
  return `reverse:${reverseId}`
}
