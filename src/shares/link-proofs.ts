import { createHash, timingSafeEqual } from 'node:crypto'
import { CodedError } from '../lib/errors.ts'
import { requesterOf } from '../accounts/passwords/passwords.ts'
import { limiterKey, networkOf } from '../http/client-ip.ts'
import { type LimitExchange, RateLimiter, type Limiter } from '../http/rate-limit.ts'
import { requireToken } from '../http/run.ts'
import type { Clock } from '../lib/clock.ts'
import { leaseLifeMs } from './downloads/counting.ts'
import type { CookiePurpose } from '../http/headers.ts'
import type { ShareDeps } from './deps.ts'
import { renewHash } from './sql.ts'

export const unlockLifeMs = 60 * 60_000

/** A link that may have a password. */
export interface LockedLink {
  readonly id: string
  /** What its clients call it where that is not its id: tokens name it. */
  readonly linkName?: string
  readonly passwordHash: string | null
  /** Grows with every change that ends unlocks, also where the password stays. */
  readonly passwordVersion?: number
}

/** What a client presents to show that it has verified a link's password. */
export interface UnlockProofs {
  /** From the Authorization header, which may name an account instead; null without one. */
  readonly token: string | null
  /** The version of the password in our signed cookie; null without one. */
  readonly version: string | null
}

/** Passwords of one kind of link: a token that unlocks a share unlocks no reverse share. */
export class Unlocking {
  readonly #deps: Pick<ShareDeps, 'database' | 'passwords' | 'tokens'>
  readonly #purpose: 'unlock' | 'unlock-reverse'

  constructor(
    deps: Pick<ShareDeps, 'database' | 'passwords' | 'tokens'>,
    purpose: 'unlock' | 'unlock-reverse',
  ) {
    this.#deps = deps
    this.#purpose = purpose
  }

  /**
   * Checks the password and returns what opens the link for an hour. A link without a password
   * accepts any.
   * @param ip of the client
   * @returns a Bearer token, and the version of the password for the cookie
   * @throws CodedError wrong_password
   */
  async unlock(
    link: LockedLink,
    password: string,
    ip: string,
  ): Promise<{ accessToken: string; version: string }> {
    const version = passwordVersion(await this.#check(link, password, ip))
    const claims = { subject: link.linkName ?? link.id, version }
    return {
      accessToken: await this.#deps.tokens.sign(this.#purpose, claims, unlockLifeMs),
      version,
    }
  }

  /** The link with the hash that is stored now. */
  async #check(link: LockedLink, password: string, ip: string): Promise<LockedLink> {
    const { passwordHash } = link
    if (passwordHash === null) return link
    const { database, passwords } = this.#deps
    const requester = requesterOf({ kind: 'guest', ip })
    const match = await passwords.matches(passwordHash, password, requester)
    if (!match) throw new CodedError('wrong_password', { details: { valid: false } })
    if (match.renewedHash === null) return link
    const links = this.#purpose === 'unlock' ? 'shares' : 'reverse_shares'
    await renewHash(database.sql, links, link, match.renewedHash)
    return { ...link, passwordHash: match.renewedHash }
  }

  /** Whether the link has no password, or one of the proofs is of its present one. */
  async isUnlocked(link: LockedLink, { token, version }: UnlockProofs): Promise<boolean> {
    if (link.passwordHash === null) return true
    const current = passwordVersion(link)
    if (version === current) return true
    const claims = token ? await this.#deps.tokens.read(this.#purpose, token) : null
    return claims?.subject === (link.linkName ?? link.id) && claims.version === current
  }
}

/** Changes with the password and its version, so that unlocks end: 16 characters. */
function passwordVersion(link: LockedLink): string {
  return createHash('sha256')
    .update(`${link.passwordVersion ?? 0} ${link.passwordHash ?? ''}`)
    .digest('base64url')
    .slice(0, 16)
}

const windowMs = 15 * 60_000
const missesPerAddressMax = 100
const missesPerNetworkMax = 300

/**
 * Bounds the links that an address, and its wide network, can try. A link with a random id cannot
 * have been guessed, so it always opens. Past the bound, custom and unknown links get the same
 * refusal, so that the answer reveals nothing.
 */
export class LinkMisses {
  readonly #addresses: Limiter
  readonly #networks: Limiter

  constructor(clock: Clock, exchange: LimitExchange) {
    const limiter = (name: string, limit: number) =>
      new RateLimiter({ limit, windowMs, clock, shared: { exchange, name: `link misses ${name}` } })
    this.#addresses = limiter('addresses', missesPerAddressMax)
    this.#networks = limiter('networks', missesPerNetworkMax)
  }

  /**
   * Call for each lookup of a link, with the id that was found or null: a miss takes a token.
   * @throws CodedError rate_limited
   */
  takeOnMiss(ip: string, name: string, foundId: string | null): void {
    if (foundId === name) return
    const bounds = [
      [this.#addresses, limiterKey(ip)],
      [this.#networks, networkOf(ip) ?? ip],
    ] as const
    for (const [limiter, key] of bounds) requireToken(limiter.peek(key))
    if (foundId !== null) return
    for (const [limiter, key] of bounds) limiter.take(key)
  }
}

/**
 * Both lists stay below the 4096 bytes of a cookie: with ids of 50 characters, entries have at most
 * 76 and 96.
 */
const entriesMax = { unlocked: 50, deliveries: 32 }

/** What a browser keeps of one link, as long as it is valid. */
interface Entry {
  readonly linkId: string
  readonly value: string
  /** Seconds since 1970. */
  readonly expiresAt: number
}

type CookieHeader = string | undefined

type ListPurpose = keyof typeof entriesMax

type Deps = Pick<ShareDeps, 'cookies' | 'keys' | 'clock'>

/**
 * What a browser keeps of links, in three cookies however many links it opens: browsers send every
 * cookie with each request, and a head has an end. All are signed. The lists of unlocked links and
 * of deliveries drop their oldest entries; leases need one secret for all links.
 */
export class LinkCookies {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** The secret that this browser's leases belong to; null without one of ours. */
  downloaderOf(header: CookieHeader): string | null {
    return this.#find(header, 'downloader')
  }

  downloaderCookie(downloader: string): string {
    return this.#set('downloader', downloader, leaseLifeMs)
  }

  /** The version of the link's password that this browser has verified; null without one. */
  unlockedVersion(header: CookieHeader, linkId: string): string | null {
    return this.#valueOf(header, 'unlocked', linkId)
  }

  /** @param version of the password: 16 characters */
  unlockCookie(header: CookieHeader, linkId: string, version: string): string {
    return this.#add(header, 'unlocked', { linkId, value: version, lifeMs: unlockLifeMs })
  }

  /** Whether this browser has shown that a personal link is its user's. */
  hasProof(header: CookieHeader, linkId: string, version: number): boolean {
    return this.#valueOf(header, 'unlocked', linkId) === proofOf(version)
  }

  /** @param version of the share's password, which grows with the demanded proof */
  proofCookie(header: CookieHeader, linkId: string, version: number): string {
    const added = { linkId, value: proofOf(version), lifeMs: leaseLifeMs }
    return this.#add(header, 'unlocked', added)
  }

  /** The id of the delivery that this browser has begun last for the link; null without one. */
  deliveryId(header: CookieHeader, linkId: string): string | null {
    return this.#valueOf(header, 'deliveries', linkId)
  }

  deliveryCookie(header: CookieHeader, linkId: string, deliveryId: string, lifeMs: number): string {
    return this.#add(header, 'deliveries', { linkId, value: deliveryId, lifeMs })
  }

  /** The cookie after a delivery of the link was given up. */
  withoutDelivery(header: CookieHeader, linkId: string): string {
    const others = this.#list(header, 'deliveries').filter((entry) => entry.linkId !== linkId)
    return others.length > 0
      ? this.#setList('deliveries', others)
      : this.#deps.cookies.clear('deliveries')
  }

  #valueOf(header: CookieHeader, purpose: ListPurpose, linkId: string): string | null {
    const found = this.#list(header, purpose).find((entry) => entry.linkId === linkId)
    return found?.value ?? null
  }

  /** The cookie with one more entry, in place of an earlier one for the same link. */
  #add(
    header: CookieHeader,
    purpose: ListPurpose,
    { linkId, value, lifeMs }: { linkId: string; value: string; lifeMs: number },
  ): string {
    const now = this.#nowSeconds()
    const others = this.#list(header, purpose).filter((entry) => entry.linkId !== linkId)
    const added = { linkId, value, expiresAt: now + Math.ceil(lifeMs / 1000) }
    return this.#setList(purpose, [...others, added].slice(-entriesMax[purpose]))
  }

  /** The cookie lives as long as the last of its entries. */
  #setList(purpose: ListPurpose, entries: readonly Entry[]): string {
    const lastSeconds = Math.max(...entries.map(({ expiresAt }) => expiresAt))
    const lifeMs = (lastSeconds - this.#nowSeconds()) * 1000
    return this.#set(purpose, entries.map(formatEntry).join('.'), lifeMs)
  }

  /** Valid entries, the oldest first. */
  #list(header: CookieHeader, purpose: ListPurpose): Entry[] {
    const text = this.#find(header, purpose)
    if (text === null) return []
    const now = this.#nowSeconds()
    return text
      .split('.')
      .map(parseEntry)
      .filter(({ expiresAt }) => expiresAt > now)
  }

  /** The text of our cookie, without its signature; null for anything that we have not signed. */
  #find(header: CookieHeader, purpose: CookiePurpose): string | null {
    for (const value of this.#deps.cookies.find(header, purpose)) {
      const split = value.lastIndexOf('.')
      const text = value.slice(0, Math.max(split, 0))
      if (text !== '' && isEqual(value.slice(split + 1), this.#sign(purpose, text))) return text
    }
    return null
  }

  #set(purpose: CookiePurpose, text: string, lifeMs: number): string {
    const { cookies } = this.#deps
    return cookies.set(purpose, `${text}.${this.#sign(purpose, text)}`, { lifeMs })
  }

  #sign(purpose: CookiePurpose, text: string): string {
    return this.#deps.keys.mark(`cookie ${purpose}`, text)
  }

  #nowSeconds(): number {
    return Math.floor(this.#deps.clock.now() / 1000)
  }
}

/** No version of a password, which has 16 characters. */
function proofOf(version: number): string {
  return `proof-${version}`
}

/** Ids and values are base64url or hex with dashes, so that none has a `~` or a dot. */
function formatEntry({ linkId, value, expiresAt }: Entry): string {
  return `${linkId}~${value}~${expiresAt.toString(36)}`
}

function parseEntry(text: string): Entry {
  const [linkId = '', value = '', expiresAt = ''] = text.split('~')
  return { linkId, value, expiresAt: Number.parseInt(expiresAt, 36) }
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
