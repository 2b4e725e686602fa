import { invalidInput } from '../lib/errors.ts'

/** Fields that guests may be required to fill in, in the order of the form. */
export const requiredFieldNames = ['name', 'email', 'note'] as const
export type RequiredField = (typeof requiredFieldNames)[number]

/** What guests may enter about themselves; empty strings for nothing. */
export interface Sender {
  readonly senderName: string
  readonly senderEmail: string
  readonly note: string
}

const fields = { name: 'senderName', email: 'senderEmail', note: 'note' } as const

/** @throws CodedError invalid_input naming the first field that is missing */
export function requireFields(requiredFields: readonly RequiredField[], sender: Sender): void {
  const missing = requiredFieldNames.find(
    (field) => requiredFields.includes(field) && sender[fields[field]].trim() === '',
  )
  if (missing) throw invalidInput(fields[missing], 'is required')
}
