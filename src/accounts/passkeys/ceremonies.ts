import { timingSafeEqual } from 'node:crypto'
import type { Authentication, CreationOptions, Registration, RequestOptions } from './schemas.ts'
import type { Credential, StoredPasskey } from './sql.ts'
import { minuteMs } from '../../lib/clock.ts'
import { hashToken, randomToken } from '../../lib/random-id.ts'
import type { AccountDeps } from '../deps.ts'

/** ES256, EdDSA and RS256 (RFC 9053, RFC 8812): what authenticators have. */
const algorithms = [-7, -8, -257]
/** An RSA key of 2048 bits. Larger ones would only make signatures costly to check. */
const publicKeyBytesMax = 300
/** Authenticator data with a public key, the longest credential id and some extensions. */
const authenticatorDataBytesMax = 2048

/** The service, as browsers name it. */
interface RelyingParty {
  /** Host name of BASE_URL. */
  readonly id: string
  readonly origin: string
}

/**
 * The service as a relying party; null where browsers have no passkeys: they need a secure context,
 * which is https or localhost, and a domain (WebAuthn level 3, section 5.1.3, steps 7 and 8).
 */
export function relyingPartyOf(baseUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(baseUrl)
  const isLocal = /^(?:.+\.)?localhost$/.test(hostname)
  if (/^(?:[\d.]+|\[.+\])$/.test(hostname)) return null
  return protocol === 'https:' || isLocal ? { id: hostname, origin } : null
}

/** What an answer says it is for; null if it is no JSON of this form. */
export function readClientData(clientDataJSON: string): { challenge: string } | null {
  try {
    const data = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) as {
      challenge?: unknown
      crossOrigin?: unknown
    }
    const { challenge, crossOrigin } = data
    // No page of ours is shown in a frame of another site.
    return typeof challenge === 'string' && crossOrigin !== true ? { challenge } : null
  } catch {
    return null
  }
}

/** Options for `navigator.credentials.create`. */
export function creationOptions(
  rp: { readonly id: string; readonly name: string },
  user: CreationOptions['user'],
  challenge: string,
  known: readonly Credential[],
): CreationOptions {
  return {
    rp,
    user,
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: challengeLifeMs,
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      type: 'public-key',
      transports: [...transports],
    })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  }
}

/** Options for `navigator.credentials.get`. */
export function requestOptions(rpId: string, challenge: string): RequestOptions {
  return {
    challenge,
    timeout: challengeLifeMs,
    rpId,
    allowCredentials: [],
    userVerification: 'required',
  }
}

/**
 * Checks a new passkey (WebAuthn level 3, section 7.1), whose challenge the caller has checked.
 * Attestations prove nothing to us, so they are dropped unread: their certificates would be costly
 * to parse, and name addresses to fetch.
 * @throws Error when any rule is broken
 */
export async function verifyRegistration(
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
  registration: Registration,
): Promise<Credential> {
  const { response, ...answer } = registration
  const { verifyRegistrationResponse } = await loadLibrary()
  const attestationObject = await withoutAttestation(response.attestationObject)
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      ...answer,
      response: { clientDataJSON: response.clientDataJSON, attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge: () => true,
    expectedOrigin,
    expectedRPID,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  })
  if (!verified) throw new Error('not verified')
  const { id, publicKey, counter } = registrationInfo.credential
  if (id !== registration.id) throw new Error('another credential')
  if (publicKey.length > publicKeyBytesMax) throw new Error('the public key is too long')
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey),
    counter,
    transports: response.transports ?? [],
  }
}

async function withoutAttestation(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoCBOR } = await import('@simplewebauthn/server/helpers')
  const data = decodeAttestationObject(Buffer.from(attestationObject, 'base64url')).get('authData')
  if (!(data instanceof Uint8Array) || data.length > authenticatorDataBytesMax) {
    throw new Error('no authenticator data')
  }
  const fields = new Map<string, string | Uint8Array | Map<string, never>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, never>()],
    ['authData', data],
  ])
  return Buffer.from(isoCBOR.encode(fields)).toString('base64url')
}

/**
 * Checks a signature (WebAuthn level 3, section 7.2), whose challenge the caller has checked.
 * @returns the authenticator's counter, which the caller compares
 * @throws Error when any rule is broken
 */
export async function verifyAuthentication(
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
  authentication: Authentication,
  passkey: StoredPasskey,
): Promise<number> {
  const { response, ...answer } = authentication
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  // Discoverable passkeys name the account, and it has to be theirs.
  if (userHandle !== passkey.userHandle) throw new Error('another account')
  const { verifyAuthenticationResponse } = await loadLibrary()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      ...answer,
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {},
    },
    expectedChallenge: () => true,
    expectedOrigin,
    expectedRPID,
    requireUserVerification: true,
    // The library would compare counters before it has checked the signature.
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: 0,
    },
  })
  if (!verified) throw new Error('wrong signature')
  return authenticationInfo.newCounter
}

/** Loaded by the first answer to a challenge, because it takes 27 MB (decision 0027). */
function loadLibrary(): Promise<typeof import('@simplewebauthn/server')> {
  return import('@simplewebauthn/server')
}

/** How long an authenticator may take, with its user. */
const challengeLifeMs = 5 * minuteMs

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
