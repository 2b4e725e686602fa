// Passkeys in the browser (WebAuthn level 3, sections 5.1.8 to 5.1.10). We convert their JSON
// ourselves: older browsers lack toJSON() and its opposites, and some password managers replace
// credentials by objects without them.
import { api, ApiError } from './api.ts'
import { browserClock } from './clock.ts'

/** The service takes an answer for five minutes after its options. */
const roundMs = 4 * 60_000

/** Whether this browser has passkeys: on plain http it has none. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in globalThis

interface CredentialRef {
  readonly id: string
  readonly type: 'public-key'
  readonly transports: AuthenticatorTransport[]
}

interface CreationOptions extends Omit<
  PublicKeyCredentialCreationOptions,
  'challenge' | 'user' | 'excludeCredentials'
> {
  readonly challenge: string
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string }
  readonly excludeCredentials: readonly CredentialRef[]
}

interface RequestOptions extends Omit<PublicKeyCredentialRequestOptions, 'challenge'> {
  readonly challenge: string
}

/**
 * Makes a passkey for the account, for `/api/passkeys/register/verify`. Null when the user cancels.
 * @throws ApiError
 */
export function makePasskey(): Promise<object | null> {
  return run(async (signal) => {
    const options = await api<CreationOptions>('POST', '/api/passkeys/register/options')
    const { challenge, user, excludeCredentials } = options
    const publicKey = {
      ...options,
      challenge: toBytes(challenge),
      user: { ...user, id: toBytes(user.id) },
      excludeCredentials: excludeCredentials.map((one) => ({ ...one, id: toBytes(one.id) })),
    }
    return navigator.credentials.create({ publicKey, signal })
  })
}

/**
 * Asks for one of the user's passkeys. Null when the user cancels.
 * @param purpose to sign in, or to confirm who uses this session
 * @throws ApiError
 */
export function askPasskey(purpose: 'auth' | 'confirm', mediation?: 'conditional') {
  return run(async (signal) => {
    const options = await api<RequestOptions>('POST', `/api/passkeys/${purpose}/options`)
    const publicKey = { ...options, challenge: toBytes(options.challenge) }
    return navigator.credentials.get({ publicKey, signal, ...(mediation && { mediation }) })
  })
}

/**
 * Confirms who uses this session. False when the user cancels.
 * @throws ApiError
 */
export async function confirmByPasskey(): Promise<boolean> {
  const passkey = await askPasskey('confirm')
  if (passkey) await api('POST', '/api/auth/confirm', { body: { passkey } })
  return passkey !== null
}

/** Offers passkeys where the browser fills in the email address, while the page is open. */
export async function offerPasskeys(take: (answer: object) => Promise<void>): Promise<void> {
  if (!hasPasskeys()) return
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
  for (;;) {
    const cancel = browserClock.setTimer(roundMs, () => running?.abort(nextRound))
    // An error here would be about nothing that the user has done.
    const answer = await askPasskey('auth', 'conditional').catch(() => null)
    cancel()
    if (answer) await take(answer)
    else if (ended !== nextRound) return
  }
}

const nextRound = 'next round'
/** Browsers run one request at a time. */
let running: AbortController | null = null
/** The reason why the last request was aborted. */
let ended: unknown = null

async function run(ask: (signal: AbortSignal) => Promise<Credential | null>) {
  running?.abort()
  const own = (running = new AbortController())
  try {
    return toJson(await ask(own.signal))
  } catch (error) {
    ended = own.signal.aborted ? own.signal.reason : null
    const name = error instanceof DOMException ? error.name : ''
    // Cancelled, timed out, or no passkey: browsers do not tell these apart, and say it themselves.
    if (own.signal.aborted || name === 'NotAllowedError') return null
    if (name === 'SecurityError') throw new ApiError(409, { code: 'https_required' })
    if (name === 'InvalidStateError') throw new ApiError(409, { code: 'passkey_known' })
    throw error
  }
}

function toJson(credential: Credential | null): object | null {
  if (!credential) return null
  const { id, type, response } = credential as PublicKeyCredential
  const part = response as AuthenticatorAttestationResponse & AuthenticatorAssertionResponse
  return {
    id,
    rawId: id,
    type,
    response: {
      clientDataJSON: toText(part.clientDataJSON),
      attestationObject: toText(part.attestationObject),
      transports: part.getTransports?.(),
      authenticatorData: toText(part.authenticatorData),
      signature: toText(part.signature),
      userHandle: toText(part.userHandle),
    },
  }
}

function toBytes(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0))
}

function toText(data: ArrayBuffer | null | undefined): string | undefined {
  if (!data) return undefined
  const text = btoa(String.fromCharCode(...new Uint8Array(data)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
