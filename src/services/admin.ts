// What administrators and monitors see of the service.
import { Health } from '../admin/health.ts'
import { Metrics } from '../admin/metrics/metrics.ts'
import { Overview } from '../admin/overview.ts'
import { DiskWatch } from '../admin/problems/disk-watch.ts'
import { ProblemNotices } from '../admin/problems/notices.ts'
import { Status } from '../admin/status.ts'
import { budgetsOf } from '../config/budgets.ts'
import { RequestCounts } from '../http/request-counts.ts'
import { version } from '../lib/package-root.ts'
import type { SignInServices } from './accounts.ts'
import type { Basis, EmailServices, Surroundings } from './basis.ts'
import type { BlobServices } from './blobs.ts'
import { createRequestPermits } from './request-permits.ts'

export function createAdmin(
  { config, database, clock, log }: Surroundings,
  { jobs, clockTrust, settings }: Basis,
  { emails }: EmailServices,
  blobs: BlobServices,
  { auth }: SignInServices,
) {
  const { storage, uploads, downloads, traffic, verify, startCheck } = blobs
  const health = new Health({ database, storage, storageCheck: startCheck })
  const disks = new DiskWatch({ storage, log })
  const requestPermits = createRequestPermits(budgetsOf(config.memoryLimit))
  const requestCounts = new RequestCounts()
  const isWanted = () => settings.values.notifyAdministrators
  return {
    health,
    disks,
    requestPermits,
    requestCounts,
    metrics: new Metrics({
      database,
      ...blobs,
      jobs,
      requests: requestCounts,
      permits: {
        look_up: requestPermits.lookUps,
        json_body: requestPermits.jsonBodies,
        long_body: requestPermits.longBodies,
        long_answer: requestPermits.longAnswers,
      },
      signIns: auth.counts,
      clock,
      version,
    }),
    problemNotices: new ProblemNotices({
      database,
      emails,
      jobs,
      disks,
      clock,
      version,
      isWanted,
    }),
    overview: new Overview({ database, clock, traffic, downloads }),
    status: new Status({
      database,
      health,
      storage,
      uploads,
      downloads,
      emails,
      jobs,
      clockTrust,
      verify,
      startCheck,
      clock,
      version,
      isEmbedded: config.databaseUrl === null,
    }),
  }
}
