import { invalidInput } from '../lib/errors.ts'

/** What a guest may have to give, in the order in which it is asked for. */
export const requiredFieldNames = ['name', 'email', 'note'] as const
export type RequiredField = (typeof requiredFieldNames)[number]

/** What guests may say of themselves; empty for nothing. */
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
