import * as rows from './overview-sql.ts'
import type { AdminDeps } from './deps.ts'

/** A chunk is counted when it ends: 100 MiB at 3 Mbit/s take almost five minutes. */
const growingMs = 5 * 60_000
const accountsMax = 10
const transfersMax = 20
const waitingMax = 20

type Deps = Pick<AdminDeps, 'database' | 'clock' | 'traffic' | 'downloads' | 'signUp'>

export type OverviewReport = Awaited<ReturnType<typeof reportOverview>>

/**
 * Collects who uses the service, and how much, for administrators.
 * @param days length of the period that ends today
 */
export async function reportOverview(deps: Deps, days: number) {
  const { database, clock, traffic, signUp } = deps
  const { sql } = database
  const now = new Date(clock.now())
  const since = new Date(now.getTime() - growingMs)
  const [moved, openReverseShares, waiting, usage, uploads, downloads] = await Promise.all([
    traffic.report(days),
    rows.countOpenReverseShares(sql, now),
    signUp.listWaiting(waitingMax),
    rows.listUsage(sql, accountsMax),
    rows.listRunningUploads(sql, { since, now, countMax: transfersMax }),
    listDownloads(deps),
  ])
  return { traffic: moved, openReverseShares, waiting, usage, uploads, downloads }
}

/** Leaves out deleted subjects: their transfers are about to be aborted. */
async function listDownloads({ database, downloads }: Deps) {
  const running = downloads.running.list(transfersMax)
  const keys = running.map(({ abortKey }) => abortKey)
  const places = await rows.findTransferPlaces(database.sql, keys)
  return running.flatMap(({ abortKey, ...download }) => {
    const place = places.get(abortKey)
    return place ? [{ ...place, ...download }] : []
  })
}
