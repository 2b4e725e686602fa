import { operator } from '../lib/actor.ts'
import { formatBytes } from '../lib/sizes.ts'
import type { OwnedShare } from '../shares/all-sql.ts'
import { presentOwnedShare } from '../shares/schemas.ts'
import { type ShareState, shareStates } from '../shares/sql.ts'
import { findOwnerId } from './users.ts'
import { UsageError, type Call, type Report } from './command.ts'
import { deleteEach } from './delete-each.ts'
import { withApp } from './open-app.ts'
import { confirm } from './prompt.ts'
import { type Column, day, formatTable, printable } from './table.ts'
import { presentReverseShare } from '../requests/schemas.ts'
import type { ReverseShareSummary } from '../requests/sql.ts'

const columns: Column<OwnedShare>[] = [
  { title: 'ID', text: ({ share }) => share.id },
  { title: 'STATE', text: ({ share }) => share.state },
  { title: 'SIZE', text: ({ share }) => formatBytes(share.totalSize) },
  { title: 'DAMAGED', text: ({ damagedFiles }) => (damagedFiles > 0 ? `${damagedFiles}` : '') },
  { title: 'EXPIRES', text: ({ share }) => day(share.expiresAt) },
  { title: 'OWNER', text: ({ ownerEmail }) => ownerEmail },
  { title: 'NAME', text: ({ shownName }) => shownName },
]

export async function listShares(call: Call): Promise<Report> {
  const state = readState(call.text('state'))
  const limit = readLimit(call.text('limit'))
  return withApp({ bytes: false }, async ({ services }) => {
    const ownerId = await findOwnerId(services.users, call.text('owner'))
    const shares = await services.shares.listAll({ ownerId, state, limit })
    return {
      json: shares.map((owned) => presentOwnedShare(owned, services.shareUrl(owned.share))),
      text: formatTable(shares, columns),
    }
  })
}

function readState(word: string | null): ShareState | null {
  if (word === null) return null
  const state = shareStates.find((known) => known === word)
  if (state) return state
  throw new UsageError(`--state must be one of ${shareStates.join(', ')}, not "${word}"`)
}

function readLimit(word: string | null): number | null {
  if (word === null) return null
  if (/^[1-9][0-9]{0,8}$/.test(word)) return Number(word)
  throw new UsageError(`--limit must be a number of at least 1, not "${word}"`)
}

const deletion = { noun: 'share', parameter: 'shareId', done: 'deleted' }

export async function deleteShares(call: Call): Promise<Report> {
  const { operands: ids } = call
  const owner = call.text('owner')
  if ((owner === null) === (ids.length === 0)) {
    throw new UsageError('shares delete takes ids, or --owner <user>')
  }
  if (owner !== null) return deleteSharesOf(call, owner)
  await confirm(`Delete ${ids.join(', ')} with all files? Type yes:`, 'yes', call.has('yes'))
  return withApp({ bytes: true }, ({ services }) =>
    deleteEach(ids, deletion, (id) => services.shares.deleteAny(operator, id)),
  )
}

function deleteSharesOf(call: Call, owner: string): Promise<Report> {
  return withApp({ bytes: true }, async ({ services }) => {
    const ownerId = await findOwnerId(services.users, owner)
    const owned = await services.shares.listAll({ ownerId, state: null, limit: null })
    const whose = printable(owner)
    if (owned.length === 0) return { json: [], text: `${whose} has no shares` }
    const question = `Delete all ${owned.length} shares of ${whose} with all files? Type yes:`
    await confirm(question, 'yes', call.has('yes'))
    const ids = owned.map(({ share }) => share.id)
    return deleteEach(ids, deletion, (id) => services.shares.deleteAny(operator, id))
  })
}

const reverseColumns: Column<ReverseShareSummary>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'FILES', text: ({ fileCount }) => String(fileCount) },
  { title: 'SIZE', text: ({ totalSize }) => formatBytes(totalSize) },
  { title: 'DAMAGED', text: ({ damagedFiles }) => (damagedFiles > 0 ? `${damagedFiles}` : '') },
  { title: 'EXPIRES', text: ({ expiresAt }) => day(expiresAt) },
  { title: 'OWNER', text: ({ ownerEmail }) => ownerEmail },
  { title: 'NAME', text: ({ name }) => name },
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
      text: formatTable(links, reverseColumns),
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
