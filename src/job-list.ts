import type { Audit } from './audit/audit.ts'
import type { Auth } from './accounts/sign-in/sign-in.ts'
import type { PasswordReset } from './accounts/reset/password-reset.ts'
import type { Database } from './database/connect.ts'
import type { Downloads } from './blobs/send/downloads.ts'
import type { Manifests } from './blobs/manifests.ts'
import type { Job, SweepJob } from './jobs/jobs.ts'
import type { Clock } from './lib/clock.ts'
import type { Log } from './lib/log.ts'
import type { Mail } from './email/emails.ts'
import { DeliverySweep } from './reverse-shares/sweep.ts'
import type { Settings } from './settings/settings.ts'
import { Compaction } from './shares/compaction/compaction.ts'
import { ShareSweep } from './shares/sweep.ts'
import type { Storage } from './blobs/storage.ts'
import { syncUncovered } from './blobs/receive/os-durability.ts'
import type { StartCheck } from './blobs/verify/start-check.ts'
import type { Verify } from './blobs/verify/verify.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

interface JobParts {
  readonly database: Database
  readonly audit: Audit
  readonly clock: Clock
  readonly log: Log
  readonly storage: Storage
  readonly settings: Settings
  readonly downloads: Downloads
  readonly manifests: Manifests
  readonly mail: Mail
  readonly auth: Auth
  readonly passwordReset: PasswordReset
  readonly verify: Verify
  readonly startCheck: StartCheck
  /** Null when chunks are synced before they are acknowledged; else the id of this boot. */
  readonly bootId: string | null
}

/** Everything the service does by itself, and how often. */
export function listJobs(parts: JobParts): readonly (Job | SweepJob)[] {
  const { storage, settings, downloads, manifests, mail, passwordReset, bootId } = parts
  const { verify, startCheck } = parts
  const jobs: Job[] = [
    { name: 'read settings', everyMs: 5_000, run: () => settings.refresh() },
    { name: 'cut withdrawn downloads', everyMs: 5_000, run: () => downloads.cutWithdrawn() },
    { name: 'close idle lanes', everyMs: 15_000, run: () => storage.lanes.closeIdle() },
    { name: 'answer password resets', everyMs: minuteMs, run: () => passwordReset.run() },
    { name: 'send mail', everyMs: minuteMs, run: () => mail.run() },
    { name: 'write manifests', everyMs: minuteMs, run: async () => manifests.wake() },
    {
      name: 'verify',
      everyMs: 10 * minuteMs,
      run: () => verify.runIfDue(),
      stop: () => verify.stop(),
    },
    { name: 'check the storage', everyMs: minuteMs, run: () => startCheck.runIfDue() },
  ]
  if (bootId !== null) {
    const sync = () => syncUncovered(parts, bootId)
    jobs.push({ name: 'sync', everyMs: 5_000, run: sync })
  }
  return [...jobs, ...listSweeps(parts)]
}

/** What removes things: also done by `transfer sweep`. */
function listSweeps(parts: JobParts): SweepJob[] {
  const { audit, storage, mail, auth, passwordReset } = parts
  const shares = new ShareSweep(parts)
  const compaction = new Compaction(parts)
  const deliveries = new DeliverySweep(parts)
  return [
    {
      name: 'sweep shares',
      removes: 'expired shares and abandoned drafts',
      everyMs: minuteMs / 2,
      byWallClock: true,
      sweep: () => shares.run(),
      failing: () => shares.failing,
    },
    {
      name: 'sweep deliveries',
      removes: 'abandoned deliveries',
      everyMs: minuteMs / 2,
      byWallClock: true,
      sweep: () => deliveries.run(),
      failing: () => deliveries.failing,
    },
    {
      name: 'compact shares',
      removes: 'segments that were mostly given up',
      everyMs: minuteMs,
      byWallClock: false,
      sweep: () => compaction.run(),
      stop: () => compaction.stop(),
    },
    {
      name: 'remove deleted bytes',
      removes: 'deleted parcels that were still on disk',
      everyMs: minuteMs,
      byWallClock: false,
      sweep: () => storage.removeBuried(),
      stop: () => storage.freeing.stop(),
    },
    {
      name: 'remove old audit rows',
      removes: 'old rows of the audit log',
      everyMs: hourMs,
      byWallClock: true,
      sweep: () => audit.removeOld(),
    },
    {
      name: 'remove old mail',
      removes: 'old mails',
      everyMs: hourMs,
      byWallClock: true,
      sweep: () => mail.removeOld(),
    },
    {
      name: 'remove ended resets',
      removes: 'ended password resets',
      everyMs: hourMs,
      byWallClock: true,
      sweep: () => passwordReset.removeEnded(),
    },
    {
      name: 'remove ended sessions',
      removes: 'ended logins and API tokens',
      everyMs: hourMs,
      byWallClock: true,
      sweep: () => auth.removeEndedSessions(),
    },
  ]
}
