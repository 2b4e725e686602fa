import { createHash } from 'node:crypto'
import { CodedError } from '../lib/errors.ts'
import { requesterOf, type Passwords } from '../accounts/passwords/passwords.ts'
import type { Tokens } from '../accounts/sign-in/tokens.ts'

export const unlockLifeMs = 60 * 60_000

/** A link that may have a password. */
export interface LockedLink {
  readonly id: string
  readonly passwordHash: string | null
}

/** Passwords of one kind of link: a token that unlocks a share unlocks no reverse share. */
export class Unlocking {
  readonly #deps: { readonly passwords: Passwords; readonly tokens: Tokens }
  readonly #purpose: 'unlock' | 'unlock-reverse'

  constructor(
    deps: { readonly passwords: Passwords; readonly tokens: Tokens },
    purpose: 'unlock' | 'unlock-reverse',
  ) {
    this.#deps = deps
    this.#purpose = purpose
  }

  /**
   * Checks the password and returns a token that opens the link for an hour. A link without a
   * password accepts any.
   * @param ip of the client
   * @throws CodedError wrong_password
   */
  async unlock(link: LockedLink, password: string, ip: string): Promise<string> {
    const { passwordHash } = link
    const { passwords, tokens } = this.#deps
    const requester = requesterOf({ kind: 'guest', ip })
    if (passwordHash !== null && !(await passwords.matches(passwordHash, password, requester))) {
      throw new CodedError('wrong_password', { details: { valid: false } })
    }
    const claims = { subject: link.id, version: passwordVersion(link) }
    return tokens.sign(this.#purpose, claims, unlockLifeMs)
  }

  /** Whether the link has no password, or one of the tokens was issued for its present one. */
  async isUnlocked(link: LockedLink, unlockTokens: readonly string[]): Promise<boolean> {
    if (link.passwordHash === null) return true
    for (const token of unlockTokens) {
      const claims = await this.#deps.tokens.read(this.#purpose, token)
      if (claims?.subject === link.id && claims.version === passwordVersion(link)) return true
    }
    return false
  }
}

/** Changes with the password, so that unlocks end when the password changes. */
function passwordVersion(link: LockedLink): string {
  return createHash('sha256')
    .update(link.passwordHash ?? '')
    .digest('base64url')
    .slice(0, 16)
}
