import type { BackupRun } from '../../backup/sql.ts'
import type { WriteTestResult } from '../../bytes/write-test.ts'
import type { VerifyReport } from '../../bytes/upkeep/verify/verify.ts'
import type { SmtpServer } from '../../email/smtp.ts'
import type { ClockDoubt } from '../../jobs/clock-trust.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Echo } from './probe.ts'
import type { ProbeClient, Reply } from './probe-client.ts'

/** What the checks look at, beside the public URL. */
export interface DoctorDeps {
  readonly clock: Clock
  readonly baseUrl: string
  /** Where a proxy on this machine reaches the service, as `host:port`. */
  readonly upstream: string
  readonly trustProxy: string
  readonly dataDir: string
  /** The options file if it has secrets that every user of the machine can read, else null. */
  readonly publicOptionsFile: string | null
  /** Bytes of the largest chunk. */
  readonly chunkBytesMax: () => number
  /** The database's clock. */
  readonly databaseNow: () => Promise<Date>
  readonly clockDoubt: () => Promise<ClockDoubt | null>
  readonly testDisk: () => Promise<WriteTestResult>
  readonly diskSpace: () => Promise<{ free: number; total: number; floor: number } | null>
  /** Null when email is not set up. */
  readonly mailServer: () => SmtpServer | null
  /** Why the SMTP server refused; null when it did not. */
  readonly testMailServer: (server: SmtpServer) => Promise<string | null>
  readonly lastBackup: () => Promise<BackupRun | null>
  readonly verifyReport: () => Promise<VerifyReport>
  /** A token for one check-up. */
  readonly makeToken: () => Promise<string>
}

/** How the service was reached through the public URL. */
export type Reach =
  | { readonly isReached: true; readonly reply: Reply; readonly echo: Echo }
  | { readonly isReached: false; readonly reply: Reply | null; readonly cause: string }

/** One check-up. */
export interface Scene {
  readonly deps: DoctorDeps
  readonly url: URL
  readonly client: ProbeClient
  /** The first request, which all checks of the proxy share. */
  readonly reach: Reach
  readonly isSlow: boolean
}

/** One in which the service was reached. */
export type ReachedScene = Scene & { readonly reach: Extract<Reach, { isReached: true }> }

export function isReached(scene: Scene): scene is ReachedScene {
  return scene.reach.isReached
}

export const probePath = '/api/admin/check-up/probe'
