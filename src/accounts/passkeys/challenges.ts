import { timingSafeEqual } from 'node:crypto'
import { minuteMs } from '../../lib/durations.ts'
import { hashToken, randomToken } from '../../lib/random-id.ts'
import type { AccountDeps } from '../deps.ts'

/** How long an authenticator may take, with its user. */
export const challengeLifeMs = 5 * minuteMs

/** A challenge that is ours and has not expired. */
export interface OpenChallenge {
  readonly hash: Buffer
  readonly expiresAt: Date
}

/**
 * Challenges for authenticators (WebAuthn level 3, section 13.4.3). They are signed, so that asking
 * for one costs no row; answering one uses it up.
 */
export class Challenges {
  readonly #deps: Pick<AccountDeps, 'keys' | 'clock'>

  constructor(deps: Pick<AccountDeps, 'keys' | 'clock'>) {
    this.#deps = deps
  }

  /** @param purpose of the answer: what it allows, and for which account */
  make(purpose: string): string {
    const expiresAt = this.#deps.clock.now() + challengeLifeMs
    const claim = `${randomToken()}.${expiresAt}`
    return Buffer.from(`${claim}.${this.#sign(purpose, claim)}`).toString('base64url')
  }

  /** Null for one of another purpose, an expired one, and any other text. */
  read(purpose: string, challenge: string): OpenChallenge | null {
    const [nonce = '', expiry = '', signature = '', ...rest] = Buffer.from(challenge, 'base64url')
      .toString('latin1')
      .split('.')
    const expected = Buffer.from(this.#sign(purpose, `${nonce}.${expiry}`))
    const given = Buffer.from(signature)
    if (rest.length > 0 || given.length !== expected.length) return null
    if (!timingSafeEqual(given, expected)) return null
    const expiresAt = Number(expiry)
    if (expiresAt <= this.#deps.clock.now()) return null
    return { hash: hashToken(nonce), expiresAt: new Date(expiresAt) }
  }

  #sign(purpose: string, claim: string): string {
    return this.#deps.keys.mark('challenge passkeys', `${purpose} ${claim}`)
  }
}
