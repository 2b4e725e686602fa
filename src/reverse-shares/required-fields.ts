import { invalidInput } from '../lib/errors.ts'

/** What a guest may have to give, in the order in which it is asked for. */
export const allDemands = ['name', 'email', 'note'] as const
export type Demand = (typeof allDemands)[number]

/** What guests may say of themselves; empty for nothing. */
export interface Sender {
  readonly senderName: string
  readonly senderEmail: string
  readonly note: string
}

const fields = { name: 'senderName', email: 'senderEmail', note: 'note' } as const

/** @throws CodedError invalid_input naming the first field that is missing */
export function requireDemanded(demands: readonly Demand[], sender: Sender): void {
  const missing = allDemands.find(
    (demand) => demands.includes(demand) && sender[fields[demand]].trim() === '',
  )
  if (missing) throw invalidInput(fields[missing], 'is asked for by this request')
}
