import * as v from 'valibot'
import { noted, optional, text } from '../../http/schema.ts'
import { invalidInput } from '../../lib/errors.ts'
import type { Confirmation } from '../own-account.ts'
import type { SecondFactorProof } from './second-factor.ts'

/** A TOTP code as the contract wants it. */
export const codeSchema = noted(
  v.pipe(v.string(), v.regex(/^[0-9]{6}$/, 'must be exactly six digits')),
  'Six digits of the authenticator app',
  '492039',
)

/** The fields of a body that prove a second factor; one of them is needed. */
export const proofFields = {
  code: optional(codeSchema),
  recoveryCode: noted(optional(text(1, 100)), 'In place of a code: one of the recovery codes'),
}

export const currentPasswordSchema = noted(text(0, 256), 'Password of the account as it is now')

/** The fields of a body that say who asks; with a second factor on, it is needed too. */
export const confirmationFields = { currentPassword: currentPasswordSchema, ...proofFields }

type Proof = Partial<v.InferOutput<v.ObjectSchema<typeof proofFields, undefined>>>

export function readConfirmation(body: Proof & { currentPassword: string }): Confirmation {
  const { currentPassword, code, recoveryCode } = body
  return { currentPassword, proof: code || recoveryCode ? readProof(body) : null }
}

/** @throws CodedError invalid_input when both are missing */
export function readProof(body: Proof): SecondFactorProof {
  const { code, recoveryCode } = body
  if (code) return { code }
  if (recoveryCode) return { recoveryCode }
  throw invalidInput('code', 'is required')
}
