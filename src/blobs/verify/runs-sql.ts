import type { Sql } from '../../database/connect.ts'
import { firstPlace, parsePlace, type Place } from './place.ts'

export const findingKinds = ['missing', 'short', 'rotten', 'orphaned'] as const
export type FindingKind = (typeof findingKinds)[number]
export type Counts = Readonly<Record<FindingKind, number>>

/** One check of everything, from its start to its end, in however many goes. */
export interface RunRow {
  readonly id: number
  readonly startedAt: Date
  /** Null while it is not through. */
  readonly finishedAt: Date | null
  /** Some process is at it. */
  readonly isActive: boolean
  readonly place: Place
  readonly bytesChecked: number
  readonly bytesTotal: number
  /** Bytes that had been checked before the run was last resumed; 0 for a run in one go. */
  readonly bytesResumed: number
  readonly counts: Counts
  /** Host and folder of the storage where it began. */
  readonly storagePlace: string
  /** Its last progress is less than a day old. */
  readonly isRecent: boolean
  /** Why the last worker ended early; null when it was stopped, or has not ended. */
  readonly lastError: string | null
}

interface RunColumns {
  id: number
  started_at: Date
  finished_at: Date | null
  is_active: boolean
  place: string
  bytes_checked: number
  bytes_total: number
  missing: number
  short: number
  rotten: number
  orphaned: number
  resumed_bytes: number
  storage_place: string
  is_recent: boolean
  last_error: string | null
}

/** A worker that has said nothing for so long was killed. */
const columns = (sql: Sql) => sql`
  id, started_at, finished_at, place, bytes_checked, bytes_total, missing, short, rotten, orphaned,
  resumed_bytes, storage_place, last_error, progress_at > now() - interval '1 day' as is_recent,
  finished_at is null and coalesce(active_at > now() - interval '1 minute', false) as is_active`

function runOf(row: RunColumns): RunRow {
  const { missing, short, rotten, orphaned } = row
  return {
    id: row.id,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    isActive: row.is_active,
    place: parsePlace(row.place),
    bytesChecked: row.bytes_checked,
    bytesTotal: row.bytes_total,
    bytesResumed: row.resumed_bytes,
    counts: { missing, short, rotten, orphaned },
    storagePlace: row.storage_place,
    isRecent: row.is_recent,
    lastError: row.last_error,
  }
}

/** The newest run first; behind it the last one that was finished. */
export async function listRuns(sql: Sql): Promise<RunRow[]> {
  const rows = await sql<RunColumns[]>`
    select ${columns(sql)}
    from verify_runs
    order by id desc
    limit 10`
  return rows.map(runOf)
}

/** Makes a run, and forgets those before it but the last that was finished. */
export async function insertRun(
  sql: Sql,
  run: { workerId: string; startedAt: Date; storagePlace: string },
): Promise<RunRow> {
  await sql`
    delete from verify_runs
    where id not in (
      select id
      from verify_runs
      where finished_at is not null
      order by id desc
      limit 1
    )`
  const [row] = await sql<RunColumns[]>`
    insert into verify_runs (
      started_at, storage_place, place, worker_id, active_at, bytes_total
    )
    select ${run.startedAt}, ${run.storagePlace}, ${JSON.stringify(firstPlace)}, ${run.workerId},
      now(), coalesce(sum(live_bytes), 0)
    from parcels
    returning ${columns(sql)}`
  return runOf(row!)
}

/** From now on the run is this worker's; null when it is gone, or finished. */
export async function takeRun(sql: Sql, runId: number, workerId: string): Promise<RunRow | null> {
  const [row] = await sql<RunColumns[]>`
    update verify_runs
    set worker_id = ${workerId}, active_at = now(), resumed_bytes = bytes_checked,
        last_error = null
    where id = ${runId} and finished_at is null
    returning ${columns(sql)}`
  return row ? runOf(row) : null
}

export interface RunProgress {
  readonly id: number
  readonly workerId: string
  readonly place: Place
  readonly bytesChecked: number
}

/** False when another worker has taken the run. */
export async function saveProgress(sql: Sql, progress: RunProgress): Promise<boolean> {
  const rows = await sql`
    update verify_runs
    set place = ${JSON.stringify(progress.place)},
        bytes_checked = ${progress.bytesChecked},
        active_at = now(),
        progress_at = now()
    where id = ${progress.id} and worker_id = ${progress.workerId}
    returning id`
  return rows.length > 0
}

/** Nobody is at it any more: finished, or to be gone on with. */
export async function leaveRun(
  sql: Sql,
  run: { id: number; workerId: string; finishedAt: Date | null; error: string | null },
): Promise<void> {
  await sql`
    update verify_runs
    set active_at = null, progress_at = now(), finished_at = ${run.finishedAt},
        last_error = ${run.error}
    where id = ${run.id} and worker_id = ${run.workerId}`
}

/** When the service began to keep bytes: the first run is due some time after it. */
export async function findStorageAge(sql: Sql): Promise<Date | null> {
  const [row] = await sql<{ created_at: Date }[]>`
    select created_at from storage_roots order by created_at limit 1`
  return row?.created_at ?? null
}

/** Id of the last finished run; null when there is none. */
export async function findFinishedRun(sql: Sql): Promise<number | null> {
  const [row] = await sql<{ id: number | null }[]>`
    select max(id) as id from verify_runs where finished_at is not null`
  return row?.id ?? null
}
