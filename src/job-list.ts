import type { DiskWatch } from './admin/problems/disk-watch.ts'
import type { ProblemNotices } from './admin/problems/notices.ts'
import type { Audit } from './audit/audit.ts'
import type { Auth } from './accounts/sign-in/sign-in.ts'
import type { PasswordReset } from './accounts/reset/password-reset.ts'
import type { Database } from './database/connect.ts'
import type { Downloads } from './blobs/send/downloads.ts'
import type { Manifests } from './blobs/manifests.ts'
import type { Job, CleanUpJob } from './jobs/jobs.ts'
import type { Clock } from './lib/clock.ts'
import type { Log } from './lib/log.ts'
import type { Emails } from './email/emails.ts'
import { DeliveryCleanUp } from './reverse-shares/clean-up.ts'
import type { Settings } from './settings/settings.ts'
import { DownloadNotices } from './shares/activity/download-notices.ts'
import { ShareCleanUp } from './shares/clean-up.ts'
import type { Storage } from './blobs/storage.ts'
import { UnusedSegments } from './blobs/unused-segments.ts'
import type { Traffic } from './blobs/traffic.ts'
import type { StartCheck } from './blobs/verify/start-check.ts'
import type { Verify } from './blobs/verify/verify.ts'
import { hourMs, minuteMs } from './lib/durations.ts'

interface JobDeps {
  readonly database: Database
  readonly audit: Audit
  readonly clock: Clock
  readonly log: Log
  readonly storage: Storage
  readonly settings: Settings
  readonly downloads: Downloads
  readonly traffic: Traffic
  readonly manifests: Manifests
  readonly emails: Emails
  readonly auth: Auth
  readonly passwordReset: PasswordReset
  readonly verify: Verify
  readonly startCheck: StartCheck
  readonly disks: DiskWatch
  readonly problemNotices: ProblemNotices
}

/** All jobs with their intervals. */
export function listJobs(deps: JobDeps): readonly (Job | CleanUpJob)[] {
  const { storage, settings, downloads, manifests, emails, passwordReset } = deps
  const { verify, startCheck, traffic, disks, problemNotices } = deps
  const notices = new DownloadNotices(deps)
  const jobs: Job[] = [
    { name: 'read settings', everyMs: 5_000, run: () => settings.refresh() },
    { name: 'abort withdrawn downloads', everyMs: 5_000, run: () => downloads.abortWithdrawn() },
    { name: 'close idle writers', everyMs: 15_000, run: () => storage.writers.closeIdle() },
    { name: 'answer password resets', everyMs: minuteMs, run: () => passwordReset.run() },
    { name: 'email owners about downloads', everyMs: minuteMs, run: () => notices.run() },
    { name: 'send mail', everyMs: minuteMs, run: () => emails.run() },
    { name: 'record traffic', everyMs: minuteMs, run: () => traffic.flush() },
    { name: 'write manifests', everyMs: minuteMs, run: async () => manifests.wake() },
    {
      name: 'verify',
      everyMs: 10 * minuteMs,
      run: () => verify.runIfDue(),
      stop: () => verify.stop(),
    },
    { name: 'check the storage', everyMs: minuteMs, run: () => startCheck.runIfDue() },
    { name: 'watch disks', everyMs: minuteMs, run: () => disks.look() },
    { name: 'email administrators', everyMs: 5 * minuteMs, run: () => problemNotices.run() },
  ]
  return [...jobs, ...listCleanUpJobs(deps)]
}

/** Jobs that remove things, which `transfer clean-up` runs too. */
function listCleanUpJobs(deps: JobDeps): CleanUpJob[] {
  const { storage } = deps
  const shares = new ShareCleanUp(deps)
  const unusedSegments = new UnusedSegments(deps)
  const deliveries = new DeliveryCleanUp(deps)
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
      cleanUp: () => unusedSegments.run(),
    },
    {
      name: 'remove deleted bytes',
      removes: 'deleted containers still on disk',
      everyMs: minuteMs,
      byWallClock: false,
      cleanUp: () => storage.removeTombstoned(),
      stop: () => storage.freeing.stop(),
    },
    ...listRowCleanUps(deps),
  ]
}

/** Those that only remove rows. */
function listRowCleanUps(deps: JobDeps): CleanUpJob[] {
  const { audit, emails, auth, passwordReset, traffic } = deps
  return [
    {
      name: 'remove old audit rows',
      removes: 'old audit events',
      everyMs: hourMs,
      byWallClock: true,
      cleanUp: () => audit.removeOld(),
    },
    {
      name: 'remove old mail',
      removes: 'old emails',
      everyMs: hourMs,
      byWallClock: true,
      cleanUp: () => emails.removeOld(),
    },
    {
      name: 'remove ended resets',
      removes: 'ended password resets',
      everyMs: hourMs,
      byWallClock: true,
      cleanUp: () => passwordReset.removeEnded(),
    },
    {
      name: 'remove ended sessions',
      removes: 'ended sessions and API tokens',
      everyMs: hourMs,
      byWallClock: true,
      cleanUp: () => auth.removeEndedSessions(),
    },
    {
      name: 'remove old traffic',
      removes: 'old days of traffic',
      everyMs: hourMs,
      byWallClock: true,
      cleanUp: () => traffic.removeOld(),
    },
  ]
}
