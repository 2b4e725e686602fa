import { findAccount } from '../accounts.ts'
import { operator } from '../../lib/actor.ts'
import type { Call, Report } from '../command.ts'
import { withApp } from '../open-app.ts'
import { printable } from '../table.ts'

export function endSessions(call: Call): Promise<Report> {
  return withApp({ bytes: false }, async ({ services }) => {
    const { id, email } = await findAccount(services.users, call.operands[0]!)
    const ended = await services.auth.endSessionsOf(operator, id)
    return {
      json: { success: true, ended },
      text: `ended ${ended} sessions of ${printable(email)}`,
    }
  })
}
