import * as v from 'valibot'
import { bytes, named, nonNegative, noted, present, timestamp } from '../http/schema.ts'
import type { OverviewReport } from './overview.ts'

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
