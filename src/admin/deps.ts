import type { Traffic } from '../bytes/traffic.ts'
import type { StartCheck } from '../bytes/upkeep/verify/start-check.ts'
import type { Verify } from '../bytes/upkeep/verify/verify.ts'
import type { RequestCounts } from '../http/ended-requests.ts'
import type { ClockTrust } from '../jobs/clock-trust.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { ShareDeps } from '../shares/deps.ts'
import type { Doctor } from './doctor/doctor.ts'
import type { Probe } from './doctor/probe.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { DiskWatch } from './problems/disk-watch.ts'
import type { ProblemNotices } from './problems/notices.ts'
import type { Status } from './status.ts'

/** What app.ts builds for administrators and monitors. Each class picks what it uses. */
export interface AdminDeps extends ShareDeps {
  readonly jobs: Jobs
  readonly clockTrust: ClockTrust
  readonly traffic: Traffic
  readonly verify: Verify
  readonly startCheck: StartCheck
  readonly requestCounts: RequestCounts
  readonly metrics: Metrics
  readonly disks: DiskWatch
  readonly problemNotices: ProblemNotices
  readonly status: Status
  readonly doctor: Doctor
  readonly probe: Probe
  readonly isProxy: (peer: string) => boolean
  /** Whether any proxy is trusted: the option TRUST_PROXY. */
  readonly trustsProxies: boolean
  /** Boot options by name, without secrets. */
  readonly visibleOptions: Readonly<Record<string, string>>
}
