import type { Tokens } from '../accounts/sign-in/tokens.ts'

/** Longer than any draft is kept: in practice the token ends with its delivery. */
const uploadTokenLifeMs = 400 * 24 * 60 * 60_000

/** What a guest presents for a delivery that it has begun. */
export interface DeliveryProofs {
  /** From the Authorization header, or a cookie of an earlier version. */
  readonly tokens: readonly string[]
  /** From our signed cookie; null without one. */
  readonly deliveryId: string | null
}

/** The token for the further requests of a delivery. */
export function signDelivery(tokens: Tokens, deliveryId: string): Promise<string> {
  return tokens.sign('deliver', { subject: deliveryId }, uploadTokenLifeMs)
}

/** Ids of deliveries, those of the tokens first: clients send the token of the upload itself. */
export async function readDeliveryProofs(
  tokens: Tokens,
  proofs: DeliveryProofs,
): Promise<string[]> {
  const read = await Promise.all(proofs.tokens.map((token) => tokens.read('deliver', token)))
  const named = read.flatMap((claims) => (claims ? [claims.subject] : []))
  return proofs.deliveryId === null ? named : [...named, proofs.deliveryId]
}
