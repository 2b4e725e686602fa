import { findAccount, findOwnerId } from '../accounts.ts'
import { operator } from '../../lib/actor.ts'
import type { Call, Report } from '../command.ts'
import { withApp } from '../open-app.ts'
import { confirm } from '../prompt.ts'
import { printable } from '../table.ts'

export function deleteUser(call: Call): Promise<Report> {
  return withApp({ bytes: true }, async ({ services }) => {
    const { id, email } = await findAccount(services.users, call.operands[0]!)
    const heir = await findOwnerId(services.users, call.text('transfer-to'))
    const fate =
      heir === null ? 'Everything it owns is deleted too.' : 'Everything it owns is kept.'
    await confirm(`${fate} Type the email address to confirm (${email}):`, email, call.has('yes'))
    await services.users.delete(operator, id, heir)
    return { json: { success: true }, text: `deleted ${printable(email)}` }
  })
}
