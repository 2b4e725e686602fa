import * as v from 'valibot'
import { parseInput } from '../../http/schema.ts'
import {
  emailSchema,
  newPasswordSchema,
  presentManagedUser,
  userNameSchema,
} from '../../accounts/users/schemas.ts'
import { operator } from '../../lib/actor.ts'
import type { Call, Report } from '../command.ts'
import { withApp } from '../open-app.ts'
import { readNewPassword } from '../prompt.ts'
import { printable } from '../table.ts'

const inputSchema = v.object({
  email: emailSchema,
  name: userNameSchema,
  password: newPasswordSchema,
})

export async function addUser(call: Call): Promise<Report> {
  const [email = ''] = call.operands
  const password = await readNewPassword(`Password for ${printable(email)}: `)
  const name = call.text('name') ?? email.split('@')[0]
  const input = parseInput(inputSchema, { email, name, password })
  return withApp({ bytes: false, create: true }, async ({ services }) => {
    const user = await services.users.create(operator, { ...input, isAdmin: call.has('admin') })
    const role = user.isAdmin ? ' (administrator)' : ''
    return {
      json: presentManagedUser(user),
      text: `created user ${user.id}: ${printable(user.email)}${role}`,
    }
  })
}
