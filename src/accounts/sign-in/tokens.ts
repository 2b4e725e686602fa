import { publicIdPattern, rowIdPattern } from '../../lib/path-parameters.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Keys } from './keys.ts'

/**
 * What a token is good for, and the form of the id that it names; a token for one thing is nothing
 * elsewhere.
 */
const subjects = {
  session: rowIdPattern,
  upload: publicIdPattern,
  unlock: publicIdPattern,
  deliver: rowIdPattern,
  'unlock-reverse': publicIdPattern,
  device: /^[1-9][0-9]{0,15}$/,
}
export type TokenPurpose = keyof typeof subjects

export interface TokenClaims {
  /** What the token opens: the id of a session, a draft, a link. */
  readonly subject: string
  /** Ties an unlock to the password it was given for, an upload to its round of additions. */
  readonly version?: string
}

const algorithm = 'HS256'

/** Signs and checks our JWTs (RFC 7519). A token alone proves nothing that a row must allow. */
export class Tokens {
  readonly #keys: Keys
  readonly #clock: Clock

  constructor(keys: Keys, clock: Clock) {
    this.#keys = keys
    this.#clock = clock
  }

  async sign(purpose: TokenPurpose, claims: TokenClaims, lifeMs: number): Promise<string> {
    const { SignJWT } = await loadJose()
    const now = Math.floor(this.#clock.now() / 1000)
    return new SignJWT(claims.version === undefined ? {} : { ver: claims.version })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
      .setAudience(purpose)
      .setSubject(claims.subject)
      .setIssuedAt(now)
      .setExpirationTime(now + Math.ceil(lifeMs / 1000))
      .sign(this.#keys.signing)
  }

  /** The claims of a token of ours for this purpose; null for anything else. */
  async read(purpose: TokenPurpose, token: string): Promise<TokenClaims | null> {
    const { jwtVerify } = await loadJose()
    try {
      const { payload } = await jwtVerify(token, this.#keys.signing, {
        algorithms: [algorithm],
        audience: purpose,
        currentDate: new Date(this.#clock.now()),
        requiredClaims: ['sub', 'exp'],
      })
      const { sub: subject, ver: version } = payload
      // JWT_SECRET may sign for another program too: what is no id of ours must not reach SQL.
      if (typeof subject !== 'string' || !subjects[purpose].test(subject)) return null
      if (version === undefined) return { subject }
      return typeof version === 'string' ? { subject, version } : null
    } catch {
      return null
    }
  }
}

/** Loaded by the first token: 7 MB that an idle service does without. */
function loadJose(): Promise<typeof import('jose')> {
  return import('jose')
}
