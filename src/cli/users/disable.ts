import { presentManagedUser } from '../../accounts/users/schemas.ts'
import { findAccount } from '../accounts.ts'
import { operator } from '../../lib/actor.ts'
import type { Call, Report } from '../command.ts'
import { withApp } from '../open-app.ts'
import { printable } from '../table.ts'

export function setDisabled(call: Call, disabled: boolean): Promise<Report> {
  return withApp({ bytes: false }, async ({ rooms }) => {
    const { id, email } = await findAccount(rooms.users, call.operands[0]!)
    await rooms.users.update(operator, id, { disabled })
    return {
      json: presentManagedUser(await rooms.users.find(id)),
      text: `${disabled ? 'disabled' : 'enabled'} ${printable(email)}`,
    }
  })
}
