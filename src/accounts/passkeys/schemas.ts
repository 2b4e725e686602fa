// What browsers and the service say to each other about passkeys: the JSON of WebAuthn level 3,
// section 5.1, as the browser's own toJSON() and @simplewebauthn/browser write it.
import * as v from 'valibot'
import { named, noted, optional, text, timestamp } from '../../http/schema.ts'

/** A credential id has at most 1023 bytes (WebAuthn level 3, section 5.8.3). */
const credentialIdCharactersMax = 1364
const clientDataCharactersMax = 2048
const authenticatorDataCharactersMax = 1024
const attestationCharactersMax = 4096
const signatureCharactersMax = 1024
const userHandleCharactersMax = 86

const base64url = (charactersMax: number) =>
  noted(
    v.pipe(text(1, charactersMax), v.regex(/^[A-Za-z0-9_-]+$/, 'must be base64url')),
    'Base64url',
    'mB3xK9vQ2rT7wYz5nP8dLg',
  )

const answered = {
  id: base64url(credentialIdCharactersMax),
  rawId: base64url(credentialIdCharactersMax),
  type: v.picklist(['public-key']),
}
const clientDataJSON = base64url(clientDataCharactersMax)

/** `RegistrationResponseJSON` */
export const registrationSchema = v.object({
  ...answered,
  response: v.object({
    clientDataJSON,
    attestationObject: base64url(attestationCharactersMax),
    transports: optional(
      v.pipe(
        v.array(noted(v.pipe(text(1, 20), v.regex(/^[a-z-]+$/, 'must be a word')), '', 'usb')),
        v.maxLength(10, 'must have at most 10 items'),
      ),
    ),
  }),
})
export type Registration = v.InferOutput<typeof registrationSchema>

/** `AuthenticationResponseJSON` */
export const authenticationSchema = v.object({
  ...answered,
  response: v.object({
    clientDataJSON,
    authenticatorData: base64url(authenticatorDataCharactersMax),
    signature: base64url(signatureCharactersMax),
    userHandle: optional(base64url(userHandleCharactersMax)),
  }),
})
export type Authentication = v.InferOutput<typeof authenticationSchema>

const credentialType = v.literal('public-key')
const challenge = noted(v.string(), 'Base64url; valid for five minutes and one answer')
const timeout = noted(v.number(), 'Milliseconds')
const userVerification = v.literal('required')

/** `PublicKeyCredentialCreationOptionsJSON` */
export const creationOptionsSchema = named(
  'PasskeyCreationOptions',
  v.object({
    rp: v.object({ id: v.string(), name: v.string() }),
    user: v.object({ id: v.string(), name: v.string(), displayName: v.string() }),
    challenge,
    pubKeyCredParams: v.array(v.object({ type: credentialType, alg: v.number() })),
    timeout,
    excludeCredentials: v.array(
      v.object({ id: v.string(), type: credentialType, transports: v.array(v.string()) }),
    ),
    authenticatorSelection: v.object({
      residentKey: v.literal('required'),
      requireResidentKey: v.boolean(),
      userVerification,
    }),
    attestation: v.literal('none'),
  }),
)
export type CreationOptions = v.InferOutput<typeof creationOptionsSchema>

/** `PublicKeyCredentialRequestOptionsJSON` */
export const requestOptionsSchema = named(
  'PasskeyRequestOptions',
  v.object({
    challenge,
    timeout,
    rpId: v.string(),
    allowCredentials: noted(
      v.array(v.string()),
      'Always empty, so that the browser offers all its passkeys',
      [],
    ),
    userVerification,
  }),
)
export type RequestOptions = v.InferOutput<typeof requestOptionsSchema>

export const passkeyNameSchema = noted(
  v.pipe(
    text(1, 100),
    v.trim(),
    v.minLength(1, 'must not be empty'),
    v.regex(/^[^\p{Cc}]*$/u, 'must be one line'),
  ),
  'Name of the passkey',
  'Chrome on Android',
)

export const passkeyFields = {
  id: v.string(),
  name: v.string(),
  created_at: timestamp,
  last_used_at: v.nullable(timestamp),
}
export const passkeySchema = named('Passkey', v.object(passkeyFields))
