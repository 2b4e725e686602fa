import type { ShareBasis, ShareDeps } from '../shares/deps.ts'
import type { Deliveries } from './deliveries.ts'
import type { DeliveryEmails } from './delivery-emails.ts'
import type { Received } from './received.ts'
import type { ReverseShares } from './reverse-shares.ts'
import type { LinkedReverseShare } from './sql.ts'

/** What app.ts has built below reverse shares and deliveries. */
export interface RequestBasis extends ShareBasis, Pick<ShareDeps, 'linkMisses'> {
  readonly deliveryEmails: DeliveryEmails
  /** The address at which guests open a reverse share. */
  readonly reverseShareUrl: (reverse: LinkedReverseShare) => string
  readonly deliveryUrl: (reverseId: string, deliveryId: string) => string
}

/** What operations on reverse shares and deliveries use. */
export interface RequestDeps extends ShareDeps, RequestBasis {
  readonly reverseShares: ReverseShares
  readonly deliveries: Deliveries
  readonly received: Received
}
