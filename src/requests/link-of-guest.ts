import type { Database } from '../database/connect.ts'
import { findDelivery, type DeliveryRow } from './deliveries-sql.ts'
import { findReverseShare, type ReverseShare } from './sql.ts'

/** A delivery in progress, and its link. */
export interface OpenDelivery {
  readonly reverse: ReverseShare
  readonly delivery: DeliveryRow
}

/**
 * The link that a guest names in an upload: by its id, or by the slug of a link that one of the
 * guest's deliveries belongs to. To others the answer must not reveal which slugs exist.
 */
export async function findLinkOfGuest(
  database: Database,
  name: string,
  deliveryIds: readonly string[],
): Promise<ReverseShare | null> {
  const found = await findReverseShare(database.sql, name)
  if (found) return found
  for (const deliveryId of deliveryIds) {
    const delivery = await findDelivery(database.sql, deliveryId)
    const link = delivery && (await findReverseShare(database.sql, delivery.reverseShareId))
    if (link?.slug?.toLowerCase() === name.toLowerCase()) return link
  }
  return null
}
