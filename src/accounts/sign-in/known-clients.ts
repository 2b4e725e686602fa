import type { Sql } from '../../database/connect.ts'
import { limiterKey } from '../../http/client-ip.ts'
import { randomRowId } from '../../lib/random-id.ts'
import { findUserByEmail } from '../users/sql.ts'
import { knownAddress } from '../attempts/attempts.ts'
import * as rows from './known-clients-sql.ts'
import { dayMs } from '../../lib/durations.ts'
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

/**
 * Devices and addresses that have signed in to an account before. Failed guesses of others do not
 * delay them; they prove nothing else.
 */
export class KnownClients {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Remembers the client of a sign-in in the same transaction; returns its device token. */
  async remember(sql: Sql, userId: number, ip: string): Promise<string> {
    const { tokens, clock } = this.#deps
    const seenAt = new Date(clock.now())
    await rows.upsertAddress(sql, { userId, address: limiterKey(ip), seenAt })
    await rows.deleteAddressesBeyond(sql, userId, addressesMax)
    const claims = { subject: String(userId), version: randomRowId() }
    return tokens.sign('device', claims, knownLifeMs)
  }

  /**
   * How the client is known to the account with this email; null if unknown. Does the same work
   * without an account, so that the time of a refusal does not reveal whether there is one.
   */
  async find(email: string, client: Client): Promise<string | null> {
    const user = await findUserByEmail(this.#deps.database.sql, email)
    return this.findOf(user?.id ?? null, client)
  }

  /** The same for an account that was looked up; null for none. */
  async findOf(found: number | null, { ip, deviceTokens }: Client): Promise<string | null> {
    const { database, clock } = this.#deps
    const userId = found ?? noAccountId
    const device = await this.findDevice(userId, deviceTokens)
    if (device !== null) return device
    const since = new Date(clock.now() - knownLifeMs)
    const isKnown = await rows.hasAddress(database.sql, userId, limiterKey(ip), since)
    return isKnown ? knownAddress(ip) : null
  }

  /** The browser, if it has signed in to the account before; otherwise null. */
  async findDevice(userId: number, deviceTokens: readonly string[]): Promise<string | null> {
    for (const token of deviceTokens) {
      const device = await this.#deps.tokens.read('device', token)
      if (device?.version && device.subject === String(userId)) return `device ${device.version}`
    }
    return null
  }

  /** Returns the number of removed addresses. */
  async removeOld(): Promise<number> {
    const { database, clock } = this.#deps
    return rows.deleteAddressesBefore(database.sql, new Date(clock.now() - knownLifeMs))
  }
}
