import { presentManagedUser } from '../../accounts/users/schemas.ts'
import { findAccount } from '../accounts.ts'
import { operator } from '../../lib/actor.ts'
import type { Call, Report } from '../command.ts'
import { withApp } from '../open-app.ts'
import { printable } from '../table.ts'

export function setDisabled(call: Call, disabled: boolean): Promise<Report> {
  return withApp({ bytes: false }, async ({ services }) => {
    const { id, email } = await findAccount(services.users, call.operands[0]!)
    await services.users.update(operator, id, { disabled })
    return {
      json: presentManagedUser(await services.users.find(id)),
      text: `${disabled ? 'disabled' : 'enabled'} ${printable(email)}`,
    }
  })
}
