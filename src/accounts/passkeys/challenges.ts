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

type Deps = Pick<AccountDeps, 'keys' | 'clock'>

// Challenges for authenticators (WebAuthn level 3, section 13.4.3). They are signed, so that asking
// for one costs no row; answering one uses it up.

/** @param purpose of the answer: what it allows, and for which account */
export function makeChallenge(deps: Deps, purpose: string): string {
  const claim = `${randomToken()}.${deps.clock.now() + challengeLifeMs}`
  return Buffer.from(`${claim}.${sign(deps, purpose, claim)}`).toString('base64url')
}

/** Null for one of another purpose, an expired one, and any other text. */
export function readChallenge(
  deps: Deps,
  purpose: string,
  challenge: string,
): OpenChallenge | null {
  const [nonce = '', expiry = '', signature = '', ...rest] = Buffer.from(challenge, 'base64url')
    .toString('latin1')
    .split('.')
  const expected = Buffer.from(sign(deps, purpose, `${nonce}.${expiry}`))
  const given = Buffer.from(signature)
  if (rest.length > 0 || given.length !== expected.length) return null
  if (!timingSafeEqual(given, expected)) return null
  const expiresAt = Number(expiry)
  if (expiresAt <= deps.clock.now()) return null
  return { hash: hashToken(nonce), expiresAt: new Date(expiresAt) }
}

const sign = ({ keys }: Deps, purpose: string, claim: string) =>
  keys.mark('challenge passkeys', `${purpose} ${claim}`)
