import type { Sql } from '../../database/connect.ts'
import { limiterKey } from '../../http/client-ip.ts'
import { randomRowId } from '../../lib/random-id.ts'
import { knownAddress } from '../attempts/attempts.ts'
import * as rows from './sql.ts'
import { dayMs } from '../../lib/clock.ts'
import type { AccountBasis } from '../deps.ts'

/** How long a device or an address stays known after its last sign-in. */
export const knownLifeMs = 180 * dayMs
const addressesMax = 10
/** An id that no account has and no device token names. */
const noAccountId = 0

/** Properties of a sign-in attempt by which the client may be known. */
export interface Client {
  readonly ip: string
  /** From earlier sign-ins in the same browser. */
  readonly deviceTokens: readonly string[]
}

type Deps = Pick<AccountBasis, 'database' | 'tokens' | 'clock'>

// Devices and addresses that have signed in to an account before. Failed guesses of others do not
// delay them; they prove nothing else.

/** Remembers the client of a sign-in in the same transaction; returns its device token. */
export async function rememberClient(
  { tokens, clock }: Deps,
  sql: Sql,
  userId: number,
  ip: string,
): Promise<string> {
  const seenAt = new Date(clock.now())
  await rows.upsertAddress(sql, { userId, address: limiterKey(ip), seenAt })
  await rows.deleteAddressesBeyond(sql, userId, addressesMax)
  const claims = { subject: String(userId), version: randomRowId() }
  return tokens.sign('device', claims, knownLifeMs)
}

/**
 * How the client is known to an account that was looked up; null if unknown. Does the same work
 * without an account, so that the time of a refusal does not reveal whether there is one.
 */
export async function findKnown(
  deps: Deps,
  found: number | null,
  { ip, deviceTokens }: Client,
): Promise<string | null> {
  const userId = found ?? noAccountId
  const device = await findDevice(deps, userId, deviceTokens)
  if (device !== null) return device
  const since = new Date(deps.clock.now() - knownLifeMs)
  const isKnown = await rows.hasAddress(deps.database.sql, userId, limiterKey(ip), since)
  return isKnown ? knownAddress(ip) : null
}

/** The browser, if it has signed in to the account before; otherwise null. */
export async function findDevice(
  { tokens }: Pick<Deps, 'tokens'>,
  userId: number,
  deviceTokens: readonly string[],
): Promise<string | null> {
  for (const token of deviceTokens) {
    const device = await tokens.read('device', token)
    if (device?.version && device.subject === String(userId)) return `device ${device.version}`
  }
  return null
}
