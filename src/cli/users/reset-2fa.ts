import { findAccount } from '../accounts.ts'
import { operator } from '../../lib/actor.ts'
import type { Call, Report } from '../command.ts'
import { withApp } from '../open-app.ts'
import { printable } from '../table.ts'

export function resetSecondFactor(call: Call): Promise<Report> {
  return withApp({ bytes: false }, async ({ services }) => {
    const { id, email } = await findAccount(services.users, call.operands[0]!)
    const had = await services.enrolment.reset(operator, id)
    const shown = printable(email)
    return {
      json: { success: true },
      text: had
        ? `removed the second factor of ${shown}; its sessions and API tokens have ended`
        : `${shown} has no second factor: nothing was changed`,
    }
  })
}
