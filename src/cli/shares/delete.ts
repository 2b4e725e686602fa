import { operator } from '../../lib/actor.ts'
import type { Call, Report } from '../command.ts'
import { deleteEach } from '../delete-each.ts'
import { withApp } from '../open-app.ts'
import { confirm } from '../prompt.ts'

export async function deleteShares(call: Call): Promise<Report> {
  const names = { noun: 'share', parameter: 'shareId', done: 'deleted' }
  const ids = call.operands
  await confirm(`Delete ${ids.join(', ')} with all files? Type yes:`, 'yes', call.has('yes'))
  return withApp({ bytes: true }, ({ services }) =>
    deleteEach(ids, names, (id) => services.shares.deleteAny(operator, id)),
  )
}
