import { publicIdPattern, rowIdPattern } from '../../lib/path-parameters.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Keys } from './keys.ts'

/**
 * Purposes of tokens, each with the form of the id that it names. A token for one purpose is
 * invalid for others.
 */
const subjects = {
  session: rowIdPattern,
  upload: publicIdPattern,
  unlock: publicIdPattern,
  deliver: rowIdPattern,
  'unlock-reverse': publicIdPattern,
  'check-up': rowIdPattern,
  device: /^[1-9][0-9]{0,15}$/,
}
export type TokenPurpose = keyof typeof subjects

export interface TokenClaims {
  /** The id of the session, draft or link that the token opens. */
  readonly subject: string
  /** Ties an unlock to a password, and an upload token to a round of additions. */
  readonly version?: string
}

const algorithm = 'HS256'
/** Ours have about 300 characters. */
const charactersMax = 1024
/** Tokens whose signature need not be checked again. */
const knownMax = 1_000

/** What a valid signature covers. */
interface Signed {
  readonly purpose: TokenPurpose
  readonly claims: TokenClaims
  /** Seconds since 1970: the first second in which it is invalid. */
  readonly expiresAt: number
}

/** Signs and checks our JWTs (RFC 7519). Access also depends on the row that a token names. */
export class Tokens {
  readonly #keys: Keys
  readonly #clock: Clock
  /** Checked tokens: an upload sends the same one with every chunk. Least recently used first. */
  readonly #known = new Map<string, Signed>()

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

  /** The claims of our token for this purpose; null for anything else. */
  async read(purpose: TokenPurpose, token: string): Promise<TokenClaims | null> {
    if (token.length > charactersMax) return null
    const signed = this.#known.get(token) ?? (await this.#verify(purpose, token))
    if (!signed) return null
    this.#keep(token, signed)
    const isValid = signed.purpose === purpose && this.#clock.now() / 1000 < signed.expiresAt
    return isValid ? signed.claims : null
  }

  async #verify(purpose: TokenPurpose, token: string): Promise<Signed | null> {
    const { jwtVerify } = await loadJose()
    try {
      const { payload } = await jwtVerify(token, this.#keys.signing, {
        algorithms: [algorithm],
        audience: purpose,
        currentDate: new Date(this.#clock.now()),
        requiredClaims: ['sub', 'exp'],
      })
      const { sub: subject, ver: version, exp: expiresAt } = payload
      // JWT_SECRET may be shared with another program: a foreign id must not reach SQL.
      if (typeof subject !== 'string' || !subjects[purpose].test(subject)) return null
      if (expiresAt === undefined) return null
      if (version === undefined) return { purpose, claims: { subject }, expiresAt }
      if (typeof version !== 'string') return null
      return { purpose, claims: { subject, version }, expiresAt }
    } catch {
      return null
    }
  }

  #keep(token: string, signed: Signed): void {
    this.#known.delete(token)
    this.#known.set(token, signed)
    if (this.#known.size <= knownMax) return
    const [oldest] = this.#known.keys()
    this.#known.delete(oldest!)
  }
}

/** Loaded by the first token, because an idle service saves 7 MB without it. */
function loadJose(): Promise<typeof import('jose')> {
  return import('jose')
}
