import { hourMs } from '../../lib/clock.ts'
import * as rows from './notices-sql.ts'
import type { ShareDeps } from '../deps.ts'

/** The rest waits for the next run. */
const sharesMax = 200
/** Downloads that end meanwhile may be committed a little later than their time says. */
const settleMs = 5_000

type Deps = Pick<ShareDeps, 'database' | 'emails' | 'clock'>

/**
 * Emails owners who asked for it about downloads of their shares, at most once an hour for each
 * share. A job finds them, so that downloads do no work for it.
 */
export async function emailAboutDownloads(deps: Deps): Promise<void> {
  const { emails } = deps
  if (!emails.isConfigured) return
  let told = 0
  while (told < sharesMax && (await tellNext(deps))) told += 1
  if (told > 0) emails.wake()
}

/** Tells about one share, all or nothing. False when none is due, or the queue is full. */
function tellNext({ database, emails, clock }: Deps): Promise<boolean> {
  const now = clock.now()
  const until = new Date(now - settleMs)
  const bounds = { now: new Date(now), until, emailedBefore: new Date(now - hourMs) }
  return database.begin(async (sql) => {
    const share = await rows.lockDueShare(sql, bounds)
    if (!share) return false
    const { id, name, ownerEmail } = share
    const { people, latest } = await rows.sumEndedDownloads(sql, id, bounds)
    const queued = await emails.queue(
      sql,
      { kind: 'downloads', shareId: id, name, people, latest },
      { to: [ownerEmail], topic: downloadsTopicOf(id), usefulUntil: null },
    )
    if (queued === 0) return false
    await rows.markTold(sql, id, until, bounds.now)
    return true
  })
}

export function downloadsTopicOf(shareId: string): string {
  return `downloads:${shareId}`
}
