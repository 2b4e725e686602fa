import { timingSafeEqual } from 'node:crypto'
import { leaseLifeMs } from './downloads/counting.ts'
import type { CookiePurpose } from '../http/cookies.ts'
import type { ShareDeps } from './deps.ts'

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
  unlockCookie(header: CookieHeader, linkId: string, version: string, lifeMs: number): string {
    return this.#add(header, 'unlocked', { linkId, value: version, lifeMs })
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
