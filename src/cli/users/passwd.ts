import * as v from 'valibot'
import { parseInput } from '../../http/schema.ts'
import { newPasswordSchema } from '../../accounts/users/schemas.ts'
import { findAccount } from '../accounts.ts'
import { operator } from '../../lib/actor.ts'
import type { Call, Report } from '../command.ts'
import { withApp } from '../open-app.ts'
import { readNewPassword } from '../prompt.ts'
import { printable } from '../table.ts'

const inputSchema = v.object({ password: newPasswordSchema })

export async function setPassword(call: Call): Promise<Report> {
  const [word = ''] = call.operands
  const given = await readNewPassword(`New password for ${printable(word)}: `)
  const { password } = parseInput(inputSchema, { password: given })
  return withApp({ bytes: false }, async ({ services }) => {
    const user = await findAccount(services.users, word)
    await services.account.setPassword(operator, user.id, password)
    return {
      json: { success: true },
      text: `set the password of ${printable(user.email)}; its sessions and API tokens have ended`,
    }
  })
}
