import { operator } from '../../lib/actor.ts'
import type { Call, Report } from '../command.ts'
import { deleteEach } from '../delete-each.ts'
import { withApp } from '../open-app.ts'
import { confirm } from '../prompt.ts'

export async function deleteReverseShares(call: Call): Promise<Report> {
  const names = { noun: 'reverse share', parameter: 'reverseId', done: 'deleted' }
  const ids = call.operands
  const question = `Delete ${ids.join(', ')} with all deliveries? Type yes:`
  await confirm(question, 'yes', call.has('yes'))
  return withApp({ bytes: true }, ({ services }) =>
    deleteEach(ids, names, (id) => services.reverseShares.deleteAny(operator, id)),
  )
}
