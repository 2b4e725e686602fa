import { operator } from '../../lib/actor.ts'
import type { Call, Report } from '../command.ts'
import { deleteEach } from '../delete-each.ts'
import { withApp } from '../open-app.ts'

export function revokeTokens(call: Call): Promise<Report> {
  const names = { noun: 'API token', parameter: 'tokenId', done: 'revoked' }
  return withApp({ bytes: false }, ({ services }) =>
    deleteEach(call.operands, names, (id) => services.apiTokens.deleteAny(operator, id)),
  )
}
