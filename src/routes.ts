// What the service answers and does on its own: all operations with the pages, and all jobs.
import { accountOperations } from './accounts/operations.ts'
import type { AdminDeps } from './admin/deps.ts'
import { adminOperations } from './admin/operations.ts'
import { recountUsage } from './admin/usage.ts'
import { auditOperations } from './audit/operations.ts'
import { removeUnusedSegments } from './bytes/upkeep/unused-segments.ts'
import { emailOperations } from './email/operations.ts'
import type { Operation } from './http/operation.ts'
import type { CleanUpJob, Job } from './jobs/jobs.ts'
import { hourMs, minuteMs } from './lib/clock.ts'
import { deliveryCleanUp } from './requests/clean-up.ts'
import { requestOperations } from './requests/operations.ts'
import { listWithdrawalVersions } from './requests/withdrawals-sql.ts'
import { settingsOperations } from './settings/operations.ts'
import { emailAboutDownloads } from './shares/downloads/download-notices.ts'
import { shareCleanUp } from './shares/clean-up.ts'
import { shareOperations } from './shares/operations.ts'
import { getApiDescription } from './site/operations.ts'
import type { Library } from './site/library.ts'
import type { PageDeps } from './pages/deps.ts'
import { pageOperations } from './pages/operations.ts'

export interface RouteDeps extends PageDeps, AdminDeps {
  readonly description: Library
}

export function listOperations(deps: RouteDeps): readonly Operation[] {
  const { users, emails } = deps
  return [
    ...accountOperations(deps),
    ...shareOperations(deps),
    ...requestOperations(deps),
    ...settingsOperations(deps.settings),
    ...adminOperations(deps),
    ...emailOperations(emails, async (userId) => (await users.find(userId)).email),
    ...auditOperations(deps.audit),
    ...pageOperations(deps),
    getApiDescription(deps.description),
  ]
}

/** Only the declarations, for the API description and the tests: their handlers do not work. */
export const operations = listOperations({} as RouteDeps)

/** All jobs with their intervals. */
export function listJobs(deps: RouteDeps): readonly (Job | CleanUpJob)[] {
  const { database, storage, settings, downloads, manifests, emails } = deps
  const { verify, startCheck, traffic, disks, problemNotices, signUp } = deps
  const jobs: Job[] = [
    { name: 'read settings', everyMs: 5_000, run: () => settings.refresh() },
    {
      name: 'abort withdrawn downloads',
      everyMs: 5_000,
      run: () =>
        downloads.running.abortWithdrawn((keys) => listWithdrawalVersions(database.sql, keys)),
    },
    { name: 'close idle writers', everyMs: 15_000, run: () => storage.writers.closeIdle() },
    {
      name: 'email owners about downloads',
      everyMs: minuteMs,
      run: () => emailAboutDownloads(deps),
    },
    { name: 'email administrators about sign-ups', everyMs: 5 * minuteMs, run: () => signUp.run() },
    { name: 'send mail', everyMs: minuteMs, run: () => emails.run() },
    { name: 'record traffic', everyMs: 5_000, run: () => traffic.flushIfDue() },
    {
      name: 'write manifests',
      everyMs: minuteMs,
      run: async () => manifests.wake(),
      stop: () => manifests.stop(),
    },
    {
      name: 'verify',
      everyMs: 10 * minuteMs,
      run: () => verify.runIfDue(),
      stop: () => verify.stop(),
    },
    { name: 'check the storage', everyMs: minuteMs, run: () => startCheck.runIfDue() },
    { name: 'recount usage', everyMs: hourMs, isAlone: true, run: () => recountUsage(deps) },
    { name: 'watch disks', everyMs: minuteMs, run: () => disks.look() },
    { name: 'email administrators', everyMs: 5 * minuteMs, run: () => problemNotices.run() },
    {
      name: 'remove abandoned uploads',
      everyMs: 6 * hourMs,
      isAlone: true,
      run: () => storage.root.removeAbandoned(),
    },
  ]
  return [...jobs, ...listCleanUpJobs(deps)]
}

/** Jobs that remove things, which `transfer clean-up` runs too. */
function listCleanUpJobs(deps: RouteDeps): CleanUpJob[] {
  const { storage } = deps
  const shares = shareCleanUp(deps)
  const deliveries = deliveryCleanUp(deps)
  return [
    {
      name: 'clean up shares',
      removes: 'expired shares and abandoned drafts',
      everyMs: minuteMs / 2,
      byWallClock: true,
      cleanUp: () => shares.run(),
      failing: () => shares.failing,
    },
    {
      name: 'clean up deliveries',
      removes: 'abandoned deliveries',
      everyMs: minuteMs / 2,
      byWallClock: true,
      cleanUp: () => deliveries.run(),
      failing: () => deliveries.failing,
    },
    {
      name: 'remove unused segments',
      removes: 'segments without files',
      everyMs: minuteMs,
      byWallClock: false,
      cleanUp: () => removeUnusedSegments(deps),
    },
    {
      name: 'remove deleted bytes',
      removes: 'deleted containers still on disk',
      everyMs: minuteMs,
      byWallClock: false,
      cleanUp: () => storage.freeing.run(),
      stop: () => storage.freeing.stop(),
    },
    ...listRowCleanUps(deps),
  ]
}

/** Those that only remove rows, by the hour. */
function listRowCleanUps(deps: RouteDeps): CleanUpJob[] {
  const { audit, emails, auth, passwordReset, signUp, traffic } = deps
  const jobs: Pick<CleanUpJob, 'name' | 'removes' | 'cleanUp'>[] = [
    {
      name: 'remove old audit rows',
      removes: 'old audit events',
      cleanUp: () => audit.removeOld(),
    },
    { name: 'remove old mail', removes: 'old emails', cleanUp: () => emails.removeOld() },
    {
      name: 'remove ended resets',
      removes: 'ended password resets',
      cleanUp: () => passwordReset.removeEnded(),
    },
    {
      name: 'remove old sign-ups',
      removes: 'accounts that have waited too long for approval',
      cleanUp: () => signUp.removeOld(),
    },
    {
      name: 'remove ended sessions',
      removes: 'ended sessions and API tokens',
      cleanUp: () => auth.removeEndedSessions(),
    },
    {
      name: 'remove old traffic',
      removes: 'old days of traffic',
      cleanUp: () => traffic.removeOld(),
    },
  ]
  return jobs.map((job) => ({ ...job, everyMs: hourMs, byWallClock: true }))
}
