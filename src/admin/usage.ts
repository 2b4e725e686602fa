import type { Database, Sql } from '../database/connect.ts'
import type { Log } from '../lib/log.ts'
import { readPages } from '../lib/pages.ts'
import * as rows from './usage-sql.ts'

/** Accounts whose containers one statement sums: it may take ten seconds, and holds locks. */
const accountsMax = 500

/** Sums up what all accounts own, page by page. */
export async function* findUsageDrifts(sql: Sql): AsyncGenerator<rows.UsageDrift[], void> {
  const read = (last: number | null, limit: number) => rows.listAccountIds(sql, last, limit)
  const pages = readPages(read, [accountsMax, accountsMax])
  for await (const accounts of pages) yield rows.listUsageDrifts(sql, accounts)
}

/** Mends and logs where the counted usage of an account differs from what it owns. */
export async function recountUsage({
  database,
  log,
}: {
  readonly database: Database
  readonly log: Log
}): Promise<void> {
  for await (const found of findUsageDrifts(database.sql)) {
    if (found.length === 0) continue
    const accounts = found.map(({ userId }) => userId)
    const drifts = await database.begin(async (sql) => {
      await rows.lockUsage(sql)
      const still = await rows.listUsageDrifts(sql, accounts)
      await rows.mendUsage(sql, accounts)
      return still
    })
    for (const drift of drifts) log.error('mended drift of usage', { ...drift })
  }
}
