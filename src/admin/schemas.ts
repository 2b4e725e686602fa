import * as v from 'valibot'
import { bytes, named, nonNegative, noted, timestamp } from '../http/schema.ts'
import { shareSchema } from '../shares/schemas.ts'
import {
  presentStorageCheck,
  presentVerifyState,
  storageCheckSchema,
  verifyStateSchema,
} from '../verify/schemas.ts'
import type { StatusReport } from './status.ts'

/** Share of the contract's part 2 without its files, with the account it belongs to. */
export const anyShareSchema = named(
  'AnyShare',
  v.object({
    ...v.omit(shareSchema, ['files', 'progress', 'receiving']).entries,
    owner: v.object({ id: nonNegative, email: v.string() }),
  }),
)

export const statusSchema = named(
  'Status',
  v.object({
    version: v.string(),
    uptime_seconds: nonNegative,
    database: v.object({ embedded: v.boolean(), bytes }),
    disk: v.object({
      free_bytes: bytes,
      total_bytes: bytes,
      floor_bytes: noted(nonNegative, 'Bytes that stay free', 536_870_912),
    }),
    storage: v.object({
      parcels: nonNegative,
      used_bytes: bytes,
      live_bytes: noted(nonNegative, 'Bytes that files refer to', 52_428_800),
      tombstones: noted(nonNegative, 'Deleted parcels whose bytes are still there', 0),
      check: noted(
        v.nullable(storageCheckSchema),
        'How database and files fit together; null until the check at the start is through',
      ),
    }),
    verify: verifyStateSchema,
    jobs: v.array(
      v.object({
        name: v.string(),
        last_run_at: v.nullable(timestamp),
        last_duration_ms: noted(v.nullable(nonNegative), 'Milliseconds'),
        last_error: v.nullable(v.string()),
      }),
    ),
    sweeps: v.array(v.object({ name: v.string(), done_at: timestamp })),
    mail: v.object({ queued: nonNegative, dead: nonNegative }),
    counts: v.object({
      users: nonNegative,
      drafts: nonNegative,
      shares: nonNegative,
      expired_shares: nonNegative,
      reverse_shares: nonNegative,
      running_uploads: nonNegative,
      running_downloads: nonNegative,
    }),
  }),
)

export function presentStatus(report: StatusReport): v.InferOutput<typeof statusSchema> {
  const { disk, totals, jobs, sweeps, mail, running } = report
  return {
    version: report.version,
    uptime_seconds: report.uptimeSeconds,
    database: { embedded: report.isEmbedded, bytes: totals.databaseBytes },
    disk: { free_bytes: disk.free, total_bytes: disk.total, floor_bytes: disk.floor },
    storage: {
      parcels: totals.parcels,
      used_bytes: totals.usedBytes,
      live_bytes: totals.liveBytes,
      tombstones: totals.tombstones,
      check: presentStorageCheck(report.storageCheck),
    },
    verify: presentVerifyState(report.verify),
    jobs: jobs.map((job) => ({
      name: job.name,
      last_run_at: job.lastRunAt?.toISOString() ?? null,
      last_duration_ms: job.lastDurationMs,
      last_error: job.lastError,
    })),
    sweeps: sweeps.map(({ name, doneAt }) => ({ name, done_at: doneAt.toISOString() })),
    mail: { queued: mail.queued, dead: mail.dead },
    counts: {
      users: totals.users,
      drafts: totals.shares.draft,
      shares: totals.shares.complete,
      expired_shares: totals.shares.expired,
      reverse_shares: totals.reverseShares,
      running_uploads: running.uploads,
      running_downloads: running.downloads,
    },
  }
}
