import type { Sql } from '../database/connect.ts'
import { findSender, findUser } from '../accounts/users/sql.ts'
import { findDamagedFile } from './deliveries-sql.ts'
import type { RequestDeps } from './deps.ts'

/** A newly completed delivery, for the email to the owner of the link. */
export interface DeliveryReceived {
  readonly ownerId: number
  readonly reverseShareId: string
  readonly reverseShareName: string
  readonly deliveryId: string
  readonly senderName: string
  readonly senderEmail: string
  readonly note: string
  readonly fileCount: number
  /** Bytes of all its files. */
  readonly size: number
  /** Sizes in bytes. */
  readonly firstFiles: readonly { readonly name: string; readonly size: number }[]
}

/** A new link, for the email to the people who are asked for files. */
export interface Invitation {
  readonly ownerId: number
  readonly reverseShareId: string
  /** Its custom link. */
  readonly reverseShareSlug?: string
  readonly reverseShareName: string
  readonly to: string
  readonly isProtected: boolean
  /** Bytes; 0 for no limit. */
  readonly maxSize: number
  readonly expiresAt: Date | null
}

type Deps = Pick<RequestDeps, 'emails' | 'reverseShareUrl' | 'deliveryUrl'>

/** Emails about reverse shares, each queued in the transaction of its cause. */
export class DeliveryEmails {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Notifies the owner about a delivery, as part of the transaction that completes it. */
  async deliveryReceived(sql: Sql, received: DeliveryReceived): Promise<void> {
    const owner = await findUser(sql, received.ownerId)
    if (!owner || received.fileCount === 0) return
    await this.#deps.emails.queueGathered(
      sql,
      {
        kind: 'delivery',
        name: received.reverseShareName,
        guestName: received.senderName,
        guestEmail: received.senderEmail,
        note: received.note,
        fileCount: received.fileCount,
        size: received.size,
        firstFiles: received.firstFiles,
        url: this.#deps.deliveryUrl(received.reverseShareId, received.deliveryId),
      },
      { to: [owner.email], topic: topicOf(received.reverseShareId), usefulUntil: null },
    )
  }

  /**
   * Sends the link to the people who are asked for files, as part of the transaction that makes it.
   */
  async invitation(sql: Sql, invitation: Invitation): Promise<void> {
    const sender = await findSender(sql, invitation.ownerId)
    if (!sender) return
    const link = { id: invitation.reverseShareId, slug: invitation.reverseShareSlug ?? null }
    await this.#deps.emails.queue(
      sql,
      {
        kind: 'drop_off',
        sender,
        name: invitation.reverseShareName,
        url: this.#deps.reverseShareUrl(link),
        sizeMax: invitation.maxSize,
        expiresAt: invitation.expiresAt,
        isProtected: invitation.isProtected,
      },
      {
        to: [invitation.to],
        topic: topicOf(invitation.reverseShareId),
        usefulUntil: invitation.expiresAt,
      },
    )
  }

  /** Tells the owner of a delivery's files that they are damaged. No-op for other files. */
  async filesDamaged(sql: Sql, fileIds: readonly number[]): Promise<void> {
    const file = await findDamagedFile(sql, fileIds[0]!)
    if (!file) return
    const { fileName, reverseShareId, reverseShareName: name, ownerEmail } = file
    const url = this.#deps.reverseShareUrl({ id: reverseShareId, slug: null })
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
