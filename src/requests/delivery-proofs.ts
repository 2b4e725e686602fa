import type { Tokens } from '../accounts/sign-in/tokens.ts'

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
