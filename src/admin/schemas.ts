import * as v from 'valibot'
import { bytes, named, nonNegative, noted, timestamp } from '../http/schema.ts'
import type { BackupRun } from '../backup/sql.ts'
import type { ClockDoubt } from '../jobs/clock-trust.ts'
import { shareSchema } from '../shares/schemas.ts'
import {
  presentStorageCheck,
  presentVerifyState,
  storageCheckSchema,
  verifyStateSchema,
} from './verify-schemas.ts'
import { uploadStates } from './health.ts'
import type { StatusReport } from './status.ts'

/** The contract's `Share` (part 2) without its files, with its owner. */
export const anyShareSchema = named(
  'AnyShare',
  v.object({
    ...v.omit(shareSchema, [
      'files',
      'preview_count',
      'progress',
      'receiving',
      'all_received',
      'published',
      'last_received_at',
    ]).entries,
    name: noted(v.string(), 'Its name; without one, that of its first file if it has no password'),
    owner: v.object({ id: nonNegative, email: v.string() }),
    damaged_files: noted(nonNegative, 'Files damaged on the server', 0),
  }),
)

const diskFields = {
  free_bytes: bytes,
  total_bytes: bytes,
  floor_bytes: noted(nonNegative, 'Bytes to keep free', 536_870_912),
}

export const statusSchema = named(
  'Status',
  v.object({
    version: v.string(),
    uptime_seconds: nonNegative,
    database: v.object({
      embedded: v.boolean(),
      bytes,
      disk: noted(
        v.nullable(
          v.object({
            ...diskFields,
            reserve_bytes: noted(
              nonNegative,
              'Bytes reserved for deletions on a full disk',
              67_108_864,
            ),
          }),
        ),
        'The database disk; null with DATABASE_URL, because it is not checked',
      ),
    }),
    disk: noted(v.nullable(v.object(diskFields)), 'The storage disk; null for a bucket'),
    uploads: noted(
      v.picklist(uploadStates),
      '`disk_full`: refused until a disk has space again; `unavailable`: the disk is missing',
    ),
    storage: v.object({
      containers: nonNegative,
      used_bytes: bytes,
      live_bytes: noted(nonNegative, 'Bytes referenced by files', 52_428_800),
      tombstones: noted(nonNegative, 'Deleted or expired containers that are not freed yet', 0),
      stuck: noted(nonNegative, 'Containers that could not be freed and will be retried', 0),
      stuck_containers: noted(
        v.array(
          v.object({
            container: noted(v.string(), 'Name of the folder'),
            attempts: nonNegative,
            next_try_at: timestamp,
            last_error: v.string(),
          }),
        ),
        'The 20 containers with the most attempts',
      ),
      check: noted(
        v.nullable(storageCheckSchema),
        'Whether database and files match; null until the start check has finished',
      ),
    }),
    verify: verifyStateSchema,
    last_backup: noted(
      v.nullable(
        v.object({
          started_at: timestamp,
          finished_at: timestamp,
          place: noted(
            v.string(),
            'Its folder, or - for a stream',
            '/var/backups/transfer-service',
          ),
          stored_bytes: bytes,
          copied_bytes: noted(nonNegative, 'Bytes that earlier snapshots lacked', 5_242_880),
          files: nonNegative,
          damaged: noted(nonNegative, 'Damaged places found in the files it copied', 0),
        }),
      ),
      'The last completed `transfer backup`; null before the first',
    ),
    jobs: v.array(
      v.object({
        name: v.string(),
        last_run_at: v.nullable(timestamp),
        last_duration_ms: noted(v.nullable(nonNegative), 'Milliseconds'),
        last_error: v.nullable(v.string()),
        failing: noted(nonNegative, 'Items that could not be removed and will be retried', 0),
      }),
    ),
    clock: noted(
      v.object({
        trusted: v.boolean(),
        ahead_seconds: noted(nonNegative, 'How far the clock is ahead of its expected time', 0),
        doubted_since: v.nullable(timestamp),
        waits_until: noted(
          v.nullable(timestamp),
          'When removals resume if the service keeps running',
        ),
      }),
      'After a forward jump of the clock, removals pause for an hour',
    ),
    clean_ups: v.array(v.object({ name: v.string(), done_at: timestamp })),
    mail: v.object({
      queued: nonNegative,
      dead: nonNegative,
      held: noted(v.boolean(), 'Whether emails stay in the queue, as after restore --no-mail'),
    }),
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

type StatusAnswer = v.InferOutput<typeof statusSchema>

function presentClock(doubt: ClockDoubt | null, now: Date): StatusAnswer['clock'] {
  if (doubt === null) {
    return { trusted: true, ahead_seconds: 0, doubted_since: null, waits_until: null }
  }
  return {
    trusted: false,
    ahead_seconds: Math.round(doubt.aheadMs / 1000),
    doubted_since: doubt.since.toISOString(),
    waits_until: new Date(now.getTime() + doubt.leftMs).toISOString(),
  }
}

function presentBackup(run: BackupRun | null): StatusAnswer['last_backup'] {
  if (run === null) return null
  const { startedAt, finishedAt, place, bytes: storedBytes, copiedBytes, files, damaged } = run
  return {
    started_at: startedAt.toISOString(),
    finished_at: finishedAt.toISOString(),
    place,
    stored_bytes: storedBytes,
    copied_bytes: copiedBytes,
    files,
    damaged,
  }
}

function presentDisk({ free, total, floor }: NonNullable<StatusReport['disk']>) {
  return { free_bytes: free, total_bytes: total, floor_bytes: floor }
}

export function presentStatus(report: StatusReport): StatusAnswer {
  const { disk, databaseDisk, totals, stuck, jobs, cleanUps, mail, running, now } = report
  return {
    version: report.version,
    uptime_seconds: report.uptimeSeconds,
    database: {
      embedded: report.isEmbedded,
      bytes: totals.databaseBytes,
      disk: databaseDisk && {
        ...presentDisk(databaseDisk),
        reserve_bytes: databaseDisk.reserve,
      },
    },
    disk: disk && presentDisk(disk),
    uploads: report.uploads,
    storage: {
      containers: totals.containers,
      used_bytes: totals.usedBytes,
      live_bytes: totals.liveBytes,
      tombstones: totals.tombstones,
      stuck: stuck.count,
      stuck_containers: stuck.first.map((one) => ({
        container: one.containerId,
        attempts: one.attempts,
        next_try_at: one.nextTryAt.toISOString(),
        last_error: one.lastError,
      })),
      check: presentStorageCheck(report.storageCheck),
    },
    verify: presentVerifyState(report.verify),
    last_backup: presentBackup(report.lastBackup),
    jobs: jobs.map((job) => ({
      name: job.name,
      last_run_at: job.lastRunAt?.toISOString() ?? null,
      last_duration_ms: job.lastDurationMs,
      last_error: job.lastError,
      failing: job.failing,
    })),
    clock: presentClock(report.clockDoubt, now),
    clean_ups: cleanUps.map(({ name, doneAt }) => ({ name, done_at: doneAt.toISOString() })),
    mail: { queued: mail.queued, dead: mail.dead, held: mail.isHeld },
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
