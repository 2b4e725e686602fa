import type { Database } from '../database/connect.ts'
import type { Log } from '../lib/log.ts'
import { listUsageDrifts, lockUsage, mendUsage } from './usage-sql.ts'

/** Sums up what accounts own, and mends and logs where the counted usage differs. */
export async function recountUsage({
  database,
  log,
}: {
  readonly database: Database
  readonly log: Log
}): Promise<void> {
  if ((await listUsageDrifts(database.sql)).length === 0) return
  const drifts = await database.begin(async (sql) => {
    await lockUsage(sql)
    const found = await listUsageDrifts(sql)
    await mendUsage(sql)
    return found
  })
  for (const drift of drifts) log.error('mended drift of usage', { ...drift })
}
