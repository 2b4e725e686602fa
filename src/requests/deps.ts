import type { ShareDeps } from '../shares/deps.ts'
import type { Deliveries } from './deliveries.ts'
import type { DeliveryEmails } from './delivery-emails.ts'
import type { Received } from './received.ts'
import type { ReverseShares } from './reverse-shares.ts'
import type { LinkedReverseShare } from './sql.ts'

/** What app.ts builds for reverse shares and deliveries. Each class picks what it uses. */
export interface RequestDeps extends ShareDeps {
  readonly reverseShares: ReverseShares
  /** The address at which guests open a reverse share. */
  readonly reverseShareUrl: (reverse: LinkedReverseShare) => string
  readonly deliveryUrl: (reverseId: string, deliveryId: string) => string
  readonly deliveries: Deliveries
  readonly deliveryEmails: DeliveryEmails
  readonly received: Received
}
