import { filterOf, pageFilterSchema, presentRow } from '../audit/operations.ts'
import type { AuditRow } from '../audit/sql.ts'
import { parseInput } from '../http/schema.ts'
import { UsageError, type Call, type Report } from './command.ts'
import { withApp } from './open-app.ts'
import { type Column, formatTable } from './table.ts'

/** As many as fit on a screen or two. */
const shownByDefault = '50'

const columns: Column<AuditRow>[] = [
  { title: 'TIME', text: ({ at }) => at.toISOString().slice(0, 19).replace('T', ' ') },
  { title: 'EVENT', text: ({ event }) => event },
  { title: 'ACTOR', text: (row) => row.actorEmail || row.actorKind },
  { title: 'TARGET', text: (row) => row.targetName || row.targetId },
  { title: 'ADDRESS', text: ({ ip }) => ip },
  { title: 'DETAILS', text: ({ details }) => sayDetails(details) },
]

/** Shows the newest events, the last of them at the end, where a terminal stops. */
export async function showAudit(call: Call): Promise<Report> {
  const names = ['event', 'actor', 'target', 'since'] as const
  const given = names.map((name) => [name, call.text(name) ?? undefined])
  const query = readFilter({
    ...Object.fromEntries(given),
    limit: call.text('limit') ?? shownByDefault,
  })
  return withApp({ bytes: false }, async ({ services }) => {
    const rows = await services.audit.list(filterOf(query), null, query.limit!)
    return {
      json: rows.map(presentRow),
      text: formatTable(rows.toReversed(), columns),
    }
  })
}

/** @throws UsageError that names the option: the fields have the names of the options */
function readFilter(given: object) {
  try {
    return parseInput(pageFilterSchema, given)
  } catch (error) {
    throw new UsageError(`--${(error as Error).message}`, { cause: error })
  }
}

function sayDetails(details: AuditRow['details']): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
}
