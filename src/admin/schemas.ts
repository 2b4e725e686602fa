import * as v from 'valibot'
import { bytes, named, nonNegative, noted, present, timestamp } from '../http/schema.ts'
import type { ClockDoubt } from '../jobs/clock-trust.ts'
import { shareSchema } from '../shares/schemas.ts'
import { verifyStateOf, storageCheckSchema, verifyStateSchema } from './verify-schemas.ts'
import { uploadStates } from './health.ts'
import type { StatusReport } from './status.ts'
import type { OverviewReport } from './overview.ts'

/** The contract's `Share` (part 2) without its files, with its owner. */
export const anyShareSchema = named(
  'AnyShare',
  v.object({
    ...v.omit(shareSchema, ['files', 'preview_count']).entries,
    name: noted(
      v.string(),
      'Its name; without one, that of its first file if it has no password, and how many more',
    ),
    owner: v.object({ id: nonNegative, email: v.string() }),
    file_count: noted(nonNegative, 'Files of a complete share', 5),
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
    disk: noted(
      v.nullable(v.object(diskFields)),
      'The storage disk; null for a bucket, or if it is missing',
    ),
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

function clockOf(doubt: ClockDoubt | null, now: Date) {
  return {
    trusted: doubt === null,
    aheadSeconds: Math.round((doubt?.aheadMs ?? 0) / 1000),
    doubtedSince: doubt?.since ?? null,
    waitsUntil: doubt && new Date(now.getTime() + doubt.leftMs),
  }
}

function diskOf({ free, total, floor }: NonNullable<StatusReport['disk']>) {
  return { freeBytes: free, totalBytes: total, floorBytes: floor }
}

export function presentStatus(report: StatusReport): v.InferOutput<typeof statusSchema> {
  const { disk, databaseDisk, figures, stuck, lastBackup, running } = report
  return present(statusSchema, {
    ...report,
    database: {
      embedded: report.isEmbedded,
      bytes: figures.databaseBytes,
      disk: databaseDisk && { ...diskOf(databaseDisk), reserveBytes: databaseDisk.reserve },
    },
    disk: disk && diskOf(disk),
    storage: {
      ...figures,
      stuck: stuck.count,
      stuckContainers: stuck.first.map((one) => ({ ...one, container: one.containerId })),
      check: report.storageCheck,
    },
    verify: verifyStateOf(report.verify),
    lastBackup: lastBackup && { ...lastBackup, storedBytes: lastBackup.bytes },
    clock: clockOf(report.clockDoubt, report.now),
    mail: { queued: figures.queuedEmails, dead: figures.deadEmails, held: report.isHeld },
    counts: {
      users: figures.users,
      drafts: figures.drafts,
      shares: figures.complete,
      expiredShares: figures.expired,
      reverseShares: figures.reverseShares,
      runningUploads: running.uploads,
      runningDownloads: running.downloads,
    },
  })
}

const daySchema = noted(v.pipe(v.string(), v.isoDate()), 'A day in UTC', '2030-12-31')

const placeFields = {
  share: noted(
    v.nullable(v.object({ id: v.string(), name: v.string() })),
    'Null for files of a reverse share',
  ),
  owner: v.object({ id: nonNegative, email: v.string() }),
}

export const overviewSchema = named(
  'Overview',
  v.object({
    recorded_since: noted(daySchema, 'The first recorded day; today on a new service'),
    days: noted(
      v.array(
        v.object({
          day: daySchema,
          received_bytes: bytes,
          sent_bytes: bytes,
          stored_bytes: noted(
            v.nullable(nonNegative),
            'Bytes on disk at the end of the day, or now; null before the first recorded day',
            52_428_800,
          ),
          uploads: noted(nonNegative, 'Finished uploads', 12),
          downloads: noted(nonNegative, 'Finished downloads', 40),
        }),
      ),
      'Oldest first, today last; counts of the last seconds are lost in a crash',
    ),
    open_reverse_shares: noted(nonNegative, 'Reverse shares that guests can use now', 3),
    waiting: noted(
      v.object({
        count: nonNegative,
        first: v.array(
          v.object({
            id: nonNegative,
            email: v.string(),
            name: v.string(),
            requested_at: timestamp,
          }),
        ),
      }),
      'Accounts that wait for approval: how many, and the 20 that have waited longest',
    ),
    accounts: noted(
      v.array(
        v.object({
          id: nonNegative,
          email: v.string(),
          name: v.string(),
          used_bytes: bytes,
          quota: noted(
            v.nullable(nonNegative),
            'Its own quota in bytes, 0 for no limit; null for `userQuota`',
          ),
        }),
      ),
      'The 10 accounts that use most',
    ),
    running: noted(
      v.object({
        uploads: v.array(
          v.object({
            ...placeFields,
            received_bytes: bytes,
            expected_bytes: noted(
              v.nullable(nonNegative),
              'Total size; null when the sender has not told',
            ),
            last_received_at: timestamp,
          }),
        ),
        downloads: v.array(
          v.object({
            ...placeFields,
            transfers: noted(nonNegative, 'Requests that are being answered', 1),
            sent_bytes: bytes,
            total_bytes: bytes,
          }),
        ),
      }),
      'The 20 latest uploads that received bytes in the last five minutes, and the 20 shares ' +
        'and reverse shares with most downloads',
    ),
  }),
)

export function presentOverview(report: OverviewReport): v.InferOutput<typeof overviewSchema> {
  const { traffic, openReverseShares, waiting, usage, uploads, downloads } = report
  return present(overviewSchema, {
    recordedSince: traffic.since,
    days: traffic.days,
    openReverseShares,
    waiting,
    accounts: usage,
    running: { uploads, downloads },
  })
}
