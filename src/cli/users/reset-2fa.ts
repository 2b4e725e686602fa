import { findAccount } from '../accounts.ts'
import { operator } from '../../lib/actor.ts'
import type { Call, Report } from '../command.ts'
import { withApp } from '../open-app.ts'
import { printable } from '../table.ts'

export function resetSecondFactor(call: Call): Promise<Report> {
  return withApp({ bytes: false }, async ({ rooms }) => {
    const { id, email } = await findAccount(rooms.users, call.operands[0]!)
    const had = await rooms.enrolment.reset(operator, id)
    const shown = printable(email)
    return {
      json: { success: true },
      text: had
        ? `took the second factor of ${shown}; its logins and API tokens have ended`
        : `${shown} has no second factor: nothing was changed`,
    }
  })
}
