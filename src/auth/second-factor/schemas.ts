import * as v from 'valibot'
import { noted, optional, text } from '../../http/schema.ts'
import { invalidInput } from '../../lib/errors.ts'
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

/** @throws CodedError invalid_input when both are missing */
export function readProof(body: {
  code?: string | null | undefined
  recoveryCode?: string | null | undefined
}): SecondFactorProof {
  const { code, recoveryCode } = body
  if (code) return { code }
  if (recoveryCode) return { recoveryCode }
  throw invalidInput('code', 'is required')
}
