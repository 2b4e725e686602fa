import { operator } from '../lib/actor.ts'
import { formatBytes } from '../lib/sizes.ts'
import { presentReverseShare } from '../requests/schemas.ts'
import type { OwnedReverseShare } from '../requests/sql.ts'
import { findOwnerId } from './accounts.ts'
import type { Call, Report } from './command.ts'
import { deleteEach } from './delete-each.ts'
import { withApp } from './open-app.ts'
import { confirm } from './prompt.ts'
import { type Column, day, formatTable, outputWidth } from './table.ts'

const columns: Column<OwnedReverseShare>[] = [
  { title: 'ID', text: ({ reverse }) => reverse.id },
  { title: 'FILES', text: ({ fileCount }) => String(fileCount) },
  { title: 'SIZE', text: ({ totalSize }) => formatBytes(totalSize) },
  { title: 'DAMAGED', text: ({ damagedFiles }) => (damagedFiles > 0 ? `${damagedFiles}` : '') },
  { title: 'EXPIRES', text: ({ reverse }) => day(reverse.expiresAt) },
  { title: 'OWNER', text: ({ ownerEmail }) => ownerEmail, isFlexible: true },
  { title: 'NAME', text: ({ reverse }) => reverse.name, isFlexible: true },
]

export function listReverseShares(call: Call): Promise<Report> {
  return withApp({ bytes: false }, async ({ services }) => {
    const { reverseShares, reverseShareUrl } = services
    const ownerId = await findOwnerId(services.users, call.text('owner'))
    const owned = await reverseShares.listAll(ownerId)
    return {
      json: owned.map((summary) => {
        const { reverse, damagedFiles, ownerEmail: email } = summary
        const isExpired = reverseShares.isExpired(reverse)
        const shown = presentReverseShare(summary, reverseShareUrl(reverse), isExpired)
        const owner = { id: reverse.ownerId, email }
        return { ...shown, damaged_files: damagedFiles, owner }
      }),
      text: formatTable(owned, columns, outputWidth()),
    }
  })
}

export async function deleteReverseShares(call: Call): Promise<Report> {
  const names = { noun: 'reverse share', parameter: 'reverseId', done: 'deleted' }
  const ids = call.operands
  const question = `Delete ${ids.join(', ')} with all deliveries? Type yes:`
  await confirm(question, 'yes', call.has('yes'))
  return withApp({ bytes: true }, ({ services }) =>
    deleteEach(ids, names, (id) => services.reverseShares.deleteAny(operator, id)),
  )
}
