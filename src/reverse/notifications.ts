import type { Sql } from '../db/connect.ts'

/** A delivery that was just completed, for the mail to the owner of the link. */
export interface DeliveryReceived {
  readonly ownerId: number
  readonly reverseShareId: string
  readonly reverseShareName: string
  readonly deliveryId: string
  readonly senderName: string
  readonly senderEmail: string
  readonly note: string
  readonly fileNames: readonly string[]
  /** Bytes. */
  readonly totalSize: number
  readonly receivedAt: Date
}

/** A link that was just made, for the mail to whom its owner wants files from. */
export interface Invitation {
  readonly ownerId: number
  readonly reverseShareId: string
  readonly reverseShareName: string
  readonly to: string
  readonly isProtected: boolean
  /** Bytes; 0 for no limit. */
  readonly maxSize: number
  readonly expiresAt: Date | null
}

/** Who is told of what happens; each inside the transaction in which it happens. */
export interface Notifications {
  deliveryReceived(sql: Sql, received: DeliveryReceived): Promise<void>
  invitation(sql: Sql, invitation: Invitation): Promise<void>
}

/** Tells nobody. */
export const silentNotifications: Notifications = {
  deliveryReceived: async () => {},
  invitation: async () => {},
}
