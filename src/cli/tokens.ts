import { remove } from '../accounts/api-tokens/api-tokens.ts'
import { tokenSchema } from '../accounts/api-tokens/operations.ts'
import { listApiTokens, type OwnedApiToken } from '../accounts/api-tokens/sql.ts'
import { present } from '../http/schema.ts'
import { operator } from '../lib/actor.ts'
import { findOwnerId } from './accounts.ts'
import type { Call, Report } from './command.ts'
import { deleteEach } from './delete-each.ts'
import { withApp } from './open-app.ts'
import { type Column, day, formatTable, outputWidth } from './table.ts'

const columns: Column<OwnedApiToken>[] = [
  { title: 'ID', text: ({ token }) => token.id },
  { title: 'OWNER', text: ({ owner }) => owner.email, isFlexible: true },
  { title: 'NAME', text: ({ token }) => token.name, isFlexible: true },
  { title: 'USED', text: ({ token }) => day(token.lastUsedAt) },
  { title: 'EXPIRES', text: ({ token }) => day(token.expiresAt) },
]

export function listTokens(call: Call): Promise<Report> {
  return withApp({ bytes: false }, async ({ services }) => {
    const ownerId = await findOwnerId(services.users, call.operands[0] ?? null)
    const tokens = await listApiTokens(services.database.sql, ownerId)
    return {
      json: tokens.map(({ token, owner }) => ({ ...present(tokenSchema, token), owner })),
      text: formatTable(tokens, columns, outputWidth()),
    }
  })
}

export function revokeTokens(call: Call): Promise<Report> {
  const names = { noun: 'API token', parameter: 'tokenId', done: 'revoked' }
  return withApp({ bytes: false }, ({ services }) =>
    deleteEach(call.operands, names, (id) => remove(services, operator, id, null)),
  )
}
