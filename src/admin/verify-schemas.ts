import * as v from 'valibot'
import { bytes, named, nonNegative, noted, present, timestamp } from '../http/schema.ts'
import type { RunRow } from '../bytes/upkeep/verify/runs-sql.ts'
import type { VerifyReport } from '../bytes/upkeep/verify/verify.ts'

const countsSchema = v.object({
  missing: noted(nonNegative, 'Segments without a file', 0),
  short: noted(nonNegative, 'Segments that lost bytes at their end', 0),
  rotten: noted(nonNegative, 'Changed files, and changed chunks of unfinished uploads', 0),
  orphaned: noted(nonNegative, 'Folders and segments unknown to the database', 0),
})

const runSchema = named(
  'VerifyRun',
  v.object({
    started_at: timestamp,
    finished_at: noted(v.nullable(timestamp), 'Null while the run is unfinished'),
    checked_bytes: bytes,
    resumed_bytes: noted(
      nonNegative,
      'Bytes checked before the run was resumed; 0 if it never was',
      0,
    ),
    total_bytes: noted(nonNegative, 'Bytes to check at the start', 52_428_800),
    counts: countsSchema,
    error: noted(v.nullable(v.string()), 'Why the run ended early; it will be retried'),
  }),
)

/** The newest runs. */
export const verifyStateSchema = named(
  'VerifyState',
  v.object({
    running: noted(v.boolean(), 'Whether a process is checking now'),
    current: noted(v.nullable(runSchema), 'The unfinished run, which will be resumed'),
    last: noted(v.nullable(runSchema), 'The last finished run'),
  }),
)

export const storageCheckSchema = v.object({
  checked_at: timestamp,
  segments: nonNegative,
  missing: countsSchema.entries.missing,
  short: countsSchema.entries.short,
  orphaned: countsSchema.entries.orphaned,
})

export function presentRun(run: RunRow): v.InferOutput<typeof runSchema> {
  return present(runSchema, runOf(run))
}

function runOf({ bytesChecked, bytesResumed, bytesTotal, lastError, ...run }: RunRow) {
  const sizes = { checkedBytes: bytesChecked, resumedBytes: bytesResumed, totalBytes: bytesTotal }
  return { ...run, ...sizes, error: lastError }
}

/** A report with the names of `verifyStateSchema`. */
export function verifyStateOf({ current, last }: VerifyReport) {
  const running = current?.isActive ?? false
  return { running, current: current && runOf(current), last: last && runOf(last) }
}
