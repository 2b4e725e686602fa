import { createHash } from 'node:crypto'
import { CodedError } from '../lib/errors.ts'
import { requesterOf, type Passwords } from '../accounts/passwords/passwords.ts'
import type { Tokens } from '../accounts/sign-in/tokens.ts'
import { limiterKey, networkOf } from '../http/client-ip.ts'
import type { LimitExchange } from '../http/limit-exchange.ts'
import { RateLimiter, type Limiter } from '../http/rate-limit.ts'
import { requireToken } from '../http/run.ts'
import type { Clock } from '../lib/clock.ts'

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

export interface UnlockingDeps {
  readonly passwords: Passwords
  readonly tokens: Tokens
  /** Stores another hash of the link's unchanged password. */
  readonly renewHash: (link: LockedLink, renewed: string) => Promise<void>
}

export interface Unlocked {
  /** Opens the link as Bearer. */
  readonly accessToken: string
  /** Version of the password, for the cookie. */
  readonly version: string
}

/** Passwords of one kind of link: a token that unlocks a share unlocks no reverse share. */
export class Unlocking {
  readonly #deps: UnlockingDeps
  readonly #purpose: 'unlock' | 'unlock-reverse'

  constructor(deps: UnlockingDeps, purpose: 'unlock' | 'unlock-reverse') {
    this.#deps = deps
    this.#purpose = purpose
  }

  /**
   * Checks the password and returns what opens the link for an hour. A link without a password
   * accepts any.
   * @param ip of the client
   * @throws CodedError wrong_password
   */
  async unlock(link: LockedLink, password: string, ip: string): Promise<Unlocked> {
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
    const { passwords, renewHash } = this.#deps
    const requester = requesterOf({ kind: 'guest', ip })
    const match = await passwords.matches(passwordHash, password, requester)
    if (!match) throw new CodedError('wrong_password', { details: { valid: false } })
    if (match.renewedHash === null) return link
    await renewHash(link, match.renewedHash)
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
