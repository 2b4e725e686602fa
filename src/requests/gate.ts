import { CodedError } from '../lib/errors.ts'
import { dayMs } from '../lib/clock.ts'
import { ended } from '../shares/access.ts'
import type { ReverseShare } from './sql.ts'

/** How long a delivery that began before its link expired may go on. */
const lastDeliveriesMs = dayMs

/** The fields of a link that decide about its guests. */
type Link = Pick<ReverseShare, 'ownerName' | 'ownerDisabledAt' | 'expiresAt' | 'closedAt'>

export function isExpired({ expiresAt }: Pick<Link, 'expiresAt'>, now: number): boolean {
  return expiresAt !== null && expiresAt.getTime() <= now
}

/**
 * Requires a link that takes deliveries.
 * @throws CodedError not_found, expired, closed
 */
export function requireOpen<L extends Link>(found: L | null, now: number): L {
  return requireTaking(requireLasting(found, now))
}

/**
 * Requires a link that has not ended, whether or not it takes another delivery.
 * @throws CodedError not_found, expired
 */
export function requireLasting<L extends Link>(link: L | null, now: number): L {
  if (!link || link.ownerDisabledAt) throw new CodedError('not_found')
  if (isExpired(link, now)) throw ended('expired', link, link.expiresAt)
  return link
}

/**
 * The same for a delivery: one that began in time may end within a day after its link.
 * @throws CodedError not_found, expired
 */
export function requireLastingFor<L extends Link>(
  link: L | null,
  { createdAt }: { readonly createdAt: Date },
  now: number,
): L {
  const beganInTime = link?.expiresAt && createdAt < link.expiresAt
  return requireLasting(link, beganInTime ? now - lastDeliveriesMs : now)
}

/** Throws CodedError closed once a link for one delivery has received it. */
export function requireTaking<L extends Link>(link: L): L {
  if (link.closedAt) throw ended('closed', link, link.closedAt)
  return link
}
