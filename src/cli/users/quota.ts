import * as v from 'valibot'
import { operator } from '../../lib/actor.ts'
import { parseInput } from '../../http/schema.ts'
import { quotaSchema } from '../../accounts/users/schemas.ts'
import { findAccount } from '../accounts.ts'
import type { Call, Report } from '../command.ts'
import { withApp } from '../open-app.ts'
import { printable } from '../table.ts'

const inputSchema = v.object({ quota: quotaSchema })

/** Sets how many bytes on disk an account may use. */
export async function setQuota(call: Call): Promise<Report> {
  const [word = '', bytes = ''] = call.operands
  const given = bytes === 'default' ? null : /^\d+$/.test(bytes) ? Number(bytes) : bytes
  const { quota } = parseInput(inputSchema, { quota: given })
  return withApp({ bytes: false }, async ({ services }) => {
    const user = await findAccount(services.users, word)
    await services.users.update(operator, user.id, { quota })
    const said = quota === null ? 'the setting userQuota' : sayBytes(quota ?? 0)
    return { json: { success: true }, text: `the quota of ${printable(user.email)} is ${said}` }
  })
}

function sayBytes(quota: number): string {
  return quota === 0 ? 'unlimited' : `${quota} bytes`
}
