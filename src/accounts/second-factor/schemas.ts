import * as v from 'valibot'
import { noted, oneOfRequired, optional, text, written } from '../../http/schema.ts'
import { invalidInput } from '../../lib/errors.ts'
import type { Confirmation } from '../own-account/own-account.ts'
import type { SecondFactorProof } from './second-factor.ts'

const codePattern = /^[0-9]{6}$/
const codeWords = 'Six digits from the authenticator app'
const codeExample = '492039'

/** A TOTP code in the contract's form. Pages remove the blanks of a pasted one. */
export const codeSchema = noted(
  v.pipe(v.string(), v.regex(codePattern, 'must be exactly six digits')),
  codeWords,
  codeExample,
)

/** Fields of a body that prove a second factor; one of them is required. */
export const proofFields = {
  code: optional(codeSchema),
  recoveryCode: noted(optional(text(1, 100)), 'Recovery code, instead of a code'),
}

/**
 * A body with these fields, one of which is required. Null counts as absent, but the description
 * does not mention it, because clients should omit the field.
 */
export function withProof<Entries extends v.ObjectEntries>(entries: Entries) {
  const code = written(proofFields.code, {
    type: 'string',
    pattern: codePattern.source,
    description: `${codeWords}; required unless \`recoveryCode\` is given`,
    examples: [codeExample],
  })
  return oneOfRequired(v.object({ ...entries, ...proofFields, code }), ['code', 'recoveryCode'])
}

export const currentPasswordSchema = noted(
  optional(text(0, 256)),
  'Current password of the account; not needed soon after `confirmLogin` with a passkey, or by ' +
    'an account without a password',
)

/** Fields of a body that confirm the user; with a second factor, `proofFields` are needed too. */
export const confirmationFields = { currentPassword: currentPasswordSchema, ...proofFields }

/** Errors of an operation that takes them. */
export const confirmationErrors = [
  'wrong_current_password',
  'wrong_second_factor',
  'confirmation_required',
  'rate_limited',
] as const

type Proof = Partial<v.InferOutput<v.ObjectSchema<typeof proofFields, undefined>>>

/** Null without a password. */
export function readConfirmation(
  body: Proof & { currentPassword?: string | null | undefined },
): Confirmation | null {
  const currentPassword = body.currentPassword ?? null
  return currentPassword === null ? null : { currentPassword, proof: readGivenProof(body) }
}

/** Null when both are missing. */
export function readGivenProof(body: Proof): SecondFactorProof | null {
  return body.code || body.recoveryCode ? readProof(body) : null
}

/** @throws CodedError invalid_input when both are missing */
export function readProof(body: Proof): SecondFactorProof {
  const { code, recoveryCode } = body
  if (code) return { code }
  if (recoveryCode) return { recoveryCode }
  throw invalidInput('code', 'is required')
}
