import * as v from 'valibot'
import * as links from '../accounts/invitations/account-links.ts'
import {
  emailSchema,
  newPasswordSchema,
  presentManagedUser,
  userNameSchema,
} from '../accounts/users/schemas.ts'
import type { App } from '../app.ts'
import { parseInput } from '../http/schema.ts'
import { operator } from '../lib/actor.ts'
import { CodedError } from '../lib/errors.ts'
import type { Call, Report } from './command.ts'
import { withApp } from './open-app.ts'
import { readNewPassword } from './prompt.ts'
import { printable } from './table.ts'

const newUserSchema = v.object({
  email: emailSchema,
  name: userNameSchema,
  password: newPasswordSchema,
})

export async function addUser(call: Call): Promise<Report> {
  const [email = ''] = call.operands
  const password = await readNewPassword(`Password for ${printable(email)}: `)
  const name = call.text('name') ?? email.split('@')[0]
  const input = parseInput(newUserSchema, { email, name, password })
  return withApp({ bytes: false, create: true }, async ({ services }) => {
    const user = await services.users.create(operator, { ...input, isAdmin: call.has('admin') })
    const role = user.isAdmin ? ' (administrator)' : ''
    return {
      json: presentManagedUser(user),
      text: `created user ${user.id}: ${printable(user.email)}${role}`,
    }
  })
}

const invitedSchema = v.object({ email: emailSchema, name: userNameSchema })

/** Makes an account with an invitation, or a new link for a pending one. */
export async function inviteUser(call: Call): Promise<Report> {
  const [email = ''] = call.operands
  const input = parseInput(invitedSchema, { email, name: call.text('name') ?? email.split('@')[0] })
  return withApp({ bytes: false }, async ({ services }) => {
    const user = { ...input, isAdmin: call.has('admin') }
    const wanted = call.text('name') ? { name: input.name } : {}
    const { id, link } = await invite(services, user, wanted)
    const { url, expiresAt, isEmailed } = link
    const how = isEmailed ? 'an email is on its way, and ' : ''
    return {
      json: { success: true, id, url, expires_at: expiresAt.toISOString(), mailed: isEmailed },
      text:
        `invited ${printable(input.email)}: ${how}this link sets the password once and expires ` +
        `at ${expiresAt.toISOString()}\n${url}`,
    }
  })
}

async function invite(
  services: App['services'],
  user: { email: string; name: string; isAdmin: boolean },
  wanted: { name?: string },
): Promise<{ id: number; link: links.AccountLink }> {
  try {
    const invited = await links.invite(services, operator, user)
    return { id: invited.user.id, link: invited.link }
  } catch (error) {
    if (!(error instanceof CodedError && error.code === 'conflict')) throw error
    const { id, name, isAdmin } = await services.users.findByEmail(user.email)
    // A new link changes nothing else, so other changes are refused rather than ignored.
    if ((user.isAdmin && !isAdmin) || (wanted.name ?? name) !== name) {
      const message = 'This account already exists. Change its name and rights in the web UI.'
      throw new CodedError('conflict', { message })
    }
    return { id, link: await links.inviteAgain(services, operator, id) }
  }
}
