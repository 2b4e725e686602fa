import { operator } from '../lib/actor.ts'
import { formatBytes } from '../lib/sizes.ts'
import { presentReverseShare } from '../requests/schemas.ts'
import type { ReverseShareSummary } from '../requests/sql.ts'
import { findOwnerId } from './accounts.ts'
import type { Call, Report } from './command.ts'
import { deleteEach } from './delete-each.ts'
import { withApp } from './open-app.ts'
import { confirm } from './prompt.ts'
import { type Column, day, formatTable, outputWidth } from './table.ts'

const columns: Column<ReverseShareSummary>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'FILES', text: ({ fileCount }) => String(fileCount) },
  { title: 'SIZE', text: ({ totalSize }) => formatBytes(totalSize) },
  { title: 'DAMAGED', text: ({ damagedFiles }) => (damagedFiles > 0 ? `${damagedFiles}` : '') },
  { title: 'EXPIRES', text: ({ expiresAt }) => day(expiresAt) },
  { title: 'OWNER', text: ({ ownerEmail }) => ownerEmail, isFlexible: true },
  { title: 'NAME', text: ({ name }) => name, isFlexible: true },
]

export function listReverseShares(call: Call): Promise<Report> {
  return withApp({ bytes: false }, async ({ services }) => {
    const { reverseShares, reverseShareUrl } = services
    const ownerId = await findOwnerId(services.users, call.text('owner'))
    const links = await reverseShares.list(ownerId)
    return {
      json: links.map((reverse) => {
        const isExpired = reverseShares.isExpired(reverse)
        const shown = presentReverseShare(reverse, reverseShareUrl(reverse), isExpired)
        const owner = { id: reverse.ownerId, email: reverse.ownerEmail }
        return { ...shown, damaged_files: reverse.damagedFiles, owner }
      }),
      text: formatTable(links, columns, outputWidth()),
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
