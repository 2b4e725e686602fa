import type { Database } from '../database/connect.ts'
import { findDelivery, type DeliveryRow } from './deliveries-sql.ts'
import { findReverseShare, type ReverseShare } from './sql.ts'
import type { Tokens } from '../accounts/sign-in/tokens.ts'

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

/** Longer than any draft is kept: in practice the token ends with its delivery. */
const uploadTokenLifeMs = 400 * 24 * 60 * 60_000

/** What a guest presents for a delivery that it has begun. */
export interface DeliveryProofs {
  /** From the Authorization header; null without one. */
  readonly token: string | null
  /** From our signed cookie; null without one. */
  readonly deliveryId: string | null
}

/** The token for the further requests of a delivery. */
export function signDelivery(tokens: Tokens, deliveryId: string): Promise<string> {
  return tokens.sign('deliver', { subject: deliveryId }, uploadTokenLifeMs)
}

/** Ids of deliveries, that of the token first: clients send the token of the upload itself. */
export async function readDeliveryProofs(
  tokens: Tokens,
  { token, deliveryId }: DeliveryProofs,
): Promise<string[]> {
  const claims = token && (await tokens.read('deliver', token))
  return [claims ? claims.subject : null, deliveryId].filter((id) => id !== null)
}
