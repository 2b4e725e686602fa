import { presentToken } from '../../accounts/api-tokens/operations.ts'
import type { OwnedApiToken } from '../../accounts/api-tokens/sql.ts'
import { findOwnerId } from '../accounts.ts'
import type { Call, Report } from '../command.ts'
import { withApp } from '../open-app.ts'
import { day, formatTable, outputWidth, type Column } from '../table.ts'

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
    const tokens = await services.apiTokens.listAll(ownerId)
    return {
      json: tokens.map(({ token, owner }) => ({ ...presentToken(token), owner })),
      text: formatTable(tokens, columns, outputWidth()),
    }
  })
}
