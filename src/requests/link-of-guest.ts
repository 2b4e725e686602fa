import type { Database } from '../database/connect.ts'
import { findDelivery, type DeliveryRow } from './deliveries-sql.ts'
import { findReverseShare, type ReverseShare } from './sql.ts'

/** A delivery in progress, and its link. */
export interface OpenDelivery {
  readonly reverse: ReverseShare
  readonly delivery: DeliveryRow
}

/**
 * The link that a guest names in an upload, by its id or its slug, and the first of the guest's
 * deliveries that belongs to it. Without one, a slug finds nothing: the answer must not reveal to
 * others which slugs exist.
 */
export async function findLinkOfGuest(
  { sql }: Database,
  name: string,
  deliveryIds: readonly string[],
): Promise<OpenDelivery | { readonly reverse: ReverseShare | null; readonly delivery: null }> {
  const named = await findReverseShare(sql, name)
  for (const deliveryId of deliveryIds) {
    const delivery = await findDelivery(sql, deliveryId)
    if (!delivery) continue
    if (delivery.reverseShareId === named?.id) return { reverse: named, delivery }
    if (named) continue
    const reverse = await findReverseShare(sql, delivery.reverseShareId)
    if (reverse?.slug?.toLowerCase() === name.toLowerCase()) return { reverse, delivery }
  }
  return { reverse: named, delivery: null }
}
